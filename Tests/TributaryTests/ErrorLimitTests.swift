import Testing
import TributaryJSON
import TributaryTestSupport

import Tributary

/// How many records may be refused, as a share of all.
@Suite struct ErrorLimitTests {
    /// Records of which the first ones are refused.
    private static func text(_ count: Int, wrong: Int) -> String {
        "[" + (0..<count).map { "{\"id\":\($0),\"name\":\($0 < wrong ? "7" : "\"n\"")}" }.joined(separator: ",") + "]"
    }

    /// Imports them; gives back how many were refused, or nil if those were too many.
    private func take(
        _ items: ItemStore, _ count: Int, wrong: Int, _ limit: ErrorLimit, batchSize: Int
    ) throws -> Int? {
        do {
            return try items.take(Self.text(count, wrong: wrong)) { options in
                (options.onError, options.maxErrors, options.batchSize) = (.skip, limit, batchSize)
                options.resuming = .resume
            }
            .rejected
        } catch let error as ImportError where error.code == .tooManyErrors {
            #expect(error.reason == "\(wrong) of \(count) records were rejected, more than \(limit)")
            return nil
        }
    }

    /// Of few records as well the share is judged, when all have been read.
    @Test(arguments: [1, 50, 10_000]) func fewRecordsAreJudgedInTheEnd(_ batchSize: Int) throws {
        for (count, wrong, share, isBorne) in [
            (900, 900, 1, false), (900, 10, 1, false), (900, 9, 1, true), (900, 5, 1, true), (900, 400, 50, true),
            (1, 1, 99, false), (1, 1, 100, true), (3, 1, 0, false), (3, 0, 0, true),
        ] as [(Int, Int, Double, Bool)] {
            let items = try ItemStore()
            let rejected = try take(items, count, wrong: wrong, .percent(share), batchSize: batchSize)
            #expect(rejected == (isBorne ? wrong : nil), "\(wrong) of \(count), \(share)%")
            // What could be read is there in any case.
            #expect(try items.rows().count == count - wrong)
            #expect(try items.faults() == [])
        }
    }

    /// Whoever comes back with the same limit is told so at once: nothing more is read.
    @Test func nothingIsReadBeyondTheLimit() throws {
        let items = try ItemStore()
        let text = Self.text(90_000, wrong: 200)
        var counts: [Int] = []
        for _ in 0..<2 {
            let feed = items.makeImport(MemorySource(text.utf8)) { options in
                (options.onError, options.maxErrors, options.batchSize) = (.skip, .count(100), 100)
                options.resuming = .resume
            }
            #expect(throws: ImportError.self) { try feed.perform() }
            let rows = try items.rows().count
            #expect(rows < 90_000 - 200)
            counts.append(rows)
        }
        #expect(counts[0] == counts[1])
    }

    @Test func whoBearsMoreGoesOn() throws {
        let items = try ItemStore()
        for _ in 0..<2 { #expect(try take(items, 900, wrong: 900, .percent(1), batchSize: 100) == nil) }
        #expect(try take(items, 900, wrong: 900, .percent(100), batchSize: 100) == 900)
        #expect(try items.rows() == [])
    }
}
