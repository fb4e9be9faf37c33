import Foundation
package import TributarySQLite

/// Sorts the entries of an index in the store's order, in bounded memory.
///
/// Entries are sorted in memory by the first eight bytes of their order, then by their values. If they exceed the memory,
/// each sorted part goes to an unlinked file, and the parts are merged at the end.
package final class KeySorter {
    /// An entry in memory: the prefix of its order, and where its record is.
    private struct Entry {
        let prefix: UInt64
        let start: Int
        let count: Int
    }

    private let byteLimit: Int
    private let folder: String
    // One thread adds entries, and no access to a field overlaps another: the check for each row would cost time.

    @exclusivity(unchecked) private var bytes: [UInt8] = []
    @exclusivity(unchecked) private var entries: [Entry] = []
    private var parts: [SortedPart] = []
    private var file: UnlinkedFile?

    /// A sorter that uses about `byteLimit` bytes of memory, and files in `folder`.
    package init(byteLimit: Int, folder: String) {
        self.byteLimit = max(byteLimit, 1 << 10)
        self.folder = folder
    }

    /// Adds an entry, the record of its columns and its row, whose first column is `first`.
    ///
    /// - Throws: `UnlinkedFile.Failure` if a part cannot be written.
    package func add(_ record: UnsafeRawBufferPointer, first: SQLCell) throws {
        entries.append(Entry(prefix: first.sortPrefix, start: bytes.count, count: record.count))
        bytes.append(contentsOf: record)
        if bytes.count + entries.count * 2 * MemoryLayout<Entry>.stride >= byteLimit { try endPart() }
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
    ///
    /// - Throws: `UnlinkedFile.Failure`, errors of `body`.
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

    // MARK: Sorting in memory

    /// Sorts by the prefixes, byte by byte, and then each run of equal prefixes by the values.
    private func sort() {
        guard entries.count > 1 else { return }
        let differing = entries.reduce(0 as UInt64) { $0 | ($1.prefix ^ entries[0].prefix) }
        if differing != 0 {
            var other = entries
            for shift in stride(from: 0 as UInt64, to: 64, by: 8) where differing >> shift & 0xFF != 0 {
                KeySorter.distribute(entries, by: shift, into: &other)
                swap(&entries, &other)
            }
        }
        bytes.withUnsafeBytes { bytes in
            func record(_ entry: Entry) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count])
            }
            var start = 0
            while start < entries.count {
                var end = start + 1
                while end < entries.count, entries[end].prefix == entries[start].prefix { end += 1 }
                if end - start > 1 {
                    entries[start..<end].sort { RecordOrder.comes(record($0), before: record($1)) }
                }
                start = end
            }
        }
    }

    /// One stable pass of a radix sort.
    private static func distribute(_ entries: [Entry], by shift: UInt64, into sorted: inout [Entry]) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 257) { starts in
            starts.initialize(repeating: 0)
            for entry in entries { starts[Int(entry.prefix >> shift & 0xFF) + 1] += 1 }
            for index in 1..<257 { starts[index] += starts[index - 1] }
            for entry in entries {
                let digit = Int(entry.prefix >> shift & 0xFF)
                sorted[starts[digit]] = entry
                starts[digit] += 1
            }
        }
    }
}
