import Foundation
import TributaryJSON

/// The bounds of ranges of equal width with round numbers, or of spans of the calendar, for a histogram.
struct ValueScale {
    /// The bounds in ascending order; a range has its lower bound and not its upper one.
    let bounds: [Double]
    /// The bounds as text.
    let names: [String]
    /// The days of the bounds, if they are those of spans of days.
    var days: [String] = []
    /// Whether each range has one whole number.
    var isOfWholeNumbers = false

    /// The most ranges.
    private static let most = 24

    // MARK: Numbers

    /// Ranges for numbers from `low` to `high`; nil if there is no room between them.
    static func numbers(from low: Double, to high: Double, areWhole: Bool) -> ValueScale? {
        guard low.isFinite, high.isFinite, high > low, (high - low).isFinite else { return nil }
        var power = Int(log10((high - low) / Double(most)).rounded(.down)) - 1
        if areWhole { power = max(power, 0) }
        while power < 309 {
            for digit in [1, 2, 5] {
                guard let scale = numbers(from: low, to: high, digit, power) else { continue }
                var found = scale
                found.isOfWholeNumbers = areWhole && digit == 1 && power == 0
                return found
            }
            power += 1
        }
        return nil
    }

    private static func numbers(from low: Double, to high: Double, _ digit: Int, _ power: Int) -> ValueScale? {
        // A number of the text is the nearest double, which a product is not.
        func bound(_ index: Int) -> (value: Double, text: String)? {
            let text = "\(index * digit)e\(power)"
            return Double(text).map { ($0, text) }
        }
        guard let step = bound(1)?.value, step > 0, (high / step).magnitude < 0x1p58, (low / step).magnitude < 0x1p58,
            (high - low) / step <= Double(most)
        else { return nil }
        var first = Int((low / step).rounded(.down))
        while let start = bound(first), start.value > low { first -= 1 }
        var bounds: [Double] = []
        var index = first
        while bounds.last.map({ $0 <= high }) ?? true {
            guard let next = bound(index), next.value.isFinite else { return nil }
            if bounds.last.map({ $0 < next.value }) ?? true { bounds.append(next.value) }
            index += 1
        }
        guard bounds.count - 1 <= most else { return nil }
        return ValueScale(bounds: bounds, names: bounds.map(name))
    }

    private static func name(_ number: Double) -> String {
        if let whole = Int(exactly: number), whole.magnitude < 1 << 53 { return FigureText.grouped(whole) }
        return "\(number)"
    }

    // MARK: Dates

    private static let day = 86_400

    /// Spans for moments in seconds since 1970, of whole days at least or of any length; nil if there is no room.
    static func dates(from low: Int, to high: Int, areDays: Bool) -> ValueScale? {
        // From the year 0 to the year 9999, which have texts.
        guard low >= -62_167_219_200, high < 253_402_300_800 - 366 * 1000 * day, high > low else { return nil }
        let steps = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, day, 7 * day]
        for step in steps where (high - low) / step < most - 1 && (!areDays || step >= day) {
            // 1970 began on a Thursday, and weeks begin on Monday.
            let shift = step == 7 * day ? 4 * day : 0
            let first = Int((Double(low - shift) / Double(step)).rounded(.down)) * step + shift
            return scale(Array(stride(from: first, to: high + step + 1, by: step)))
        }
        var calendar = Foundation.Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        func month(_ seconds: Int) -> Int {
            let parts = calendar.dateComponents([.year, .month], from: Date(timeIntervalSince1970: Double(seconds)))
            return (parts.year ?? 0) * 12 + (parts.month ?? 1) - 1
        }
        let (start, end) = (month(low), month(high))
        for step in [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12_000] where (end - start) / step < most - 1 {
            let months = stride(from: start / step * step, through: (end / step + 1) * step, by: step)
            let bounds = months.compactMap { month in
                calendar.date(from: DateComponents(year: month / 12, month: month % 12 + 1, day: 1))
                    .map { Int($0.timeIntervalSince1970) }
            }
            return scale(bounds)
        }
        return nil
    }

    /// Spans between moments, named without the parts that are the same for all.
    private static func scale(_ bounds: [Int]) -> ValueScale? {
        let texts = bounds.compactMap { ISO8601Text.text(of: Double($0)) }
        guard texts.count == bounds.count, bounds.count > 1 else { return nil }
        let ends = [("-01-01T00:00:00Z", 4), ("-01T00:00:00Z", 7), ("T00:00:00Z", 10), (":00Z", 16)]
        let length = ends.first { end in texts.allSatisfy { $0.hasSuffix(end.0) } }?.1 ?? 19
        var scale = ValueScale(bounds: bounds.map(Double.init), names: texts.map { String($0.prefix(length)) })
        if length <= 10 { scale.days = texts.map { String($0.prefix(10)) } }
        return scale
    }
}
