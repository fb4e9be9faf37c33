/// Sorted entries of an index, which are a range of a file.
final class SortedPart {
    /// The current entry of a part: its prefix, and its record in the buffer of the part.
    private struct Head {
        let prefix: UInt64
        let record: UnsafeRawBufferPointer
        /// The part, which the merge retains: references would be counted for each entry.
        let part: Unmanaged<SortedPart>

        func comes(before other: Head) -> Bool {
            prefix != other.prefix ? prefix < other.prefix : RecordOrder.comes(record, before: other.record)
        }
    }

    /// The bytes before each record: its prefix and its length.
    private static let headerSize = 12
    private static let bufferSize = 256 << 10

    private let file: UnlinkedFile
    /// The bytes of the file that were not read yet.
    private var rest: Range<Int>
    private var readSize = SortedPart.bufferSize

    // One thread merges, and no access to a field overlaps another: the check for each entry would cost time.

    @exclusivity(unchecked) private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 8)
    /// The bytes of the buffer that were read from the file, and not used yet.
    @exclusivity(unchecked) private var unused = 0..<0

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

    deinit { buffer.deallocate() }

    // MARK: Reading

    /// Reads on until the buffer has `count` unused bytes; false at the end.
    private func fill(_ count: Int) throws -> Bool {
        guard unused.count < count else { return true }
        let wanted = min(rest.count, max(readSize, count) - unused.count)
        guard unused.count + wanted >= count else { return false }
        let kept = UnsafeRawBufferPointer(rebasing: buffer[unused])
        var target = buffer
        if target.count < unused.count + wanted {
            target = .allocate(byteCount: unused.count + wanted, alignment: 8)
        }
        if let start = target.baseAddress, let old = kept.baseAddress {
            start.copyMemory(from: old, byteCount: kept.count)
        }
        if target.baseAddress != buffer.baseAddress {
            buffer.deallocate()
            buffer = target
        }
        unused = 0..<unused.count + wanted
        try file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept.count..<unused.upperBound]), at: rest.lowerBound)
        rest = rest.lowerBound + wanted..<rest.upperBound
        return true
    }

    /// The next entry, whose record is valid until the one after it is read; nil at the end.
    private func next() throws -> Head? {
        guard try fill(SortedPart.headerSize) else { return nil }
        let count = Int(buffer.loadUnaligned(fromByteOffset: unused.lowerBound + 8, as: UInt32.self))
        guard try fill(SortedPart.headerSize + count) else { return nil }
        let prefix = buffer.loadUnaligned(fromByteOffset: unused.lowerBound, as: UInt64.self)
        let start = unused.lowerBound + SortedPart.headerSize
        unused = start + count..<unused.upperBound
        return Head(
            prefix: prefix, record: UnsafeRawBufferPointer(rebasing: buffer[start..<start + count]),
            part: .passUnretained(self))
    }

    // MARK: Merging

    /// Calls `body` with the entries of all parts and their prefixes in order, reading into about `byteLimit` bytes of
    /// memory.
    static func merge(
        _ parts: [SortedPart], byteLimit: Int, _ body: (UInt64, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let share = min(bufferSize, max(4 << 10, byteLimit / max(1, parts.count)))
        // The heads are a heap outside arrays and closures, because references would be counted for each comparison.
        let heads = UnsafeMutableBufferPointer<Head>.allocate(capacity: parts.count)
        defer { heads.deallocate() }
        var count = 0
        for part in parts {
            part.readSize = share
            if let head = try part.next() {
                heads.initializeElement(at: count, to: head)
                count += 1
            }
        }
        for place in stride(from: count / 2 - 1, through: 0, by: -1) { sink(heads[place], to: place, heads, count) }
        try withExtendedLifetime(parts) {
            while count > 0 {
                let first = heads[0]
                try body(first.prefix, first.record)
                if let next = try first.part._withUnsafeGuaranteedRef({ try $0.next() }) {
                    sink(next, to: 0, heads, count)
                } else {
                    count -= 1
                    if count > 0 { sink(heads[count], to: 0, heads, count) }
                }
            }
        }
    }

    /// Puts a head to a place of the heap or below it.
    private static func sink(_ head: Head, to start: Int, _ heads: UnsafeMutableBufferPointer<Head>, _ count: Int) {
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
