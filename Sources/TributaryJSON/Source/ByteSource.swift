/// Something that bytes can be read from, again and again from the beginning.
///
/// Conform your own type to read from an object store, an archive or a socket:
///
///     struct Rows: ByteSource {
///         let name = "rows"
///         func open() throws -> any ByteStream { MemoryStream(Array("[1,2]".utf8)) }
///     }
///     for try await chunk in RecordReader(from: Rows()) { … }
public protocol ByteSource: Sendable {
    /// What messages call the source: a path, an address, `standard input`.
    var name: String { get }

    /// The number of bytes as stored, if it is known without reading; progress is measured against it.
    var byteCount: Int? { get }

    /// Opens the source at its first byte.
    func open() throws -> any ByteStream
}

extension ByteSource {
    /// Unknown, unless the source says otherwise.
    public var byteCount: Int? { nil }
}

extension ByteSource {
    /// Whether it is a regular file that a path leads to.
    package var isFile: Bool { self is FileSource && byteCount != nil }
}

/// Bytes in order, as they come from a `ByteSource`.
///
/// One thread reads; `cancel` comes from any other.
public protocol ByteStream: AnyObject, Sendable {
    /// Reads at least one byte into `buffer`, waiting for it if need be.
    ///
    /// - Returns: how many bytes were read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// Whether a `read` would return at once. Small reads are then put together before they are passed on.
    var isReady: Bool { get }

    /// Goes to `offset`, counted from the first byte, if the stream can do that without reading.
    ///
    /// - Returns: whether it did. If not, the reader skips by reading.
    func seek(to offset: Int) throws -> Bool

    /// Makes a `read` that waits return 0 soon. May be called from any thread and more than once.
    func cancel()
}

extension ByteStream {
    /// Unknown, so each read is passed on as it comes.
    public var isReady: Bool { false }
    /// Streams cannot seek unless they say so.
    public func seek(to offset: Int) throws -> Bool { false }
    /// Nothing to interrupt.
    public func cancel() {}
}
