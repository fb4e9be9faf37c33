/// The encoding of a text.
public struct TextEncoding: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
        case utf8 = "UTF-8"
        case utf16LittleEndian = "UTF-16LE"
        case utf16BigEndian = "UTF-16BE"
        case utf32LittleEndian = "UTF-32LE"
        case utf32BigEndian = "UTF-32BE"
    }
    private let kind: Kind
    /// The name of an encoding that is not one of Unicode, and is stated.
    private var name: String?

    private init(kind: Kind) { self.kind = kind }

    /// An encoding that `iconv` converts.
    init(named name: String) {
        kind = .utf8
        self.name = name
    }

    /// The name, as `UTF-16LE`.
    public var description: String { name ?? kind.rawValue }

    /// Whether the system can convert an encoding.
    package static func isKnown(_ name: String) -> Bool { NamedEncodingStream.isKnown(name) }

    /// The encoding of JSON.
    public static let utf8 = TextEncoding(kind: .utf8)

    /// The number of bytes that `detect` examines.
    static let detectionLength = 4

    /// The encoding of a text that begins with `start`, and the length of its byte order mark.
    ///
    /// Without a mark, the zero bytes of the first characters decide, since a JSON text begins with an ASCII character.
    static func detect(_ start: [UInt8]) -> (encoding: TextEncoding, mark: Int) {
        let marks: [([UInt8], Kind)] = [
            ([0xEF, 0xBB, 0xBF], .utf8), ([0xFF, 0xFE, 0, 0], .utf32LittleEndian),
            ([0, 0, 0xFE, 0xFF], .utf32BigEndian), ([0xFF, 0xFE], .utf16LittleEndian),
            ([0xFE, 0xFF], .utf16BigEndian),
        ]
        if let mark = marks.first(where: { start.starts(with: $0.0) }) {
            return (TextEncoding(kind: mark.1), mark.0.count)
        }
        guard start.count >= 4 else {
            // A text of two bytes can only be one digit in UTF-16.
            guard start.count == 2, (start[0] == 0) != (start[1] == 0) else { return (.utf8, 0) }
            return (TextEncoding(kind: start[0] == 0 ? .utf16BigEndian : .utf16LittleEndian), 0)
        }
        switch start.prefix(4).map({ $0 != 0 }) {
        case [false, false, false, true]: return (TextEncoding(kind: .utf32BigEndian), 0)
        case [true, false, false, false]: return (TextEncoding(kind: .utf32LittleEndian), 0)
        case [false, true, false, true]: return (TextEncoding(kind: .utf16BigEndian), 0)
        case [true, false, true, false]: return (TextEncoding(kind: .utf16LittleEndian), 0)
        default: return (.utf8, 0)
        }
    }
}
