import Testing
import TributaryJSON
import TributaryTestSupport

import Tributary

/// The limit of rejected records, as a count or as a share of all records.
@Suite struct ErrorLimitTests {
    /// Records of which the first `wrong` are rejected.
    private static func text(_ count: Int, wrong: Int) -> String {
        "[" + (0..<count).map { "{\"id\":\($0),\"name\":\($0 < wrong ? "7" : "\"n\"")}" }.joined(separator: ",") + "]"
    }

    /// Imports such records and returns how many were rejected, or nil if the limit was exceeded.
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

    @Test("A percentage of rejected records is checked at the end of a short feed as well", arguments: [1, 50, 10_000])
    func fewRecordsAreJudgedInTheEnd(_ batchSize: Int) throws {
        for (count, wrong, share, isAllowed) in [
            (900, 900, 1, false), (900, 10, 1, false), (900, 9, 1, true), (900, 5, 1, true), (900, 400, 50, true),
            (1, 1, 99, false), (1, 1, 100, true), (3, 1, 0, false), (3, 0, 0, true),
        ] as [(Int, Int, Double, Bool)] {
            let items = try ItemStore()
            let rejected = try take(items, count, wrong: wrong, .percent(share), batchSize: batchSize)
            #expect(rejected == (isAllowed ? wrong : nil), "\(wrong) of \(count), \(share)%")
            // Valid records are imported in either case.
            #expect(try items.rows().count == count - wrong)
            #expect(try items.faults() == [])
        }
    }

    @Test("An option that its error policy makes useless is refused before anything is read")
    func uselessOptions() throws {
        for policy in [ErrorPolicy.stop, .skip, .quarantine] {
            for setsLimit in [false, true] {
                let items = try ItemStore()
                let feed = items.makeImport(MemorySource(Self.text(3, wrong: 0).utf8)) { options in
                    options.onError = policy
                    if setsLimit { options.maxErrors = .count(1) } else { options.rejects = items.folder.path("r") }
                }
                if policy == .quarantine || (policy == .skip && setsLimit) {
                    #expect(try feed.perform().summary.inserted == 3)
                    continue
                }
                let error = #expect(throws: ImportError.self) { try feed.perform() }
                #expect(error?.code == .misuse && error?.reason.contains(setsLimit ? "maxErrors" : "file") == true)
                #expect(try items.rows().isEmpty)
            }
        }
    }

    @Test("An import over its error limit stops, and resuming it reads nothing more")
    func nothingIsReadBeyondTheLimit() throws {
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

    @Test("An import over its error limit resumes with a higher limit")
    func aHigherLimitResumes() throws {
        let items = try ItemStore()
        for _ in 0..<2 { #expect(try take(items, 900, wrong: 900, .percent(1), batchSize: 100) == nil) }
        #expect(try take(items, 900, wrong: 900, .percent(100), batchSize: 100) == 900)
        #expect(try items.rows() == [])
    }
}
