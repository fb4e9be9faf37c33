import Testing
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// Imports of objects with a second unique attribute, whose conflicts depend on earlier records and not on batches.
@Suite struct SecondConstraintTests {
    private static let known = #"[{"id":1,"j":"u"},{"id":2,"j":"v"}]"#

    @Test(
        "A record with a unique value of another object is rejected",
        arguments: SeatStore.Way.allCases, [1, 2, 3, 100])
    func whatIsTakenIsRefused(_ way: SeatStore.Way, _ batchSize: Int) throws {
        let seats = try SeatStore(way)
        #expect(try seats.take(Self.known).tally == [2, 2, 0, 0, 0, 0, 0])
        let feed = #"[{"id":3,"j":"v"},{"id":2,"j":"u"},{"id":1,"j":"q"},{"id":2,"j":"u"}]"#
        #expect(try seats.take(feed) { $0.batchSize = batchSize }.tally == [4, 0, 2, 0, 0, 0, 2])
        #expect(try seats.rows() == ["1 1 q -", "2 2 u -"])
        #expect(try seats.refused() == ["1 store.unique", "2 store.unique"])
        #expect(try seats.faults() == [])
    }

    @Test(
        "A record with a taken unique value is rejected in an empty table as well",
        arguments: SeatStore.Way.allCases, [1, 2, 3, 100])
    func alsoInATableThatWasEmpty(_ way: SeatStore.Way, _ batchSize: Int) throws {
        let seats = try SeatStore(way)
        let feed = #"[{"id":2,"j":"u"},{"id":3,"j":"u"},{"id":4,"j":"w"}]"#
        #expect(try seats.take(feed) { $0.batchSize = batchSize }.tally == [3, 2, 0, 0, 0, 0, 1])
        #expect(try seats.rows() == ["1 2 u -", "3 4 w -"])
        #expect(try seats.refused() == ["2 store.unique"])
        #expect(try seats.faults() == [])
    }

    @Test("Unique values move between objects in feed order", arguments: SeatStore.Way.allCases, [1, 2, 3, 100])
    func valuesArePassedOnInTheOrderOfTheFeed(_ way: SeatStore.Way, _ batchSize: Int) throws {
        let seats = try SeatStore(way)
        #expect(try seats.take(Self.known).tally == [2, 2, 0, 0, 0, 0, 0])
        // Two records cannot swap their values, since each conflicts with the other; a first step through null helps.
        let swap = #"[{"id":1,"j":"v"},{"id":2,"j":"u"}]"#
        #expect(try seats.take(swap) { $0.batchSize = batchSize }.tally == [2, 0, 0, 0, 0, 0, 2])
        #expect(try seats.rows() == ["1 1 u -", "2 2 v -"])
        let ring = #"[{"id":1,"j":null},{"id":2,"j":"u"},{"id":1,"j":"v"},{"id":3,"j":"v"},{"id":4,"j":"w"}]"#
        #expect(try seats.take(ring) { $0.batchSize = batchSize }.tally == [5, 1, 3, 0, 0, 0, 1])
        #expect(try seats.rows() == ["1 1 v -", "2 2 u -", "9 4 w -"])
        #expect(try seats.refused() == ["4 store.unique"])
        #expect(try seats.faults() == [])
    }

    @Test("Random conflicts have the result of applying one record at a time", arguments: 0..<10)
    func theyComeToWhatOneByOneComesTo(_ number: Int) throws {
        var lots = SeededGenerator.sampled(5_500, case: UInt64(number))
        let mode = number < 6 ? ImportMode.upsert : ImportMode.allCases[number % ImportMode.allCases.count]
        let earlier = (0..<lots.below(4)).map { _ in SeatRecord(&lots, mayBeWrong: false) }
        let feed = (0..<6 + lots.below(12)).map { _ in SeatRecord(&lots, mayBeWrong: mode == .upsert) }
        var oracle = SeatOracle(.upsert)
        oracle.take(earlier)
        oracle = SeatOracle(mode, after: oracle)
        oracle.take(feed)
        func text(_ records: [SeatRecord]) -> String { "[" + records.map(\.text).joined(separator: ",\n") + "]" }
        for way in SeatStore.Way.allCases {
            var lines: [String]?
            for batchSize in 1...5 {
                let jobs = [1, 3][(batchSize + number) % 2]
                let place = "seed \(lots.seed), \(mode), \(way), batch \(batchSize), jobs \(jobs): \(text(feed))"
                let seats = try SeatStore(way)
                if !earlier.isEmpty { _ = try seats.take(text(earlier)) }
                let books = try seats.take(text(feed)) { options in
                    (options.mode, options.batchSize, options.jobs) = (mode, batchSize, jobs)
                }
                #expect(books.tally == oracle.books.tally, "\(place)")
                #expect(try seats.rows() == oracle.rows, "\(place)")
                #expect(try seats.refused() == oracle.refused, "\(place)")
                let rejected = try seats.rejectedLines()
                #expect(rejected == lines ?? rejected, "\(place)")
                lines = rejected
                #expect(try seats.faults() == [], "\(place)")
            }
        }
    }
}
