/// Why a text is no JSON: what was found, what was expected, and where.
///
///     JSON:1:8: found }, expected a value; byte 7
public struct JSONTextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What stands in the place.
    public let found: String
    /// What should stand there.
    public let expected: String
    /// The offset in bytes, from 0.
    public let offset: Int
    /// The line, from 1.
    public let line: Int
    /// The column in bytes, from 1.
    public let column: Int

    init(_ bytes: [UInt8], at offset: Int, found: String? = nil, expected: String) {
        if let found {
            self.found = found
        } else if offset < bytes.count {
            // The first scalar from here; the text was whole, so only a part of one can be missing.
            let rest = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
            self.found = rest.unicodeScalars.first.map { $0.shown } ?? "a byte"
        } else {
            self.found = "the end"
        }
        self.expected = expected
        self.offset = offset
        let before = bytes[..<min(offset, bytes.count)]
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        column = before.count - ((before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1) + 1
    }

    /// One line for a person: place and reason.
    public var description: String { "JSON:\(line):\(column): found \(found), expected \(expected); byte \(offset)" }
}
