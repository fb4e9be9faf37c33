/// Sorted entries of an index, which are a range of a file.
final class SortedPart {
    /// The bytes before each record: its prefix and its length.
    private static let headerSize = 12
    private static let bufferSize = 256 << 10

    private let file: UnlinkedFile
    /// The bytes of the file that were not read yet.
    private var rest: Range<Int>
    private var readSize = SortedPart.bufferSize

    // One thread merges, and no access to a field overlaps another: the check for each entry would cost time.

    @exclusivity(unchecked) private var buffer: [UInt8] = []
    /// The place of the current entry in the buffer.
    @exclusivity(unchecked) private var start = 0
    /// The prefix and the length of the current entry; nil at the end.
    @exclusivity(unchecked) private var current: (prefix: UInt64, count: Int)?

    /// The end of the part in the file.
    var end: Int { rest.upperBound }

    /// Writes the entries that `body` passes to its argument, from an offset of the file on.
    init(
        in file: UnlinkedFile, at offset: Int, _ body: ((UInt64, UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        self.file = file
        rest = offset..<offset
        var bytes: [UInt8] = []
        bytes.reserveCapacity(SortedPart.bufferSize)
        func flush() throws {
            try bytes.withUnsafeBytes { try file.write($0, at: rest.upperBound) }
            rest = offset..<rest.upperBound + bytes.count
            bytes.removeAll(keepingCapacity: true)
        }
        try body { prefix, record in
            withUnsafeBytes(of: prefix) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: record.count)) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: record)
            if bytes.count >= SortedPart.bufferSize { try flush() }
        }
        try flush()
    }

    // MARK: Reading

    /// Reads on until the buffer has `count` bytes of the current entry; false at the end.
    private func fill(_ count: Int) throws -> Bool {
        guard buffer.count - start < count else { return true }
        buffer.removeFirst(start)
        start = 0
        let wanted = min(rest.count, max(readSize, count - buffer.count))
        let old = buffer.count
        guard old + wanted >= count else { return false }
        buffer.append(contentsOf: repeatElement(0, count: wanted))
        try buffer.withUnsafeMutableBytes { bytes in
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[old...]), at: rest.lowerBound)
        }
        rest = rest.lowerBound + wanted..<rest.upperBound
        return true
    }

    /// Goes to the next entry.
    private func advance() throws {
        if let current { start += SortedPart.headerSize + current.count }
        current = nil
        guard try fill(SortedPart.headerSize) else { return }
        let count = buffer.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: start + 8, as: UInt32.self)) }
        guard try fill(SortedPart.headerSize + count) else { return }
        current = (buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt64.self) }, count)
    }

    private func withRecord<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let from = start + SortedPart.headerSize
        return try buffer.withUnsafeBytes { bytes in
            try body(UnsafeRawBufferPointer(rebasing: bytes[from..<from + (current?.count ?? 0)]))
        }
    }

    /// A part with entries, and the prefix of its current one.
    private struct Head {
        var prefix: UInt64
        let part: Int
    }

    /// Calls `body` with the entries of all parts and their prefixes in order, reading into about `byteLimit` bytes of
    /// memory.
    static func merge(
        _ parts: [SortedPart], byteLimit: Int, _ body: (UInt64, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let share = min(bufferSize, max(4 << 10, byteLimit / max(1, parts.count)))
        var heap: [Head] = []
        for (number, part) in parts.enumerated() {
            part.readSize = share
            try part.advance()
            if let current = part.current { heap.append(Head(prefix: current.prefix, part: number)) }
        }
        func comes(_ one: Head, before other: Head) -> Bool {
            if one.prefix != other.prefix { return one.prefix < other.prefix }
            return parts[one.part].withRecord { record in
                parts[other.part].withRecord { RecordOrder.comes(record, before: $0) }
            }
        }
        func sink(_ head: Head, to start: Int) {
            var place = start
            while true {
                var child = 2 * place + 1
                guard child < heap.count else { break }
                if child + 1 < heap.count, comes(heap[child + 1], before: heap[child]) { child += 1 }
                guard comes(heap[child], before: head) else { break }
                heap[place] = heap[child]
                place = child
            }
            heap[place] = head
        }
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(heap[place], to: place) }
        while let first = heap.first {
            let part = parts[first.part]
            try part.withRecord { try body(first.prefix, $0) }
            try part.advance()
            if let current = part.current {
                sink(Head(prefix: current.prefix, part: first.part), to: 0)
            } else if let last = heap.popLast(), !heap.isEmpty {
                sink(last, to: 0)
            }
        }
    }
}
