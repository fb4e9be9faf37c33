import Foundation
import Testing
import TributaryTestSupport

import Tributary

/// Imports of random feeds with random settings, compared with a dictionary of one record at a time (P2, P3, P5).
///
/// `TRIBUTARY_FEEDS` sets the number of feeds for each mode.
@Suite struct FeedPropertyTests {
    private static let count = ProcessInfo.processInfo.environment["TRIBUTARY_FEEDS"].flatMap { Int($0) } ?? 12

    @Test("A feed gives the same rows and rejects with any settings and interruptions", arguments: ImportMode.allCases)
    func anyWayComesToTheSame(_ mode: ImportMode) async throws {
        var lots = SeededGenerator.sampled(4_000, case: UInt64(mode.rawValue.count))
        for number in 0..<Self.count {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            let trial = FeedTrial(&own, mode: mode)
            let oracle = trial.oracle
            var reference: [String]?
            for way in 0..<3 {
                let setup = way == 0 ? FeedSetup() : FeedSetup(&own)
                let compressor = way == 0 ? nil : own.pick([nil, Compressor.gzip, Compressor.zstd])
                let place = "feed \(number) of seed \(lots.seed), way \(way): \(mode), \(trial.layout), \(setup)"
                let store = try trial.makeStore(own.once(in: 2) ? .whenOpened : .afterFirstImport)
                do {
                    let result = try await trial.run(store, setup, compressor: compressor, lots: &own)
                    if let difference = trial.difference(result, from: oracle) {
                        Issue.record(
                            "\(place): \(difference); the feed is in \(try trial.keepFeed()); \(result.rounds.joined(separator: "\n"))"
                        )
                        return
                    }
                    #expect(try store.faults() == [], "\(place)")
                    #expect(result.rejects == reference ?? result.rejects, "\(place)")
                    reference = result.rejects
                } catch {
                    Issue.record("\(place): \(error)")
                    return
                }
            }
        }
    }
}
