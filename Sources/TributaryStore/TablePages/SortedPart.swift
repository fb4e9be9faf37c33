import TributarySQLite

/// Sorted entries of an index, which are a range of a file.
final class SortedPart {
    /// The bytes before each record: its prefix and its length.
    static let headerSize = 12
    static let bufferSize = 256 << 10

    let file: UnlinkedFile
    /// The bytes of the file.
    private(set) var range: Range<Int>
    /// The largest record that is kept to divide the entries.
    private static let sampledSize = 256
    /// Where buffers of entries begin, each with its first entry.
    private(set) var samples: [(offset: Int, entry: IndexEntry)] = []

    /// Writes the entries that `body` passes to its argument, from an offset of the file on.
    init(
        in file: UnlinkedFile, at offset: Int, _ body: ((UInt64, UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        self.file = file
        range = offset..<offset
        var bytes: [UInt8] = []
        bytes.reserveCapacity(SortedPart.bufferSize)
        func flush() throws {
            try bytes.withUnsafeBytes { try file.write($0, at: range.upperBound) }
            range = offset..<range.upperBound + bytes.count
            bytes.removeAll(keepingCapacity: true)
        }
        try body { prefix, record in
            if bytes.isEmpty, record.count <= SortedPart.sampledSize {
                samples.append((range.upperBound, IndexEntry(prefix, record)))
            }
            withUnsafeBytes(of: prefix) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: record.count)) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: record)
            if bytes.count >= SortedPart.bufferSize { try flush() }
        }
        try flush()
    }

    /// A reader of the entries that are not before `bound`, which may be nil.
    func reader(from bound: IndexEntry?, readSize: Int) -> PartReader {
        let start = bound.flatMap { bound in samples.last { !bound.comes(before: $0.entry) }?.offset }
        return PartReader(file, (start ?? range.lowerBound)..<range.upperBound, readSize: readSize)
    }
}
