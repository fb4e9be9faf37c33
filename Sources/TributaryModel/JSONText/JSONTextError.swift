/// The reason why a text is not valid JSON, with the position and what was expected.
///
///     JSON:1:8: found }, expected a value; byte 7
public struct JSONTextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text at the position.
    public let found: String
    /// The expected text.
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
            // The bytes may end within a scalar, but the first one is complete.
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

    /// The position and the reason in one line.
    public var description: String { "JSON:\(line):\(column): found \(found), expected \(expected); byte \(offset)" }
}
