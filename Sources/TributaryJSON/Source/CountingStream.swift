/// Counts the bytes that are read from a stream.
final class CountingStream: StreamStage {
    let upstream: any ByteStream
    private let count: @Sendable (Int) -> Void

    init(_ upstream: any ByteStream, count: @escaping @Sendable (Int) -> Void) {
        self.upstream = upstream
        self.count = count
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let read = try upstream.read(into: buffer)
        precondition(
            (0...buffer.count).contains(read),
            "the stream returned \(read) bytes for a buffer of \(buffer.count)")
        count(read)
        return read
    }

    func seek(to offset: Int) throws -> Bool { try upstream.seek(to: offset) }
}
