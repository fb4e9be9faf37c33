extension NumberProfile {
    /// The number below which a share of all numbers lies, at most 0.8 % off; nil if there is none.
    public func quantile(_ share: Double) -> Double? {
        let total = count
        guard total > 0 else { return nil }
        let rank = min(total - 1, max(0, Int(share * Double(total))))
        return value(at: rank).map(clamped)
    }

    private func value(at rank: Int) -> Double? {
        let below = negative.total
        if rank < below { return negative.range(at: below - 1 - rank).map { -Histogram.middle($0) } }
        if rank < below + zeros { return 0 }
        return positive.range(at: rank - below - zeros).map(Histogram.middle)
    }

    private func clamped(_ value: Double) -> Double {
        min(max(value, Double(minimum) ?? value), Double(maximum) ?? value)
    }

    /// The mean of all numbers, at most 0.8 % of their magnitudes off.
    public var mean: Double? {
        guard count > 0 else { return nil }
        func sum(_ histogram: Histogram) -> Double {
            histogram.ranges.reduce(0) { $0 + Histogram.middle($1.keys) * Double($1.count) }
        }
        return (sum(positive) - sum(negative)) / Double(count)
    }

    /// How many numbers lie in each of `parts` ranges of equal width from the lowest to the highest.
    public func bars(_ parts: Int) -> [Double] {
        guard let low = Double(minimum), let high = Double(maximum), low.isFinite, high.isFinite, high > low else {
            return []
        }
        var bars = Bars(from: low, to: high, parts)
        if zeros > 0 { bars.add(0...0, zeros) }
        for (keys, count) in positive.ranges { bars.add(Histogram.numbers(keys), count) }
        for (keys, count) in negative.ranges {
            let range = Histogram.numbers(keys)
            bars.add(-range.upperBound ... -range.lowerBound, count)
        }
        return bars.counts
    }
}

extension TextProfile {
    /// How many texts have lengths in each of `parts` ranges of equal width from the shortest to the longest.
    public func bars(_ parts: Int) -> [Double] {
        guard longest > shortest else { return [] }
        let parts = min(parts, longest - shortest + 1)
        // A length of 0 is counted as 1, and so on.
        var bars = Bars(from: Double(shortest) + 0.5, to: Double(longest) + 1.5, parts)
        for (keys, count) in lengths.ranges { bars.add(Histogram.lengths(keys), count) }
        return bars.counts
    }

    /// How many dates lie in each of `parts` ranges of equal length from the first to the last.
    public func dateBars(_ parts: Int) -> [Double] {
        guard let low = dates.ranges.first?.keys.lowerBound, let high = dates.ranges.last?.keys.upperBound, high > low
        else { return [] }
        var bars = Bars(from: Double(low), to: Double(high), parts)
        for (keys, count) in dates.ranges { bars.add(Double(keys.lowerBound)...Double(keys.upperBound), count) }
        return bars.counts
    }

    /// The length below which a share of all texts lies, exact up to 126 characters.
    public func lengthQuantile(_ share: Double) -> Int? {
        let total = lengths.total
        guard total > 0 else { return nil }
        let rank = min(total - 1, max(0, Int(share * Double(total))))
        return lengths.range(at: rank).map { Int(Histogram.number($0.lowerBound)) - 1 }
    }
}

extension Histogram {
    /// A number in the middle of a range of keys.
    static func middle(_ keys: ClosedRange<Int>) -> Double {
        let (low, high) = (number(keys.lowerBound), number(keys.upperBound))
        // A whole number stands for its range, if it is the only one.
        let whole = low.rounded(.up)
        if whole <= high, whole + 1 > high { return whole }
        return high.isFinite ? low + (high - low) / 2 : low
    }

    /// The numbers of a range of keys.
    static func numbers(_ keys: ClosedRange<Int>) -> ClosedRange<Double> {
        let (low, high) = (number(keys.lowerBound), number(keys.upperBound))
        return low...(high.isFinite ? high : .greatestFiniteMagnitude)
    }

    /// The lengths of a range of keys, each in the middle of a whole number.
    static func lengths(_ keys: ClosedRange<Int>) -> ClosedRange<Double> {
        let (low, high) = (number(keys.lowerBound).rounded(.up), number(keys.upperBound).rounded(.down))
        return low...max(low, high)
    }
}

/// Counts in parts of equal width.
private struct Bars {
    private let start: Double
    private let width: Double
    private(set) var counts: [Double]

    init(from start: Double, to end: Double, _ parts: Int) {
        self.start = start
        width = end / Double(parts) - start / Double(parts)
        counts = [Double](repeating: 0, count: parts)
    }

    /// Adds values that are spread over a range.
    mutating func add(_ range: ClosedRange<Double>, _ count: Int) {
        let (first, last) = (part(range.lowerBound), part(range.upperBound))
        guard first < last else {
            counts[first] += Double(count)
            return
        }
        let share = Double(count) / (range.upperBound - range.lowerBound)
        for index in first...last {
            let low = max(range.lowerBound, start + Double(index) * width)
            let high = min(range.upperBound, start + Double(index + 1) * width)
            counts[index] += max(0, high - low) * share
        }
    }

    private func part(_ value: Double) -> Int {
        let place = (value - start) / width
        return place.isFinite ? min(counts.count - 1, max(0, Int(place))) : 0
    }
}
