import TributarySQLite

/// Sorted entries of an index, in memory or in parts of a file that are merged.
package final class SortedRange {
    /// Where the entries are.
    private enum Place {
        case memory(KeyBatch)
        /// The entries of parts that are not before the first bound, and before the second.
        case parts([SortedPart], IndexEntry?, IndexEntry?, byteLimit: Int)
    }

    private let place: Place

    /// All entries of a sorted batch.
    init(_ batch: KeyBatch) { place = .memory(batch) }

    private init(_ place: Place) { self.place = place }

    /// The entries of parts as at most `count` ranges of about the same size, each of which one thread may read into
    /// about `byteLimit` bytes of memory, and has at least two entries.
    static func divide(_ parts: [SortedPart], into count: Int, byteLimit: Int) -> [SortedRange] {
        let samples = parts.flatMap(\.samples).map(\.entry).sorted { $0.comes(before: $1) }
        let count = max(1, min(count, samples.count / 4))
        let bounds = (1..<count).map { samples[samples.count * $0 / count] }
        return zip([nil] + bounds, bounds + [nil]).map { first, end in
            SortedRange(.parts(parts, first, end, byteLimit: byteLimit))
        }
    }

    /// Calls `body` with each entry and the prefix of its order, in order.
    ///
    /// Entries with equal first columns have equal prefixes.
    package func forEach(_ body: (UInt64, UnsafeRawBufferPointer) throws -> Void) throws {
        switch place {
        case .memory(let batch): try batch.forEach(body)
        case .parts(let parts, let first, let end, let byteLimit):
            try SortedRange.merge(parts, from: first, to: end, byteLimit: byteLimit, body)
        }
    }

    private static func merge(
        _ parts: [SortedPart], from first: IndexEntry?, to end: IndexEntry?, byteLimit: Int,
        _ body: (UInt64, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let share = min(SortedPart.bufferSize, max(4 << 10, byteLimit / max(1, parts.count)))
        let readers = parts.map { $0.reader(from: first, readSize: share) }
        // The heads are a heap outside arrays and closures, because references would be counted for each comparison.
        let heads = UnsafeMutableBufferPointer<PartReader.Head>.allocate(capacity: parts.count)
        defer { heads.deallocate() }
        var count = 0
        for reader in readers {
            var next = try reader.next()
            while let head = next, let first, first.isAfter(head.prefix, head.record) { next = try reader.next() }
            guard let next else { continue }
            heads.initializeElement(at: count, to: next)
            count += 1
        }
        for place in stride(from: count / 2 - 1, through: 0, by: -1) { sink(heads[place], to: place, heads, count) }
        try withExtendedLifetime(readers) {
            while count > 0 {
                let head = heads[0]
                if let end, !end.isAfter(head.prefix, head.record) { return }
                try body(head.prefix, head.record)
                if let next = try head.reader._withUnsafeGuaranteedRef({ try $0.next() }) {
                    sink(next, to: 0, heads, count)
                } else {
                    count -= 1
                    if count > 0 { sink(heads[count], to: 0, heads, count) }
                }
            }
        }
    }

    /// Puts a head to a place of the heap or below it.
    private static func sink(
        _ head: PartReader.Head, to start: Int, _ heads: UnsafeMutableBufferPointer<PartReader.Head>, _ count: Int
    ) {
        var place = start
        while true {
            var child = 2 * place + 1
            guard child < count else { break }
            if child + 1 < count, heads[child + 1].comes(before: heads[child]) { child += 1 }
            guard heads[child].comes(before: head) else { break }
            heads[place] = heads[child]
            place = child
        }
        heads[place] = head
    }
}
