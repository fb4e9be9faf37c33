import Foundation
import Testing
import TributaryImport
import TributaryTestSupport

/// The sketches of a profile: their errors, and that they do not depend on the order of the values.
@Suite struct SketchTests {
    @Test("The estimated number of different values is within its error in 10,000 sets")
    func estimates() {
        var lots = SeededGenerator.fresh()
        let seed = lots.seed
        for round in 0..<10_000 {
            var table = HashTable()
            let count = 64 + lots.below(1500)
            let start = Int64(bitPattern: lots.next())
            for index in 0..<count {
                let hash = ValueHash.integer(start &+ Int64(index))
                if !table.ignores(hash) { _ = table.add(hash, limit: 64) }
            }
            let values = table.values(limit: 64)
            let off = abs(Double(values.estimate - count)) / Double(count)
            #expect(off <= values.error, "\(values.estimate) of \(count) values, seed \(seed), round \(round)")
            #expect(values.isExact == (count == 64) && !values.hasRepeats)
        }
    }

    @Test("Values that come in any order, in parts or at once, are the same, with all their occurrences")
    func anyOrder() {
        var lots = SeededGenerator.fresh()
        let seed = lots.seed
        for _ in 0..<50 {
            let limit = [16, 64, 1024][lots.below(3)]
            let values = (0..<lots.below(4000)).map { _ in ValueHash.integer(Int64(lots.below(3000))) }
            var known: [UInt64: Int] = [:]
            for value in values { known[value, default: 0] += 1 }
            let lowest = known.keys.sorted().prefix(limit)
            var parts = [HashTable.collect(values[...], limit: limit)]
            let third = values.count / 3
            var merged = LowestHashes.none
            for part in [values[..<third], values[third..<2 * third], values[(2 * third)...]].reversed() {
                merged.merge(HashTable.collect(part, limit: limit), limit: limit)
            }
            parts.append(merged)
            for part in parts {
                #expect(part.hashes == Array(lowest), "seed \(seed)")
                #expect(part.counts == lowest.map { known[$0] ?? 0 }, "seed \(seed)")
                #expect(part.isExact == (known.count <= limit), "seed \(seed)")
            }
        }
    }

    @Test("The value at a rank is within the range that a histogram tells, however its parts were merged")
    func quantiles() throws {
        var lots = SeededGenerator.fresh()
        let seed = lots.seed
        for _ in 0..<200 {
            let scale = pow(10, Double(lots.below(40) - 20))
            let values = (0..<(1 + lots.below(500))).map { _ in
                scale * pow(10, Double(lots.below(1000)) / 1000 * Double(lots.below(30)))
            }
            let limit = [32, 256, 2048][lots.below(3)]
            var whole = Histogram(shift: Histogram.shiftOfDoubles)
            var parts = [Histogram](repeating: whole, count: 3)
            for (index, value) in values.enumerated() {
                whole.add(Histogram.key(value), limit: limit)
                parts[index % 3].add(Histogram.key(value), limit: limit)
            }
            parts[2].merge(parts[0], limit: limit)
            parts[2].merge(parts[1], limit: limit)
            #expect(parts[2] == whole, "seed \(seed)")
            #expect(whole.total == values.count && whole.counts.count <= limit)
            for (rank, value) in values.sorted().enumerated() {
                let range = try #require(whole.range(at: rank))
                #expect(range.contains(Histogram.key(value)), "seed \(seed)")
            }
        }
    }

    @Test(
        "Numbers that are equal have the same hash, and others another one",
        arguments: [
            (["0", "-0", "0.0", "0e5", "-0.000"], 0.0),
            (["1", "1.0", "1e0", "10e-1", "0.1E1", "1.000000000000000000"], 1),
            (["-2.5", "-25e-1", "-2.50", "-0.25e1"], -2.5), (["100", "1e2", "100.00", "1.00e2"], 100),
            (["9007199254740993", "9007199254740993.0", "9007199254740.993e3"], 9_007_199_254_740_992),
            (["12345678901234567890123", "1.2345678901234567890123e22"], 1.2345678901234568e22),
            (["1e-400", "10e-401"], Double.leastNonzeroMagnitude), (["1e400"], .infinity),
            (["123456789012345678"], 123_456_789_012_345_680), (["1234567890123456789"], 1_234_567_890_123_456_768),
        ])
    func numbers(_ texts: [String], _ value: Double) {
        let scans = texts.map { text in Array(text.utf8).withUnsafeBufferPointer { NumberScan($0) } }
        #expect(Set(scans.map(\.hash)).count == 1, "\(texts)")
        #expect(scans.allSatisfy { $0.double == value || $0.double == 0 && value == 0 }, "\(texts)")
        let others = ["3", "1.5", "9007199254740994", "12345678901234567890124", "1e-399", "1e401"]
        for other in others {
            let hash = Array(other.utf8).withUnsafeBufferPointer { NumberScan($0).hash }
            #expect(hash != scans[0].hash, "\(other) and \(texts[0])")
        }
    }
}

extension LowestHashes {
    /// No values.
    fileprivate static var none: LowestHashes { HashTable.collect([], limit: 16) }
}

extension HashTable {
    /// The lowest of some hashes.
    fileprivate static func collect(_ hashes: ArraySlice<UInt64>, limit: Int) -> LowestHashes {
        var table = HashTable()
        for hash in hashes where !table.ignores(hash) { _ = table.add(hash, limit: limit) }
        return table.values(limit: limit)
    }
}
