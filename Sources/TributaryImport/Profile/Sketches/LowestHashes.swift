/// The values with the lowest hashes, each with the number of times that it occurs.
///
/// Up to `limit` different values are counted exactly. Beyond that the density of the lowest hashes tells how many there
/// are, with a standard error of `1 / √limit`. A value that is kept was below the falling threshold all the time, so its
/// count is exact: one count of 2 disproves a key. Two sets of values merge in any order with the same result.
public struct LowestHashes: Sendable, Hashable {
    /// The hashes in ascending order.
    package internal(set) var hashes: [UInt64] = []
    /// How often each value occurs.
    package internal(set) var counts: [Int] = []
    /// All hashes that are kept are below it; nil while all are.
    package internal(set) var threshold: UInt64?

    /// Whether all different values are kept.
    public var isExact: Bool { threshold == nil }

    /// The number of different values; an estimate unless `isExact`.
    public var estimate: Int {
        guard let threshold else { return hashes.count }
        // Hashes that another program has chosen may stand for more than there can be.
        return Int(min(0x1p62, Double(hashes.count) / Double(threshold) * 0x1p64).rounded())
    }

    /// The relative error that an estimate does not exceed, of which a sixth is usual; 0 if the number is exact.
    public var error: Double {
        guard !isExact, !hashes.isEmpty else { return 0 }
        let usual = 1 / Double(hashes.count).squareRoot()
        // Few values overestimate more than they underestimate.
        return 6 * usual * (1 + 4 * usual)
    }

    /// Whether a kept value occurs more than once.
    public var hasRepeats: Bool { counts.contains { $0 > 1 } }

    /// The number of occurrences of a kept value; nil if it is not kept.
    func count(of hash: UInt64) -> Int? {
        var (low, high) = (0, hashes.count)
        while low < high {
            let middle = (low + high) / 2
            if hashes[middle] < hash { low = middle + 1 } else { high = middle }
        }
        return low < hashes.count && hashes[low] == hash ? counts[low] : nil
    }

    /// Adds the values of others, and keeps at most `limit`.
    package mutating func merge(_ other: LowestHashes, limit: Int) {
        let bound = [threshold, other.threshold].compactMap(\.self).min()
        var (merged, sums): ([UInt64], [Int]) = ([], [])
        merged.reserveCapacity(hashes.count + other.hashes.count)
        var (own, their) = (0, 0)
        while own < hashes.count || their < other.hashes.count {
            let mine = own < hashes.count ? hashes[own] : .max
            let theirs = their < other.hashes.count ? other.hashes[their] : .max
            let next = min(mine, theirs)
            if let bound, next >= bound { break }
            var sum = 0
            if own < hashes.count, mine == next { (sum, own) = (sum + counts[own], own + 1) }
            if their < other.hashes.count, theirs == next { (sum, their) = (sum + other.counts[their], their + 1) }
            merged.append(next)
            sums.append(sum)
        }
        (hashes, counts, threshold) = (merged, sums, bound)
        cut(to: limit)
    }

    /// Keeps at most `limit` values.
    mutating func cut(to limit: Int) {
        guard hashes.count > limit else { return }
        threshold = hashes[limit]
        hashes.removeSubrange(limit...)
        counts.removeSubrange(limit...)
    }
}
