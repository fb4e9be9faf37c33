import TributarySQLite

/// Reads the entries of a part in order.
final class PartReader {
    /// The current entry of a part: its prefix, and its record in the buffer of the reader.
    struct Head {
        let prefix: UInt64
        let record: UnsafeRawBufferPointer
        /// The reader, which the merge retains: references would be counted for each entry.
        let reader: Unmanaged<PartReader>

        func comes(before other: Head) -> Bool {
            prefix != other.prefix ? prefix < other.prefix : RecordOrder.comes(record, before: other.record)
        }
    }

    private let file: UnlinkedFile
    private let readSize: Int
    /// The bytes of the file that were not read yet.
    private var rest: Range<Int>

    // One thread reads, and no access to a field overlaps another: the check for each entry would cost time.

    @exclusivity(unchecked) private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 8)
    /// The bytes of the buffer that were read from the file, and not used yet.
    @exclusivity(unchecked) private var unused = 0..<0

    init(_ file: UnlinkedFile, _ range: Range<Int>, readSize: Int) {
        (self.file, rest, self.readSize) = (file, range, readSize)
    }

    deinit { buffer.deallocate() }

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
    func next() throws -> Head? {
        guard try fill(SortedPart.headerSize) else { return nil }
        let count = Int(buffer.loadUnaligned(fromByteOffset: unused.lowerBound + 8, as: UInt32.self))
        guard try fill(SortedPart.headerSize + count) else { return nil }
        let prefix = buffer.loadUnaligned(fromByteOffset: unused.lowerBound, as: UInt64.self)
        let start = unused.lowerBound + SortedPart.headerSize
        unused = start + count..<unused.upperBound
        return Head(
            prefix: prefix, record: UnsafeRawBufferPointer(rebasing: buffer[start..<start + count]),
            reader: .passUnretained(self))
    }
}
