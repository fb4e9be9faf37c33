/// Parses dates of ISO 8601 from bytes, without Foundation.
struct ISO8601 {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private let secondsFromGMT: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, secondsFromGMT: Int) {
        self.bytes = bytes
        self.secondsFromGMT = secondsFromGMT
    }

    /// Seconds since 1970, or nil if the text is not a date.
    mutating func parse() -> Double? {
        guard let day = date() else { return nil }
        var seconds = Double(day) * 86_400
        guard index < bytes.count else { return seconds - Double(secondsFromGMT) }
        guard skip("T") || skip("t") || skip(" ") || skip("_"), let time = time() else { return nil }
        seconds += time
        guard let zone = zone(), index == bytes.count else { return nil }
        return seconds - Double(zone)
    }

    // MARK: Date

    /// Days since 1970 of 2024-02-29, 20240229, 2024-W09-4, 2024W094, 2024-060, 2024060, 2024-02, 2024.
    private mutating func date() -> Int? {
        guard let year = digits(4) else { return nil }
        guard index < bytes.count else { return Calendar.days(year, 1, 1) }
        let isExtended = skip("-")
        if skip("W") { return weekDate(year, isExtended: isExtended) }
        switch digitsAhead {
        case 3: return digits(3).flatMap { Calendar.days(year, dayOfYear: $0) }
        case 2...:
            guard let month = digits(2) else { return nil }
            // 2024-02, but not 202402, which would be a date without its century.
            if isExtended, !skip("-") { return Calendar.days(year, month, 1) }
            return digits(2).flatMap { Calendar.days(year, month, $0) }
        default: return nil
        }
    }

    private mutating func weekDate(_ year: Int, isExtended: Bool) -> Int? {
        guard let week = digits(2) else { return nil }
        var weekday = 1
        if isExtended ? skip("-") : digitsAhead > 0 {
            guard let day = digits(1) else { return nil }
            weekday = day
        }
        return Calendar.days(year, week: week, weekday: weekday)
    }

    // MARK: Time

    /// Seconds of 13:45:30.25, 134530, 13:45, 1345, 13.
    private mutating func time() -> Double? {
        guard let hour = digits(2) else { return nil }
        var minute = 0
        var second = 0
        let isExtended = skip(":")
        if isExtended || digitsAhead >= 2 {
            guard let value = digits(2) else { return nil }
            minute = value
            if isExtended ? skip(":") : digitsAhead >= 2 {
                guard let value = digits(2) else { return nil }
                second = value
            }
        }
        // 24:00 is the end of the day, 23:59:60 a leap second.
        guard minute < 60, hour < 24 || (hour == 24 && minute == 0 && second == 0),
            second < 60 || (second == 60 && minute == 59)
        else { return nil }
        let whole = Double(hour * 3600 + minute * 60 + second)
        guard skip(".") || skip(",") else { return whole }
        return fraction().map { whole + $0 }
    }

    private mutating func fraction() -> Double? {
        var value = 0.0
        var scale = 1.0
        let start = index
        while index < bytes.count, bytes[index].isDigit {
            if index - start < 15 {
                value = value * 10 + Double(bytes[index] - UInt8(ascii: "0"))
                scale *= 10
            }
            index += 1
        }
        return index > start ? value / scale : nil
    }

    /// Seconds ahead of UTC of Z, +01, +0130, +01:30.
    private mutating func zone() -> Int? {
        _ = skip(" ")
        guard index < bytes.count else { return secondsFromGMT }
        if skip("Z") || skip("z") { return 0 }
        let isNegative = bytes[index] == UInt8(ascii: "-")
        guard skip("+") || skip("-"), let hours = digits(2), hours < 24 else { return nil }
        var minutes = 0
        if skip(":") || digitsAhead > 0 {
            guard let value = digits(2), value < 60 else { return nil }
            minutes = value
        }
        return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
    }

    // MARK: Characters

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
        index += 1
        return true
    }

    private var digitsAhead: Int {
        var end = index
        while end < bytes.count, bytes[end].isDigit { end += 1 }
        return end - index
    }

    private mutating func digits(_ count: Int) -> Int? {
        guard index + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + count] {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        index += count
        return value
    }
}
