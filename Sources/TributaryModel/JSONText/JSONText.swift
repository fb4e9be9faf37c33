import Foundation

/// A JSON value, kept as its text.
///
///     @Attribute var tags: JSONText?
///     place.tags = try JSONText(#"{"names": ["one", 2.50]}"#)
///     place.tags?.text                         // {"names":["one",2.50]}
///     place.tags?["names"]?[0]?.string         // one
///     try place.tags?["names"]?[1]?.decode(Decimal.self)
///
/// White space between the parts is removed. Everything else is kept: all digits of numbers, the order of keys,
/// escapes. Two values are equal if their texts are. Reading a part scans the text, so decode values that are read
/// often.
public struct JSONText: Sendable {
    /// The text without white space between its parts.
    public let text: String

    /// Checks that a text is valid JSON, strictly by RFC 8259, with at most 512 levels of nesting.
    ///
    /// - Throws: ``JSONTextError`` if it is not valid.
    public init(_ text: String) throws(JSONTextError) {
        var bytes = Array(text.utf8)
        let blanks = try JSONText.blanks(in: bytes)
        bytes.removeSubranges(blanks)
        self.text = blanks.isEmpty ? text : String(decoding: bytes, as: UTF8.self)
    }

    /// The white space between the parts of a JSON text.
    private static func blanks(in bytes: [UInt8]) throws(JSONTextError) -> RangeSet<Int> {
        let result = bytes.withUnsafeBytes { bytes -> Result<RangeSet<Int>, JSONTextError> in
            var scanner = JSONScanner(bytes: bytes)
            do throws(JSONTextError) {
                try scanner.skipDocument()
                return .success(scanner.blanks)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// What bytes that are UTF-8 have if they are valid JSON without white space between its parts; else nil.
    package static func extent(ofCompact bytes: UnsafeRawBufferPointer) -> JSONExtent? {
        var scanner = JSONScanner(bytes: bytes)
        return (try? scanner.skipDocument()) != nil && scanner.blanks.isEmpty ? scanner.extent : nil
    }

    /// A JSON literal in source code, such as a default; traps if it is not valid.
    public static func literal(_ text: StaticString) -> JSONText {
        do throws(JSONTextError) {
            return try JSONText(text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) })
        } catch {
            fatalError("\(error)")
        }
    }

    /// The JSON of an encodable value, with sorted keys.
    ///
    /// - Throws: the errors of encoding the value, or ``JSONTextError`` if it is nested too deep.
    public init(encoding value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try self.init(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// A text that is known to be valid and without white space: a stored value or a part of one.
    package init(trusting text: String) { self.text = text }

    /// Decodes the value.
    ///
    /// - Throws: `DecodingError` if the value does not fit the type.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

extension JSONText: Hashable {
    /// Whether the texts are the same, byte by byte.
    public static func == (one: JSONText, other: JSONText) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    /// Feeds the text to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytesOf: text)
    }
}

extension JSONText: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}

extension JSONText: FilterArgument {
    /// The text, as a constant.
    public var filterOperand: FilterOperand { .value(.string(text)) }
}
