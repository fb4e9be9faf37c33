/// The encoding of a text.
public struct TextEncoding: Sendable, Hashable, CustomStringConvertible {
    /// The name, as `UTF-16LE`.
    public let description: String
    /// Whether the options name it, so that `iconv` converts even UTF-8.
    private let isNamed: Bool

    private init(_ name: String, isNamed: Bool = false) { (description, self.isNamed) = (name, isNamed) }

    /// An encoding that `iconv` converts.
    init(named name: String) { self.init(name, isNamed: true) }

    /// Whether the system can convert an encoding.
    package static func isKnown(_ name: String) -> Bool {
        (try? NamedEncodingStream(MemoryStream([]), named: name)) != nil
    }

    /// The encoding of JSON.
    public static let utf8 = TextEncoding("UTF-8")

    static let detectionLength = 4

    /// The encoding of a text that begins with `start`, and the length of its byte order mark.
    ///
    /// Without a mark, the zero bytes of the first characters decide, since a JSON text begins with an ASCII character.
    static func detect(_ start: [UInt8]) -> (encoding: TextEncoding, mark: Int) {
        let marks: [([UInt8], String)] = [
            ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE, 0, 0], "UTF-32LE"), ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
            ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
        ]
        if let mark = marks.first(where: { start.starts(with: $0.0) }) { return (TextEncoding(mark.1), mark.0.count) }
        guard start.count >= 4 else {
            // A text of two bytes can only be one digit in UTF-16.
            guard start.count == 2, (start[0] == 0) != (start[1] == 0) else { return (.utf8, 0) }
            return (TextEncoding(start[0] == 0 ? "UTF-16BE" : "UTF-16LE"), 0)
        }
        switch start.prefix(4).map({ $0 != 0 }) {
        case [false, false, false, true]: return (TextEncoding("UTF-32BE"), 0)
        case [true, false, false, false]: return (TextEncoding("UTF-32LE"), 0)
        case [false, true, false, true]: return (TextEncoding("UTF-16BE"), 0)
        case [true, false, true, false]: return (TextEncoding("UTF-16LE"), 0)
        default: return (.utf8, 0)
        }
    }
}
