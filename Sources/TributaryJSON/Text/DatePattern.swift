/// A date pattern in the letters of Unicode, parsed once.
struct DatePattern: Sendable, Hashable {
    private enum Field: Sendable, Hashable {
        case year, shortYear, monthName, month(Int), day(Int), weekday, hour(Int), halfDayHour(Int), minute, second
        case fraction, halfDay, zone
        case literal(String)
    }

    let text: String
    private let fields: [Field]
    private let secondsFromGMT: Int

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    init?(_ text: String, secondsFromGMT: Int) {
        self.text = text
        self.secondsFromGMT = secondsFromGMT
        var fields: [Field] = []
        var rest = text[...]
        while let first = rest.first {
            let run = rest.prefix { $0 == first }
            if first == "'" {
                rest.removeFirst()
                let quoted = rest.prefix { $0 != "'" }
                guard quoted.endIndex < rest.endIndex else { return nil }
                fields.append(.literal(quoted.isEmpty ? "'" : String(quoted)))
                rest = rest[quoted.endIndex...].dropFirst()
                continue
            }
            rest = rest.dropFirst(run.count)
            guard first.isASCII, first.isLetter else {
                fields.append(.literal(String(run)))
                continue
            }
            guard let field = DatePattern.field(first, run.count) else { return nil }
            fields.append(field)
        }
        self.fields = fields
        guard isComplete else { return nil }
    }

    /// Whether a smaller part comes with the greater ones, as a day with its month: `mm` are minutes, and months `MM`.
    private var isComplete: Bool {
        func has(_ isWanted: (Field) -> Bool) -> Bool { fields.contains(where: isWanted) }
        let hasHour = has { if case .hour = $0 { true } else if case .halfDayHour = $0 { true } else { false } }
        let hasMonth = has { if case .month = $0 { true } else { $0 == .monthName } }
        let hasDay = has { if case .day = $0 { true } else { false } }
        if has({ $0 == .minute }), !hasHour { return false }
        return !hasDay || hasMonth
    }

    /// Whether it has an hour or a part of one.
    var hasTime: Bool {
        fields.contains { field in
            switch field {
            case .hour, .halfDayHour, .minute, .second, .fraction: true
            default: false
            }
        }
    }

    private static func field(_ letter: Character, _ count: Int) -> Field? {
        switch (letter, count) {
        case ("y", 4), ("u", 4), ("y", 1): .year
        case ("y", 2): .shortYear
        case ("M", 3...4), ("L", 3...4): .monthName
        case ("M", 1...2), ("L", 1...2): .month(count)
        case ("d", 1...2): .day(count)
        case ("E", 1...4): .weekday
        case ("H", 1...2): .hour(count)
        case ("h", 1...2): .halfDayHour(count)
        case ("m", 2): .minute
        case ("s", 2): .second
        case ("S", _): .fraction
        case ("a", _): .halfDay
        case ("Z", _), ("X", _), ("x", _): .zone
        default: nil
        }
    }

    /// Seconds since 1970, or nil if `text` does not match the pattern.
    func seconds(_ text: String) -> Double? {
        var reader = Reader(rest: text[...], secondsFromGMT: secondsFromGMT)
        for field in fields {
            guard reader.read(field) else { return nil }
        }
        return reader.rest.isEmpty ? reader.seconds : nil
    }

    private struct Reader {
        var rest: Substring
        var year = 1970
        var month = 1
        var day = 1
        var hour = 0
        var minute = 0
        var second = 0
        var fraction = 0.0
        var isAfternoon: Bool?
        var secondsFromGMT: Int

        var seconds: Double? {
            var hour = hour
            if let isAfternoon {
                guard (1...12).contains(hour) else { return nil }
                hour = hour % 12 + (isAfternoon ? 12 : 0)
            }
            guard hour < 24, minute < 60, second < 60, let days = Calendar.days(year, month, day) else { return nil }
            return Double(days * 86_400 + hour * 3600 + minute * 60 + second - secondsFromGMT) + fraction
        }

        mutating func read(_ field: Field) -> Bool {
            switch field {
            case .year: return number(4...4, \.year)
            case .shortYear:
                // Two digits mean 1970 to 2069.
                guard number(2...2, \.year) else { return false }
                year += year < 70 ? 2000 : 1900
                return true
            case .monthName: return name(DatePattern.months).map { month = $0 + 1 } != nil
            case .month(let count): return number(count...2, \.month)
            case .day(let count): return number(count...2, \.day)
            case .weekday: return name(DatePattern.weekdays) != nil
            case .hour(let count), .halfDayHour(let count): return number(count...2, \.hour)
            case .minute: return number(2...2, \.minute)
            case .second: return number(2...2, \.second)
            case .fraction:
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                guard !digits.isEmpty, let value = Double("0." + digits) else { return false }
                fraction = value
                rest = rest[digits.endIndex...]
                return true
            case .halfDay:
                guard let index = name(["am", "pm"]) else { return false }
                isAfternoon = index == 1
                return true
            case .zone: return zone()
            case .literal(let literal):
                guard rest.hasPrefix(literal) else { return false }
                rest = rest.dropFirst(literal.count)
                return true
            }
        }

        private mutating func number(_ width: ClosedRange<Int>, _ target: WritableKeyPath<Reader, Int>) -> Bool {
            let digits = rest.prefix(width.upperBound).prefix { $0.isASCII && $0.isNumber }
            guard digits.count >= width.lowerBound, let value = Int(digits) else { return false }
            self[keyPath: target] = value
            rest = rest[digits.endIndex...]
            return true
        }

        /// The index of the name that comes next, in full or by its first three letters.
        private mutating func name(_ names: [String]) -> Int? {
            let word = rest.prefix { $0.isASCII && $0.isLetter }.lowercased()
            guard let index = names.firstIndex(where: { $0 == word || (word.count == 3 && $0.hasPrefix(word)) }) else {
                return nil
            }
            rest = rest.dropFirst(word.count)
            return index
        }

        private mutating func zone() -> Bool {
            if rest.hasPrefix("Z") {
                rest.removeFirst()
                secondsFromGMT = 0
                return true
            }
            guard let sign = rest.first, sign == "+" || sign == "-" else { return false }
            rest.removeFirst()
            var digits = rest.prefix(2)
            var used = 2
            let afterHours = rest.dropFirst(2)
            let minutes = afterHours.first == ":" ? afterHours.dropFirst() : afterHours
            if minutes.prefix(2).allSatisfy({ $0.isASCII && $0.isNumber }), minutes.prefix(2).count == 2 {
                digits += minutes.prefix(2)
                used += 2 + (afterHours.first == ":" ? 1 : 0)
            }
            guard digits.count >= 2, let value = Int(digits), value >= 0 else { return false }
            guard digits.count == 2 ? value < 24 : value / 100 < 24 && value % 100 < 60 else { return false }
            let offset = digits.count == 2 ? value * 3600 : value / 100 * 3600 + value % 100 * 60
            secondsFromGMT = sign == "-" ? -offset : offset
            rest = rest.dropFirst(used)
            return true
        }
    }
}
