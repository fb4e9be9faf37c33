/// Reads a JSON text sequence (RFC 7464): the separator before each text becomes a blank of the same length.
///
/// The blank is a carriage return, which JSON allows between values but not in strings, so a separator inside of a
/// truncated string is still an error.
///
/// `@unchecked Sendable`: only the reading thread calls the methods, except for `cancel`, which only forwards.
final class TextSequenceStream: StreamStage, @unchecked Sendable {
    /// The byte before each text.
    static let separator: UInt8 = 0x1E

    /// The blank that takes its place.
    static let replacement = UInt8(ascii: "\r")

    let upstream: any ByteStream

    init(_ upstream: any ByteStream) { self.upstream = upstream }

    func seek(to offset: Int) throws -> Bool { try upstream.seek(to: offset) }

    func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try upstream.read(into: target)
        for index in 0..<count where target[index] == TextSequenceStream.separator {
            target[index] = TextSequenceStream.replacement
        }
        return count
    }
}
