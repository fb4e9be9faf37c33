/// What the values at a path are, taken together.
public enum FoundType: String, Sendable, Codable, CaseIterable {
    /// Only null, or nothing.
    case nothing
    /// True or false.
    case boolean
    /// Whole numbers.
    case integer
    /// Seconds since 1970, by their size and the name of the path.
    case epochSeconds
    /// Milliseconds since 1970, by their size and the name of the path.
    case epochMilliseconds
    /// A number with a fraction that a double holds.
    case number
    /// A decimal number with more digits than a double holds.
    case decimal
    /// Texts of no other form.
    case text
    /// Texts with a day, as `2024-03-13`.
    case date
    /// Texts with a day and a time, as `2024-03-13T08:00:07Z`.
    case dateTime
    /// Texts with a UUID.
    case uuid
    /// Texts with an address such as `https://example.org`.
    case url
    /// Texts with an address such as `name@example.org`.
    case email
    /// Texts with an address such as `192.168.0.1`.
    case ipAddress
    /// Texts of at least 16 hexadecimal digits.
    case hexadecimal
    /// Whole numbers in quotes, without leading zeros.
    case integerText
    /// Numbers in quotes.
    case numberText
    /// Digits, some of them with leading zeros.
    case digits
    /// An object with members.
    case object
    /// An object whose keys are data.
    case dictionary
    /// An array.
    case array
    /// Values of several kinds.
    case mixed
}

extension PathProfile {
    /// The kinds of the values, null aside.
    public var kinds: [ValueKind] { ValueKind.allCases.filter { $0 != .null && self[$0].count > 0 } }

    /// What the values are, taken together.
    public var type: FoundType {
        let kinds = Set(kinds)
        switch kinds {
        case []: return .nothing
        case [.yes], [.no], [.yes, .no]: return .boolean
        case [.object]: return isDictionary ? .dictionary : .object
        case [.array]: return .array
        case [.text]: return textType
        case [.integer]: return epochType ?? (self[.beyondInt64].count > 0 ? .decimal : .integer)
        case [.real], [.integer, .real]:
            // A double does not hold large integers.
            let needsDecimal = self[.inexact].count + self[.beyondInt64].count > 0
            return needsDecimal || kinds.contains(.integer) && self[.beyondDouble].count > 0 ? .decimal : .number
        default: return .mixed
        }
    }

    private var textType: FoundType {
        guard let texts = values?.texts else { return .text }
        let count = texts.count
        func all(_ shapes: TextShape...) -> Bool { shapes.reduce(0) { $0 + texts.count(of: $1) } == count }
        if all(.blank) || texts.count(of: .blank) > 0 { return .text }
        if all(.date) { return .date }
        if all(.date, .dateTime) { return .dateTime }
        if all(.uuid) { return .uuid }
        if all(.url) { return .url }
        if all(.email) { return .email }
        if all(.ipAddress) { return .ipAddress }
        if all(.integer) { return .integerText }
        if all(.integer, .leadingZeros) { return .digits }
        if all(.integer, .number) { return .numberText }
        if all(.hexadecimal) { return .hexadecimal }
        return .text
    }

    /// Whether whole numbers are moments, which their sizes and the name of the path tell.
    private var epochType: FoundType? {
        guard let numbers = values?.numbers, let low = Double(numbers.minimum), let high = Double(numbers.maximum),
            case .member(let name) = step, PathProfile.namesMoment(name)
        else { return nil }
        // From 1990 to 2100.
        if low >= 631_152_000, high < 4_102_444_800 { return .epochSeconds }
        if low >= 631_152_000_000, high < 4_102_444_800_000 { return .epochMilliseconds }
        return nil
    }

    private static func namesMoment(_ name: String) -> Bool {
        var words = [""]
        for letter in name {
            if letter.isUppercase, words.last?.last?.isLowercase ?? false { words.append("") }
            if letter.isLetter { words[words.count - 1].append(letter.lowercased()) } else { words.append("") }
        }
        let moments: Set = [
            "time", "date", "datetime", "timestamp", "stamp", "created", "updated", "modified", "epoch", "expires",
            "since", "until", "ts", "at", "on",
        ]
        return words.contains { moments.contains($0) || $0.hasSuffix("time") && $0 != "runtime" }
    }
}
