/// What a `LoopbackServer` answers.
public struct LoopbackAnswer: Sendable {
    /// What happens after the bytes of the body.
    public enum Ending: Sendable {
        /// The connection ends.
        case closed
        /// The connection ends with an error.
        case reset
        /// Nothing more comes.
        case stalled
    }

    /// The status with its words.
    public var status: String
    /// The headers.
    public var headers: [String: String]
    /// The bytes that are sent.
    public var body: [UInt8]
    /// The bytes that are sent at once.
    public var piece = 64 << 10
    /// What happens after the bytes.
    public var ending = Ending.closed

    /// An answer, whose length is told unless `headers` do.
    public init(
        _ status: String = "200 OK", _ headers: [String: String] = [:], body: some Sequence<UInt8> = [],
        tellsLength: Bool = true
    ) {
        (self.status, self.headers, self.body) = (status, headers, Array(body))
        if tellsLength, headers["Content-Length"] == nil { self.headers["Content-Length"] = "\(self.body.count)" }
    }

    /// The complete file.
    public static func file(_ text: String) -> LoopbackAnswer { LoopbackAnswer(body: text.utf8) }

    /// Another address.
    public static func redirection(_ target: String) -> LoopbackAnswer {
        LoopbackAnswer("302 Found", ["Location": target])
    }

    /// The file does not exist.
    public static var missing: LoopbackAnswer { LoopbackAnswer("404 Not Found", body: "no such file".utf8) }

    /// A file with an entity tag, or the part of it that a request asks for.
    public static func part(_ bytes: [UInt8], tag: String = "\"1\"", of request: LoopbackRequest) -> LoopbackAnswer {
        let version = request.headers["if-range"] ?? tag
        guard let start = request.start, start > 0, version == tag else { return LoopbackAnswer(["ETag": tag], bytes) }
        guard start < bytes.count else {
            return LoopbackAnswer("416 Range Not Satisfiable", ["Content-Range": "bytes */\(bytes.count)"])
        }
        let range = "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
        return LoopbackAnswer("206 Partial Content", ["ETag": tag, "Content-Range": range], body: bytes[start...])
    }

    private init(_ headers: [String: String], _ bytes: [UInt8]) { self.init("200 OK", headers, body: bytes) }

    /// The answer with its first bytes alone, although it tells the length of all.
    public func cut(after count: Int, _ ending: Ending = .closed) -> LoopbackAnswer {
        guard count < body.count else { return self }
        var answer = self
        (answer.body, answer.ending) = (Array(body.prefix(count)), ending)
        return answer
    }

    var head: String {
        let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
        return "HTTP/1.1 \(status)\r\nConnection: close\r\n\(lines.joined())\r\n"
    }
}
