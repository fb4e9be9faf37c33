import Foundation
import TributaryJSON

extension ColumnConversion {
    /// The converted value; nil if it cannot be converted.
    func apply(to value: ColumnValue) -> ColumnValue? {
        switch kind {
        case .trim, .lower, .upper:
            guard value.kind == .text else { return value }
            return ColumnValue(.text, spelled(value.text))
        case .number:
            guard value.kind == .text else { return value.kind == .number ? value : nil }
            return ColumnConversion.number(in: value.text).map { ColumnValue(.number, $0) }
        case .date(let format):
            guard value.kind != .boolean, let seconds = format.seconds(value.text, isText: value.kind == .text)
            else { return nil }
            let hasTime = format == .iso8601 ? value.text.contains(where: "Tt ".contains) : format.hasTime
            return ColumnConversion.text(of: seconds, hasTime: hasTime).map { ColumnValue(.text, $0) }
        }
    }

    private func spelled(_ text: String) -> String {
        switch kind {
        case .lower: text.lowercased()
        case .upper: text.uppercased()
        default: text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// The date in UTC as ISO 8601, to the millisecond, so that texts are in the order of the dates.
    private static func text(of seconds: Double, hasTime: Bool) -> String? {
        let milliseconds = (seconds * 1000).rounded()
        guard milliseconds.magnitude < 0x1p53, let text = ExtendedJSON.text(milliseconds: Int64(milliseconds))
        else { return nil }
        return hasTime ? text : String(text.prefix(10))
    }

    /// The number in a text whose thousands may be separated by commas, or by blanks.
    private static func number(in text: String) -> String? {
        if NumberLiteral(text) != nil { return text }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard !trimmed.hasPrefix("+-") else { return nil }
        let blanks: Set<Character> = [" ", "\u{A0}", "\u{202F}", "\u{2009}"]
        guard trimmed.contains(where: blanks.contains) else { return Coercion.plainNumber(trimmed) }
        guard !trimmed.contains(",") else { return nil }
        return Coercion.plainNumber(String(trimmed.map { blanks.contains($0) ? "," : $0 }))
    }
}
