import TributaryJSON

/// A part of a file.
struct FileSpan: ByteSource {
    let file: FileSource
    let bytes: Range<Int>
    var name: String { file.name }
    var byteCount: Int? { bytes.count }

    func open() throws -> any ByteStream {
        let stream = try file.open()
        guard try stream.seek(to: bytes.lowerBound) else {
            throw JSONError(.sourceRead, "\(Excerpt.escape(name)): the file cannot be read from within")
        }
        return Stream(stream, bytes.count)
    }

    /// `@unchecked Sendable`: only one thread reads, and `cancel` is passed on to a stream that any thread may cancel.
    private final class Stream: ByteStream, @unchecked Sendable {
        private let stream: any ByteStream
        private var left: Int

        init(_ stream: any ByteStream, _ count: Int) { (self.stream, left) = (stream, count) }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            guard left > 0, buffer.count > 0 else { return 0 }
            let count = try stream.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(left, buffer.count)]))
            left -= count
            return count
        }

        func cancel() { stream.cancel() }
    }
}
