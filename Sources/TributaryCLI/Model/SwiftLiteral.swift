import Foundation
import TributaryModel

/// Values as Swift source code.
package enum SwiftLiteral {
    /// A string literal; a raw one where that is easier to read.
    package static func text(_ text: String) -> String {
        let hasQuote = text.unicodeScalars.contains { $0 == "\"" || $0 == "\\" }
        if hasQuote, !text.contains("\"#"), !text.contains("\\#"), text.unicodeScalars.allSatisfy(isPlain) {
            return "#\"\(text)\"#"
        }
        return "\"\(text.unicodeScalars.map(escaped).joined())\""
    }

    /// A literal of names or texts.
    static func list(_ texts: [String]) -> String { "[\(texts.map(text).joined(separator: ", "))]" }

    /// A dictionary, sorted by its keys.
    static func dictionary(_ entries: [String: String]) -> String {
        let pairs = entries.sorted { $0.key < $1.key }.map { "\(text($0.key)): \(text($0.value))" }
        return "[\(pairs.joined(separator: ", "))]"
    }

    /// A value of an enum that is written with its case: `.integer(3)`.
    static func modelValue(_ value: ModelValue) -> String {
        switch value {
        case .integer(let number): ".integer(\(number))"
        case .double(let number): ".double(\(number))"
        case .decimal: ".decimal(\(expression(value)))"
        case .string(let string): ".string(\(text(string)))"
        case .boolean(let flag): ".boolean(\(flag))"
        case .date: ".date(\(expression(value)))"
        case .data: ".data(\(expression(value)))"
        case .uuid: ".uuid(\(expression(value)))"
        case .url: ".url(\(expression(value)))"
        }
    }

    /// An expression for a value, which may be optional if the context is.
    static func expression(_ value: ModelValue, isOptional: Bool = false) -> String {
        func orElse(_ fallback: String) -> String { isOptional ? "" : " ?? \(fallback)" }
        let string = text(AttributeText.text(value))
        return switch value {
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number):
            Int(number.description).map { "\($0)" } ?? "Decimal(string: \(string))" + orElse("0")
        case .string(let string): text(string)
        case .boolean(let flag): "\(flag)"
        case .date(let date): "Date(timeIntervalSinceReferenceDate: \(seconds(date.timeIntervalSinceReferenceDate)))"
        case .data: "Data(base64Encoded: \(string))" + orElse("Data()")
        case .uuid: "UUID(uuidString: \(string))" + orElse("UUID()")
        case .url: "URL(string: \(string))" + orElse("URL(filePath: \"/\")")
        }
    }

    private static func seconds(_ number: Double) -> String { Int64(exactly: number).map { "\($0)" } ?? "\(number)" }

    /// The text on one line, with escapes for characters that are not visible.
    static func visible(_ text: String) -> String {
        text.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? String($0) : escaped($0) }.joined()
    }

    /// The text within the backticks of a comment.
    static func comment(_ text: String) -> String { visible(text).replacing("`", with: "'") }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: isPlain(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }

    /// Whether a character is visible and stands for itself.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == " " { return true }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol,
            .otherSymbol:
            true
        default: false
        }
    }
}
