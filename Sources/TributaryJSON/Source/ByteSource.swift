/// A source of bytes, which can be opened several times, each time at its beginning.
///
/// Conform a type of your own to read from an object store, an archive or a socket:
///
///     struct Rows: ByteSource {
///         let name = "rows"
///         func open() throws -> any ByteStream { MemoryStream(Array("[1,2]".utf8)) }
///     }
///     for try await chunk in RecordReader(from: Rows()) { … }
public protocol ByteSource: Sendable {
    /// The name of the source for messages, such as a path, an address or `standard input`.
    var name: String { get }

    /// The number of bytes before decompression, if it is known without reading; progress is measured against it.
    var byteCount: Int? { get }

    /// Opens the source at its first byte.
    func open() throws -> any ByteStream
}

extension ByteSource {
    /// nil, unless the source implements it.
    public var byteCount: Int? { nil }

    /// Whether the source is the path of a regular file.
    package var isFile: Bool { self is FileSource && byteCount != nil }
}

/// The bytes of a `ByteSource`, in order.
///
/// One thread reads; any other may call `cancel`.
public protocol ByteStream: AnyObject, Sendable {
    /// Reads at least one byte into `buffer`, and waits for it if necessary.
    ///
    /// - Returns: The number of bytes read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// Whether a `read` would return at once.
    ///
    /// If so, small reads are combined before they are parsed.
    var isReady: Bool { get }

    /// Moves to `offset`, counted from the first byte, if the stream can do so without reading.
    ///
    /// - Returns: Whether the stream moved. If not, the reader skips the bytes by reading them.
    func seek(to offset: Int) throws -> Bool

    /// Makes a waiting `read` return 0 soon.
    ///
    /// It may be called from any thread and more than once.
    func cancel()
}

extension ByteStream {
    /// false, so each read is parsed as it arrives.
    public var isReady: Bool { false }
    /// false, unless the stream implements it.
    public func seek(to offset: Int) throws -> Bool { false }
    /// Does nothing.
    public func cancel() {}
}
