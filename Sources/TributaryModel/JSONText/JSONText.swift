#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A piece of JSON, kept as its text.
///
///     @Attribute var tags: JSONText?
///     place.tags = try JSONText(#"{"names": ["one", 2.50]}"#)
///     place.tags?.text                         // {"names":["one",2.50]}
///     place.tags?["names"]?[0]?.string         // one
///     try place.tags?["names"]?[1]?.decode(Decimal.self)
///
/// Blanks that mean nothing go; the rest is as it came: numbers with all their digits, the order of keys, escapes. Two are
/// equal if their texts are. Reading a part scans the text; decode what you read often.
public struct JSONText: Sendable {
    /// The text without blanks between its parts.
    public let text: String

    /// A text that is JSON, by the letter of RFC 8259, and nested no deeper than 512 levels.
    ///
    /// - Throws: ``JSONTextError`` if it is not.
    public init(_ text: String) throws(JSONTextError) {
        var scanner = JSONScanner(Array(text.utf8))
        try scanner.skipDocument()
        self.text = Self.compacted(scanner.bytes) ?? text
    }

    /// A piece of JSON that stands in the source code, such as a default; what is no JSON traps.
    public static func literal(_ text: StaticString) -> JSONText {
        do throws(JSONTextError) {
            return try JSONText(text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) })
        } catch {
            fatalError("\(error)")
        }
    }

    /// What an encodable value is in JSON, with sorted keys.
    ///
    /// - Throws: what the value throws when it is encoded, or ``JSONTextError`` if it is nested too deep.
    public init(encoding value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try self.init(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// A text that is known to be JSON without blanks, of at most 512 levels: one that a row holds, or a part of one.
    package init(trusting text: String) { self.text = text }

    /// The value as a type of your own.
    ///
    /// - Throws: `DecodingError` if it is no such value.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    /// The bytes without blanks between the parts; nil if there are none.
    private static func compacted(_ bytes: [UInt8]) -> String? {
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte <= 0x20 {
                continue
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            }
            kept.append(byte)
        }
        return kept.count == bytes.count ? nil : String(decoding: kept, as: UTF8.self)
    }
}

extension JSONText: Hashable {
    /// Whether the texts are the same, byte by byte.
    public static func == (one: JSONText, other: JSONText) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
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
