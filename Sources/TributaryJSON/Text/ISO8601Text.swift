/// Writes moments as ISO 8601 in UTC: `2024-05-01T12:00:00Z`, with a fraction only if there is one.
package enum ISO8601Text {
    /// The most digits of a fraction that are read; doubles of our time hold seven.
    private static let mostDigits = 15

    /// The text from which the same seconds since 1970 are read; nil if the year has not four digits.
    package static func text(of seconds: Double) -> String? {
        // From the year 0 to the year 9999.
        guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return nil }
        let whole = seconds.rounded(.down)
        let day = Int((whole / 86_400).rounded(.down))
        let (year, month, date) = Calendar.date(ofDay: day)
        let time = Int(whole) - day * 86_400
        guard let fraction = fraction(seconds, day, time) else { return nil }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2))T\(padded(time / 3600, 2))"
            + ":\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))\(fraction)Z"
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
