import Foundation
package import TributarySQLite

/// Sorts the entries of an index in the store's order, in bounded memory.
///
/// Entries are sorted in memory by the first eight bytes of their order, then by their values. If they exceed the memory,
/// each sorted part goes to an unlinked file, and the parts are merged at the end.
package final class KeySorter {
    /// An entry in memory: the prefix of its order, and where its record is.
    struct Entry {
        let prefix: UInt64
        let start: Int
        let count: Int
    }

    let columnCount: Int
    private let byteLimit: Int
    private let folder: String
    // One thread adds entries, and no access to a field overlaps another: the check for each row would cost time.

    @exclusivity(unchecked) private(set) var bytes: [UInt8] = []
    @exclusivity(unchecked) var entries: [Entry] = []
    private var parts: [SortedPart] = []
    private var file: UnlinkedFile?

    /// A sorter for entries of `columnCount` columns and a row, that uses about `byteLimit` bytes of memory, and files in `folder`.
    package init(columnCount: Int, byteLimit: Int, folder: String) {
        self.columnCount = columnCount
        self.byteLimit = max(byteLimit, 1 << 10)
        self.folder = folder
    }

    /// Adds an entry, the record of its columns and its row, whose first column is `first`; rows ascend.
    package func add(_ record: UnsafeRawBufferPointer, first: SQLCell) throws {
        entries.append(Entry(prefix: first.sortPrefix, start: bytes.count, count: record.count))
        bytes.append(contentsOf: record)
        if bytes.count + entries.count * 3 * MemoryLayout<Entry>.stride >= byteLimit { try endPart() }
    }

    private func endPart() throws {
        sort()
        let file = try file ?? UnlinkedFile(in: folder)
        self.file = file
        parts.append(
            try SortedPart(in: file, at: parts.last?.end ?? 0) { write in
                try bytes.withUnsafeBytes { bytes in
                    for entry in entries {
                        try write(
                            entry.prefix,
                            UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count]))
                    }
                }
            })
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// Calls `body` with each entry and the prefix of its order, in order, and empties the sorter.
    ///
    /// Entries with equal first columns have equal prefixes.
    package func forEachSorted(_ body: (UInt64, UnsafeRawBufferPointer) throws -> Void) throws {
        defer { (bytes, entries, parts, file) = ([], [], [], nil) }
        guard !parts.isEmpty else {
            sort()
            return try bytes.withUnsafeBytes { bytes in
                for entry in entries {
                    try body(
                        entry.prefix, UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count]))
                }
            }
        }
        if !entries.isEmpty { try endPart() }
        (bytes, entries) = ([], [])
        try SortedPart.merge(parts, byteLimit: byteLimit, body)
    }
}
