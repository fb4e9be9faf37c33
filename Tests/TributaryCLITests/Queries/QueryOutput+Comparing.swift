import Foundation
import TributaryJSON
import TributaryModel

/// Whether a value was written as it has to be.
extension QueryOutput.Cell {
    func isText(of value: FilterValue, _ column: QueryOracle.Column, _ format: String) -> Bool {
        switch self {
        case .nothing: return value == .null
        case .json(let text):
            if value == .null { return text == "null" }
            if column.isJSON, case .string(let stored) = value {
                return text == (try? TributaryModel.JSONText(stored).text)
            }
            if case .string(let stored) = value { return QueryOutput.string(text).map { same($0, stored) } ?? false }
            // Numbers and words have no quotes, but for those that JSON does not have.
            let isNumber = QueryOutput.string(text) == nil
            switch value {
            case .integer, .boolean: guard isNumber else { return false }
            case .double(let number): guard isNumber == number.isFinite else { return false }
            case .decimal(let number): guard isNumber != number.isNaN else { return false }
            case .date(let date):
                guard isNumber == (ISO8601Text.text(of: date.timeIntervalSince1970) == nil) else { return false }
            default: guard !isNumber else { return false }
            }
            return isPlain(QueryOutput.string(text) ?? text, value, column)
        case .text(let text):
            let isShown = format == "list" || format == "markdown"
            // Labels of a list are followed by blanks.
            let found = format == "list" ? String(text.unicodeScalars.drop { $0 == " " }) : text
            if value == .null { return found.isEmpty }
            guard case .string(let stored) = value else { return isPlain(found, value, column) }
            let shown = isShown ? Excerpt.escape(stored) : stored
            return same(found, format == "list" ? String(shown.unicodeScalars.drop { $0 == " " }) : shown)
        }
    }

    private func same(_ one: String, _ two: String) -> Bool { one.utf8.elementsEqual(two.utf8) }

    /// Whether text without quotes is that of a value which is no text.
    private func isPlain(_ text: String, _ value: FilterValue, _ column: QueryOracle.Column) -> Bool {
        switch value {
        case .integer(let number): return Int64(text) == number
        case .boolean(let flag): return text == (flag ? "true" : "false")
        case .decimal(let number):
            return number.isNaN
                ? text == "NaN" : Decimal(string: text) == number && text.allSatisfy { "0123456789-.".contains($0) }
        case .double(let number):
            if !number.isFinite { return text == (number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity") }
            return Double(text) == number || column.isFloat && Float(text).map(Double.init) == number
        case .uuid(let id): return text == id.uuidString
        case .url(let url): return text == url.absoluteString
        case .data(let data): return text == data.base64EncodedString()
        case .date(let date):
            let seconds = QueryOutput.Cell.seconds(text) ?? Double(text) ?? .nan
            return abs(seconds - date.timeIntervalSince1970) < 1e-6
        default: return false
        }
    }

    /// The seconds since 1970 of `2001-05-01T00:00:00.5Z`.
    private static func seconds(_ text: String) -> Double? {
        guard let match = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?Z/) else { return nil }
        let numbers = [match.1, match.2, match.3, match.4, match.5, match.6].map { Int($0) ?? 0 }
        let (year, month) = (numbers[0], numbers[1])
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        var days = numbers[2] - 1
        // The first day of 1970 has the number 719528 in years from 0 on.
        for earlier in 0..<year { days += isLeap(earlier) ? 366 : 365 }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        days += lengths.prefix(month - 1).reduce(0, +) - 719_528
        let whole = Double(days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
        return whole + (match.7.flatMap { Double("0\($0)") } ?? 0)
    }
}
