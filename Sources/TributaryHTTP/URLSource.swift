import TributaryConcurrency
public import TributaryJSON

/// A file on a server, by an address with `http` or `https`.
///
///     let source = try URLSource("https://example.org/users.json.gz")
///     for try await chunk in RecordReader(from: source) { … }
///
/// A broken connection is resumed by a request for the rest, as long as the server tells the same entity tag or date; a
/// source that has changed meanwhile is an error. Certificates are checked. Passwords come from `~/.netrc`, proxies from the
/// environment.
public final class URLSource: VersionedSource {
    private struct State {
        var first: Result<AnswerHead, any Error>?
        /// The connection that has told the first answer, until it is read.
        var idle: URLStream?
    }

    /// The address without user and password, and with a hash in place of the query.
    public let name: String
    private let request: FetchRequest
    private let state = Guarded(State())

    /// A file on a server.
    ///
    /// - Throws: `JSONError` if the text is no address with `http` or `https`.
    public init(_ address: String, settings: Settings = Settings()) throws {
        guard let parts = WebAddress(address) else {
            throw JSONError(.sourceOpen, "\(Excerpt.escape(address)) is not an address with http or https")
        }
        name = parts.shown
        request = FetchRequest(address: parts, name: parts.shown, settings: settings)
    }

    /// The number of bytes, if the server tells it.
    public var byteCount: Int? { (try? first())?.length }

    package func version() throws -> String? { try first().version }

    /// Opens a connection, and waits for the answer.
    public func open() throws -> any ByteStream {
        let idle = state.withLock { state in
            defer { state.idle = nil }
            return state.idle
        }
        return try idle ?? connect()
    }

    /// All bytes.
    ///
    /// - Throws: `JSONError` if there are more than `limit`, or they cannot be read.
    public func bytes(upTo limit: Int) throws -> [UInt8] {
        let stream = try open()
        defer { stream.cancel() }
        var bytes: [UInt8] = []
        try withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
            while true {
                let count = try stream.read(into: buffer)
                if count == 0 { return }
                guard bytes.count + count <= limit else {
                    throw JSONError(.limitTotal, "\(Excerpt.escape(name)) has more than \(limit) bytes")
                }
                bytes += buffer[..<count]
            }
        }
        return bytes
    }

    /// The first answer, which says length and version.
    private func first() throws -> AnswerHead {
        if let first = state.withLock({ $0.first }) { return try first.get() }
        let stream = try connect()
        if request.settings.keepsFirstConnection {
            state.withLock { $0.idle = stream }
        } else {
            stream.cancel()
        }
        return stream.first
    }

    private func connect() throws -> URLStream {
        let known = state.withLock { try? $0.first?.get() }
        do {
            let fetch = try Fetch(request, from: 0, after: known)
            let first = try fetch.waitForHead()
            state.withLock { if known == nil { $0.first = .success(first) } }
            return URLStream(fetch, request, first: known ?? first)
        } catch {
            // Asking for length and version need not wait for the same failure again.
            state.withLock { if known == nil { $0.first = .failure(error) } }
            throw error
        }
    }
}
