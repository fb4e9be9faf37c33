import Foundation
package import TributaryModel
package import TributaryJSON
package import TributarySQLite

/// Converts JSON values to the stored values of one attribute.
///
///     true → 1     "2024-05-01" → 1714521600.0     0.10 → "0.1" (Decimal)     [1, 2] → "[1,2]" (JSON)
///
/// No type is guessed: a number in quotes is text, and a number is not a date. Only in a key numbers and text are
/// converted to the type of the attribute, so that `"12"` and `12` are equal.
package struct Coercion: Sendable {
    let name: String
    let kind: AttributeType.Kind
    let isKey: Bool
    /// Whether values of other types are converted, as RZImport does.
    private let isLenient: Bool
    /// How dates are written; empty for ISO 8601.
    let dates: [DateFormat]
    /// The kinds of values that an inferred attribute can have.
    let kinds: ValueKinds
    /// Whether an inferred attribute has plain values in place of the typed ones of Extended JSON.
    let unwrapsExtendedJSON: Bool

    /// Converts values of `attribute`; in a key, `"12"` and `12` are equal.
    package init(
        _ attribute: AttributeProperty, isKey: Bool, isLenient: Bool = false, dates: [DateFormat] = [],
        unwrapsExtendedJSON: Bool = false
    ) {
        self.unwrapsExtendedJSON = unwrapsExtendedJSON
        name = attribute.name
        kind = attribute.type.kind
        kinds = Coercion.kinds(of: attribute)
        self.isKey = isKey
        self.isLenient = isLenient
        self.dates = dates
    }

    /// The stored value of a key that is the name of a member.
    package func key(_ name: String, _ object: JSON) throws -> SQLValue {
        switch kind {
        case .string: return .text(name)
        case .integer16: if let number = Int16(name) { return .integer(Int64(number)) }
        case .integer32: if let number = Int32(name) { return .integer(Int64(number)) }
        case .integer64: if let number = Int64(name) { return .integer(number) }
        case .uuid: if let uuid = UUID(uuidString: name) { return .text(uuid.uuidString) }
        case .undefined where kinds.contains(.text): return .text(name)
        default: break
        }
        throw object.failure(.keyType, "the name \(Excerpt.escape(name)) is no key of type \(kind.rawValue)")
    }

    /// The value that stands for null where there must be a value; nil if there is none.
    package var valueForNull: SQLValue? {
        guard isLenient else { return nil }
        switch kind {
        case .integer16, .integer32, .integer64, .boolean: return .integer(0)
        case .double, .float: return .real(0)
        case .decimal: return .text("0")
        default: return nil
        }
    }

    /// The stored value; null if the JSON value is missing or null.
    ///
    /// - Throws: `JSONError` with one of the codes `convert.type`, `convert.range` and `convert.format`.
    package func value(_ json: JSON) throws -> SQLValue {
        let found = json.kind
        if found == .missing || found == .null { return .null }
        if isLenient, let value = try lenientValue(json, found) { return value }
        switch kind {
        case .integer64: return .integer(try whole(json, as: Int64.self))
        case .integer32: return .integer(Int64(try whole(json, as: Int32.self)))
        case .integer16: return .integer(Int64(try whole(json, as: Int16.self)))
        case .string: return .text(try text(json))
        case .boolean: return .integer(try Bool(json: json) ? 1 : 0)
        case .double: return .real(try Double(json: json))
        case .float: return .real(Double(try Float(json: json)))
        case .decimal: return .text(try decimal(json))
        case .date: return .real(try date(json))
        case .uuid: return .text(try UUID(json: json).uuidString)
        case .uri: return .text(try URL(json: json).absoluteString)
        case .binary: return .blob(Array(try Data(json: json)))
        case .json: return .text(try Coercion.compactText(json))
        case .undefined: return try inferred(json)
        case .transformable, .objectID:
            var error = json.mismatch(expected: "nothing for \(name), which is \(kind.rawValue)")
            error.hint = "set \(name) in a setter"
            throw error
        }
    }

    private func whole<Integer: FixedWidthInteger & JSONConvertible>(
        _ json: JSON, as type: Integer.Type
    ) throws -> Integer {
        guard isKey, json.kind == .string else { return try Integer(json: json) }
        guard let literal = NumberLiteral(try String(json: json)), let number = literal.plainInteger else {
            throw json.malformed(expected: "a whole number")
        }
        guard let fitting = Integer(exactly: number) else { throw json.outOfRange(expected: "of \(kind.rawValue)") }
        return fitting
    }

    private func text(_ json: JSON) throws -> String {
        guard isKey, let literal = NumberLiteral(json: json) else { return try String(json: json) }
        guard let text = literal.canonical else { throw json.outOfRange(expected: "a key of 400 characters") }
        return text
    }

    private func decimal(_ json: JSON) throws -> String {
        guard [.number, .string].contains(json.kind) else { throw json.mismatch(expected: "a number") }
        guard let literal = try NumberLiteral(json: json) ?? NumberLiteral(String(json: json)) else {
            throw json.malformed(expected: "a decimal number")
        }
        guard let text = literal.decimal else { throw json.outOfRange(expected: "a Decimal") }
        return text
    }

    private func date(_ json: JSON) throws -> Double {
        if dates.count > 1 {
            for format in dates {
                if let date = try? json.requireDate(format) { return date.timeIntervalSince1970 }
            }
            throw json.malformed(expected: "a date as \(dates.map(\.description).joined(separator: " or "))")
        }
        guard json.kind == .string || !dates.isEmpty else {
            var error = json.mismatch(expected: "a date as ISO 8601")
            if json.kind == .number {
                error.hint = "convert it in a setter with date(_:format:), from seconds or milliseconds"
            }
            throw error
        }
        return try json.requireDate(dates.first ?? .iso8601).timeIntervalSince1970
    }

    /// The text of a value, without white space.
    package static func compactText(_ json: JSON) throws -> String {
        var scratch: [UInt8] = []
        var text = ""
        json.withCompactBytes(&scratch) { text = String(decoding: $0, as: UTF8.self) }
        // JSON with more levels could not be read back from the store.
        guard text.utf8.count <= 1024 || Coercion.depth(text) <= 512 else {
            throw json.malformed(expected: "JSON of at most 512 levels")
        }
        return text
    }

    private static func depth(_ text: String) -> Int {
        var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
        for byte in text.utf8 {
            if isInString {
                if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    depth += 1
                    deepest = max(deepest, depth)
                case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
                default: break
                }
            }
        }
        return deepest
    }
}
