/// Bytes of a source that the reading thread passes on.
struct Piece: Sendable {
    let buffer: InputBuffer
    let range: Range<Int>
    /// The offset in the source of the first byte.
    let offset: Int

    /// The whole buffer, whose first byte is at `offset` of the source.
    init(_ buffer: InputBuffer, at offset: Int) {
        let buffer = buffer.trimmed
        (self.buffer, range, self.offset) = (buffer, 0..<buffer.count, offset)
    }

    private init(buffer: InputBuffer, range: Range<Int>, offset: Int) {
        (self.buffer, self.range, self.offset) = (buffer, range, offset)
    }

    var count: Int { range.count }
    /// The memory that the piece takes.
    var weight: Int { max(count, 1024) }
    /// The offset in the source of the byte after the last one.
    var end: Int { offset + range.count }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer.bytes[range]) }

    /// The bytes before an offset of the source, and those from there on.
    func split(at place: Int) -> (head: Piece, tail: Piece) {
        let middle = range.lowerBound + place - offset
        return (
            Piece(buffer: buffer, range: range.lowerBound..<middle, offset: offset),
            Piece(buffer: buffer, range: middle..<range.upperBound, offset: place)
        )
    }
}
