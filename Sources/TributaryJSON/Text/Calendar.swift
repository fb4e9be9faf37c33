/// Days of the Gregorian calendar, counted from 1 January 1970.
enum Calendar {
    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    static func length(_ year: Int, _ month: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The day, or nil if there is no such date.
    static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        guard (1...12).contains(month), day >= 1, day <= length(year, month) else { return nil }
        // Years are counted from March, so that the leap day is the last day of the year.
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func days(_ year: Int, dayOfYear: Int) -> Int? {
        guard dayOfYear >= 1, dayOfYear <= (isLeap(year) ? 366 : 365) else { return nil }
        return days(year, 1, 1).map { $0 + dayOfYear - 1 }
    }

    /// The day of an ISO week; week 1 contains 4 January, day 1 is Monday.
    static func days(_ year: Int, week: Int, weekday: Int) -> Int? {
        guard (1...7).contains(weekday), let fourth = days(year, 1, 4), let next = days(year + 1, 1, 4) else {
            return nil
        }
        // Day 0 was a Thursday.
        func monday(_ day: Int) -> Int { day - ((day + 3) % 7 + 7) % 7 }
        let result = monday(fourth) + (week - 1) * 7
        guard week >= 1, result < monday(next) else { return nil }
        return result + weekday - 1
    }
}
