/// Writes moments as ISO 8601 in UTC: `2024-05-01T12:00:00Z`, with a fraction only if there is one.
package enum ISO8601Text {
    /// The most digits of a fraction that are read; doubles of our time hold seven.
    private static let mostDigits = 15

    /// The number of bytes of a text without a fraction.
    package static let width = 20

    /// The text from which the same seconds since 1970 are read; nil if the year has not four digits.
    package static func text(of seconds: Double) -> String? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width) { bytes in
            guard let start = bytes.baseAddress, let (day, time) = write(seconds, to: start),
                let fraction = fraction(seconds, day, time)
            else { return nil }
            return String(decoding: bytes.dropLast(), as: UTF8.self) + fraction + "Z"
        }
    }

    /// Whether there is a text of seconds since 1970.
    package static func isPossible(_ seconds: Double) -> Bool {
        seconds == seconds.rounded(.down) && years.contains(seconds) || text(of: seconds) != nil
    }

    /// The seconds of the years 0 to 9999.
    private static let years = -62_167_219_200.0..<253_402_300_800

    /// Writes the text of whole seconds, which has `width` bytes; false for other seconds, or if the year has not four
    /// digits.
    package static func writeWhole(_ seconds: Double, to bytes: UnsafeMutablePointer<UInt8>) -> Bool {
        seconds == seconds.rounded(.down) && write(seconds, to: bytes) != nil
    }

    /// Writes the text without a fraction, and returns the day and the second of that day.
    private static func write(_ seconds: Double, to bytes: UnsafeMutablePointer<UInt8>) -> (day: Int, time: Int)? {
        guard years.contains(seconds) else { return nil }
        let whole = Int(seconds.rounded(.down))
        let day = (whole - (whole < 0 ? 86_399 : 0)) / 86_400
        let (year, month, date) = Calendar.date(ofDay: day)
        let time = whole - day * 86_400
        var next = bytes
        func add(_ number: Int, _ mark: Unicode.Scalar?) {
            next[0] = UInt8(truncatingIfNeeded: 48 + number / 10)
            next[1] = UInt8(truncatingIfNeeded: 48 + number % 10)
            guard let mark else { return next += 2 }
            next[2] = UInt8(ascii: mark)
            next += 3
        }
        add(year / 100, nil)
        add(year % 100, "-")
        add(month, "-")
        add(date, "T")
        add(time / 3600, ":")
        add(time / 60 % 60, ":")
        add(time % 60, "Z")
        return (day, time)
    }

    /// The shortest fraction with its point from which the same number is read; empty if there is none.
    private static func fraction(_ seconds: Double, _ day: Int, _ time: Int) -> String? {
        var scale = 1.0
        for digits in 0...mostDigits {
            let part = ((seconds - seconds.rounded(.down)) * scale).rounded()
            if part < scale || digits == 0, Double(day) * 86_400 + (Double(time) + part / scale) == seconds {
                return digits == 0 ? "" : "." + padded(Int(part), digits)
            }
            scale *= 10
        }
        return nil
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Calendar {
    /// The date of a day.
    fileprivate static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        // Years are counted from March, so that the leap day is the last day of the year.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
