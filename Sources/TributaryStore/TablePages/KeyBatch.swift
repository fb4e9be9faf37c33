import TributarySQLite

/// Entries of an index in memory.
final class KeyBatch {
    /// An entry: the prefix of its order, and where its record is.
    struct Entry {
        let prefix: UInt64
        let start: Int
        let count: Int
    }

    let columnCount: Int
    // One thread at a time uses a batch, and no access to a field overlaps another: the check for each row would cost time.

    @exclusivity(unchecked) private(set) var bytes: [UInt8] = []
    @exclusivity(unchecked) var entries: [Entry] = []

    init(columnCount: Int) { self.columnCount = columnCount }

    /// The bytes that it takes while it is sorted.
    var byteCount: Int { bytes.count + entries.count * 3 * MemoryLayout<Entry>.stride }

    /// Adds an entry, the record of its columns and its row, whose first column is `first`; rows ascend.
    @inline(__always)
    func add(_ record: UnsafeRawBufferPointer, first: SQLCell) {
        entries.append(Entry(prefix: first.sortPrefix, start: bytes.count, count: record.count))
        bytes.append(contentsOf: record)
    }

    func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// Calls `body` with each entry and the prefix of its order.
    func forEach(_ body: (UInt64, UnsafeRawBufferPointer) throws -> Void) rethrows {
        try bytes.withUnsafeBytes { bytes in
            for entry in entries {
                try body(
                    entry.prefix, UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count]))
            }
        }
    }
}
