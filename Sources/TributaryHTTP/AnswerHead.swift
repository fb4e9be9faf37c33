/// The status and the headers of an answer that decide what its body is.
package struct AnswerHead: Sendable, Equatable {
    /// A header `Content-Range`.
    package struct Span: Sendable, Equatable {
        /// The first byte; nil in an answer without bytes.
        var start: Int?
        /// The number of bytes of the answer.
        var count: Int?
        /// The bytes of the whole source; nil if they are not told.
        var total: Int?

        /// A part of a source.
        package init(start: Int? = nil, count: Int? = nil, total: Int? = nil) {
            (self.start, self.count, self.total) = (start, count, total)
        }
    }

    var status = 0
    /// The number of bytes of the body; nil if the server does not tell.
    package private(set) var length: Int?
    package private(set) var span: Span?
    /// The address to which the answer redirects.
    var location: String?
    var retryAfter: String?
    var encoding = ""
    private var tag: String?
    private var date: String?
    private var isDivided = false

    /// What changes with the content, as the header `If-Range` takes it: a strong entity tag, or else a date.
    ///
    /// A weak tag does not promise equal bytes.
    package var version: String? { tag ?? date }

    /// The head of an answer of which nothing has come.
    package init() {}

    /// Adds a line without its end; a status line begins the head of the next answer.
    package mutating func add(_ line: String) {
        if line.hasPrefix("HTTP/") {
            self = AnswerHead()
            let words = line.split(separator: " ", maxSplits: 2)
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        let text = String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        switch line[..<colon].lowercased() {
        case "content-length": length = isDivided ? nil : AnswerHead.number(text[...])
        case "transfer-encoding": (isDivided, length) = (true, nil)
        case "content-range": span = AnswerHead.span(text)
        case "content-encoding": encoding = text.lowercased()
        case "location": location = text
        case "retry-after": retryAfter = text
        case "etag" where text.hasPrefix("\"") && text.utf8.count <= 1024: tag = text
        case "last-modified" where !text.isEmpty && text.utf8.count <= 64: date = text
        default: break
        }
    }

    /// Whether another answer follows.
    var isInterim: Bool { status < 200 || isRedirection }

    var isRedirection: Bool { [301, 302, 303, 307, 308].contains(status) && location?.isEmpty == false }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int(text).flatMap { $0 < 1 << 53 ? $0 : nil }
    }

    /// Reads `bytes 100-199/1000`, `bytes 100-199/*` or `bytes */1000`.
    private static func span(_ text: String) -> Span? {
        guard text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = number(parts[1])
        if parts[0] == "*" { return Span(total: total) }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(number)
        guard ends.count == 2, let first = ends[0], let last = ends[1], last >= first, last < total ?? .max else {
            return nil
        }
        return Span(start: first, count: last - first + 1, total: total)
    }
}
