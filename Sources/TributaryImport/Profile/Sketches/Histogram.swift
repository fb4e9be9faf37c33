/// How many values lie in each of up to some thousand ranges, of equal or of logarithmic width.
///
/// A value has a whole number, its key, and the key without its last bits is the number of its range. When the ranges
/// from the lowest to the highest value are too many, each two become one. The result does not depend on the order of the
/// values, and two histograms merge into that of all values.
public struct Histogram: Sendable, Hashable, Codable {
    /// The number of bits that are left out of keys.
    package private(set) var shift: Int
    /// The first range.
    package private(set) var base = 0
    /// The number of values in each range.
    package private(set) var counts: [Int] = []

    /// The keys of positive numbers have this many bits fewer than a double, which leaves ranges of 1.6 %.
    package static let shiftOfDoubles = 46

    package init(shift: Int, base: Int = 0, counts: [Int] = []) {
        (self.shift, self.base, self.counts) = (shift, base, counts)
    }

    /// The key of a positive number; keys are in the order of the numbers, and infinity has that of the largest number.
    @inline(__always)
    package static func key(_ number: Double) -> Int {
        Int(truncatingIfNeeded: min(number, .greatestFiniteMagnitude).bitPattern)
    }

    /// The number of a key.
    package static func number(_ key: Int) -> Double { Double(bitPattern: UInt64(truncatingIfNeeded: key)) }

    /// Counts a value; `limit` is the number of ranges.
    @inline(__always)
    package mutating func add(_ key: Int, limit: Int) {
        let index = (key >> shift) - base
        if index >= 0, index < counts.count {
            counts[index] += 1
        } else {
            add(outside: key, times: 1, limit)
        }
    }

    private mutating func add(outside key: Int, times: Int, _ limit: Int) {
        var index = key >> shift
        if counts.isEmpty {
            (base, counts) = (index, [times])
            return
        }
        while max(index, base + counts.count - 1) - min(index, base) >= limit {
            coarsen()
            index = key >> shift
        }
        if index < base {
            counts.insert(contentsOf: repeatElement(0, count: base - index), at: 0)
            base = index
        }
        if index >= base + counts.count {
            counts.append(contentsOf: repeatElement(0, count: index - base - counts.count + 1))
        }
        counts[index - base] += times
    }

    private mutating func coarsen() {
        let halved = base >> 1
        var merged = [Int](repeating: 0, count: ((base + counts.count - 1) >> 1) - halved + 1)
        for (index, count) in counts.enumerated() { merged[((base + index) >> 1) - halved] += count }
        (base, counts) = (halved, merged)
        shift += 1
    }

    /// Adds the values of another histogram.
    package mutating func merge(_ other: Histogram, limit: Int) {
        var other = other
        while shift < other.shift { coarsen() }
        while other.shift < shift { other.coarsen() }
        for (index, count) in other.counts.enumerated() where count > 0 {
            // Each coarsening changes the index of a key.
            let key = (other.base + index) << other.shift
            let place = (key >> shift) - base
            if place >= 0, place < counts.count {
                counts[place] += count
            } else {
                add(outside: key, times: count, limit)
            }
        }
        cut(to: limit)
    }

    /// Widens the ranges until there are at most `limit`.
    mutating func cut(to limit: Int) {
        while counts.count > limit { coarsen() }
    }

    /// The number of values.
    public var total: Int { counts.reduce(0, +) }

    /// The lowest and the highest key that fall into the range of the value at `rank` from below.
    package func range(at rank: Int) -> ClosedRange<Int>? {
        var rest = rank
        for (index, count) in counts.enumerated() {
            if rest < count {
                let low = (base + index) << shift
                return low...low + ((1 << shift) - 1)
            }
            rest -= count
        }
        return nil
    }

    /// The non-empty ranges with their counts, in order.
    var ranges: [(keys: ClosedRange<Int>, count: Int)] {
        counts.enumerated().compactMap { index, count in
            guard count > 0 else { return nil }
            let low = (base + index) << shift
            return (low...low + ((1 << shift) - 1), count)
        }
    }
}
