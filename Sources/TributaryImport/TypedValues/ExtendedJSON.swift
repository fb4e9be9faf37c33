import Foundation
import TributaryJSON
import TributaryModel
import TributarySQLite

/// The typed values of MongoDB's Extended JSON, canonical and relaxed, and those of its older versions.
///
/// They are known by themselves: an object of exactly such a form, with a content that is valid. All else stays an object.
///
///     {"$oid": "5f…"}                               the text
///     {"$numberLong": "5"}                          5
///     {"$date": {"$numberLong": "0"}}               1970-01-01T00:00:00.000Z
///     {"$date": "2014-01-01T00:00:00.000-0700"}     2014-01-01T07:00:00.000Z
///     {"$timestamp": {"t": 5, "i": 1}}              the text 5:1
enum ExtendedJSON {
    /// A plain value.
    enum Plain: Equatable {
        case null
        case text(String)
        case integer(Int64)
        case real(Double)

        /// The value as a column keeps it.
        var stored: SQLValue {
            switch self {
            case .null: .null
            case .text(let text): .text(text)
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            }
        }

        /// The kind of the stored value.
        var kind: ValueKinds {
            switch self {
            case .null: []
            case .text: .text
            case .integer(let number): number.magnitude <= 1 << 53 ? .integer : .largeInteger
            case .real(let number): number == 0 && number.sign == .minus ? .negativeZero : .real
            }
        }
    }

    /// The text or number inside of a typed value that can be a key.
    static func scalar(in value: JSON) -> JSON? {
        guard value.mayBeTyped, let (name, inner) = only(value), ["$oid", "$uuid"].contains(name),
            inner.kind == .string
        else { return nil }
        return inner
    }

    /// The plain value of a typed one; nil if the value is none, or is not valid.
    static func plain(_ value: JSON) -> Plain? {
        guard value.mayBeTyped else { return nil }
        guard let (name, inner) = only(value) else { return olderBinary(value) }
        switch name {
        case "$oid", "$uuid", "$symbol", "$code": return text(inner).map { .text($0) }
        case "$numberInt", "$numberLong":
            guard let text = text(inner), NumberLiteral(text) != nil else { return nil }
            return Int64(text).map { .integer($0) }
        case "$numberDouble":
            guard let text = text(inner) else { return nil }
            if ["NaN", "Infinity", "-Infinity"].contains(text) { return .text(text) }
            guard NumberLiteral(text) != nil else { return nil }
            return Double(text).flatMap { $0.isFinite ? .real($0) : nil }
        case "$numberDecimal": return text(inner).flatMap { decimal($0) }
        case "$date": return date(inner).map { .text($0) }
        case "$timestamp":
            return pair(inner, "t", "i", .number).map { .text("\($0.compactText):\($1.compactText)") }
        case "$undefined": return inner.kind == .boolean && inner.compactText == "true" ? .null : nil
        case "$binary": return pair(inner, "base64", "subType", .string).flatMap { text($0.0) }.map { .text($0) }
        default: return nil
        }
    }

    /// The bytes of `{"$binary": "…", "$type": "00"}`, as before version 4.2.
    private static func olderBinary(_ value: JSON) -> Plain? {
        var members = value.members.makeIterator()
        guard let bytes = members.next(), bytes.key == "$binary", let type = members.next(), type.key == "$type",
            type.value.kind == .string, members.next() == nil
        else { return nil }
        return text(bytes.value).map { .text($0) }
    }

    /// The values of an object that has two members of a kind alone.
    private static func pair(_ value: JSON, _ one: String, _ other: String, _ kind: JSON.Kind) -> (JSON, JSON)? {
        guard value.kind == .object, value.members.count == 2 else { return nil }
        let found = (value[one], value[other])
        return found.0.kind == kind && found.1.kind == kind ? found : nil
    }

    /// The only member of an object.
    private static func only(_ value: JSON) -> (key: String, value: JSON)? {
        var members = value.members.makeIterator()
        guard let first = members.next(), first.key.hasPrefix("$"), members.next() == nil else { return nil }
        return first
    }

    private static func text(_ value: JSON) -> String? { value.kind == .string ? try? String(json: value) : nil }

    /// A decimal, as a number if a double has all of its digits; nil for other text.
    private static func decimal(_ text: String) -> Plain? {
        if ["NaN", "Infinity", "-Infinity"].contains(text) { return .text(text) }
        guard NumberLiteral(text) != nil else { return nil }
        if let whole = Int64(text), "\(whole)" == text { return .integer(whole) }
        guard let number = Double(text), number.isFinite, let literal = NumberLiteral(text),
            NumberLiteral("\(number)")?.canonical == literal.canonical
        else { return .text(text) }
        return .real(number)
    }

    private static func date(_ value: JSON) -> String? {
        if value.kind == .string {
            guard let text = text(value), seconds(of: text) != nil else { return nil }
            return utc(text)
        }
        let number: Int64?
        if value.kind == .number {
            number = try? Int64(json: value)
        } else if case .integer(let whole)? = plain(value) {
            number = whole
        } else {
            number = nil
        }
        guard let number, number.magnitude < 1 << 53 else { return nil }
        return text(milliseconds: number)
    }

    /// A date and time in UTC, if it has milliseconds at most and another offset; else the text.
    private static func utc(_ date: String) -> String {
        guard let time = date.firstIndex(of: "T").map({ date[$0...] }), time.contains(where: { "+-".contains($0) }),
            time.drop(while: { $0 != "." }).dropFirst().prefix(while: \.isNumber).count <= 3
        else { return date }
        return seconds(of: date).flatMap { text(milliseconds: Int64(($0 * 1000).rounded())) } ?? date
    }

    /// The seconds since 1970 of a date as ISO 8601; nil for other text.
    private static func seconds(of date: String) -> Double? {
        var date = date
        return date.withUTF8 { RawValue.date($0) }
    }

    /// The date in ISO 8601, in the Gregorian calendar, exactly; nil outside of the years 0 to 9999.
    static func text(milliseconds: Int64) -> String? {
        func divided(_ value: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
            let rest = (value % divisor + divisor) % divisor
            return ((value - rest) / divisor, rest)
        }
        let (days, time) = divided(milliseconds, by: 86_400_000)
        // Years begin in March here, so that the leap day is the last one. 719,468 days lie between 0000-03-01 and 1970.
        let (era, day) = divided(days + 719_468, by: 146_097)
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let monthNumber = month < 10 ? month + 3 : month - 9
        let fullYear = era * 400 + year + (monthNumber <= 2 ? 1 : 0)
        guard (0...9999).contains(fullYear) else { return nil }
        func digits(_ value: Int64, _ width: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        return "\(digits(fullYear, 4))-\(digits(monthNumber, 2))-\(digits(dayOfMonth, 2))T"
            + "\(digits(time / 3_600_000, 2)):\(digits(time / 60_000 % 60, 2)):\(digits(time / 1000 % 60, 2))."
            + "\(digits(time % 1000, 3))Z"
    }
}
