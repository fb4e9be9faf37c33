import Foundation

/// Conversion between attribute values and their text in model files.
///
/// Bytes are Base64, a form of this library: editors do not write defaults for them.
package enum AttributeText {
    /// The value of a text; nil if it is not a value of the type.
    package static func value(_ text: String, _ type: AttributeType) -> ModelValue? {
        let trimmed = String(text.trimmingBlanks)
        switch type.kind {
        case .integer16, .integer32, .integer64:
            // Editors also write "0.0" here.
            return (Int64(trimmed) ?? number(trimmed).flatMap { Int64(exactly: $0) }).map { .integer($0) }
        case .double, .float: return number(trimmed).map { .double($0) }
        case .decimal:
            guard number(trimmed) != nil, let value = Decimal(string: trimmed), !value.isNaN else { return nil }
            return .decimal(value)
        case .boolean:
            switch trimmed.lowercasedASCII {
            case "yes", "true", "1": return .boolean(true)
            case "no", "false", "0": return .boolean(false)
            default: return nil
            }
        case .string, .json: return .string(text)
        case .date: return interval(trimmed) ?? date(trimmed)
        case .uuid: return UUID(uuidString: trimmed).map { .uuid($0) }
        case .uri: return URL(string: trimmed).map { .url($0) }
        case .binary, .transformable: return Data(base64Encoded: trimmed).map { .data($0) }
        case .objectID, .undefined: return nil
        }
    }

    /// The text of a value.
    package static func text(_ value: ModelValue) -> String {
        switch value {
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .decimal(let number): number.description
        case .string(let text): text
        case .boolean(let flag): flag ? "YES" : "NO"
        case .date(let date): String(date.timeIntervalSinceReferenceDate)
        case .data(let data): data.base64EncodedString()
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        }
    }

    /// A date from its seconds since 2001-01-01 00:00 UTC.
    static func interval(_ text: String) -> ModelValue? {
        number(String(text.trimmingBlanks)).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    }

    /// A finite number in plain or scientific notation; nil for other forms such as `nan` or `0x1`.
    private static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ 48...57 ~= $0 || "+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// A date in the form of old files: `2001-01-31 12:00:00 +0100`, with optional time and zone.
    private static func date(_ text: String) -> ModelValue? {
        let parts = text.split(separator: " ")
        guard (1...3).contains(parts.count) else { return nil }
        var written = String(parts[0]) + "T" + (parts.count > 1 ? String(parts[1]) : "00:00:00")
        let zone = parts.count > 2 ? String(parts[2]) : "+0000"
        guard zone.count == 5, zone.first == "+" || zone.first == "-", Int(zone.dropFirst()) != nil else { return nil }
        written += zone.prefix(3) + ":" + zone.suffix(2)
        return (try? Date(written, strategy: .iso8601)).map { .date($0) }
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text without leading and trailing white space.
    package var trimmingBlanks: Substring {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
