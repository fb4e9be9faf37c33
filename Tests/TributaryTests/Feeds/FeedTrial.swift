import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A random feed with its model, its layout and earlier rows, whose import has one result with any settings.
struct FeedTrial: Sendable {
    let model: FeedModel
    let mode: ImportMode
    let layout: Feed.Layout
    let policy: ErrorPolicy
    let limit: Int?
    /// The feed that fills the store beforehand; nil for an empty store.
    let earlier: Feed?
    let feed: Feed
    let seed: UInt64

    init(_ lots: inout SeededGenerator, mode: ImportMode? = nil) {
        model = FeedModel(&lots)
        self.mode = mode ?? lots.pick(ImportMode.allCases)
        layout = lots.pick(Feed.Layout.allCases)
        policy = lots.pick([.skip, .quarantine])
        let count = lots.pick([1, 20, 60, 200])
        limit = lots.once(in: 5) ? lots.below(count + 2) : nil
        let keys = lots.pick([3, count / 4 + 1, count * 2])
        let dirt = lots.once(in: 3) ? Feed.Dirt.none : .some
        earlier = lots.once(in: 2) ? Feed(model, count: count / 2 + 1, keys: keys, dirt: .none, &lots) : nil
        feed = Feed(model, count: count, keys: keys, dirt: dirt, &lots)
        seed = lots.next()
    }

    /// The expected result.
    var oracle: FeedOracle {
        var oracle = FeedOracle(model, .upsert)
        if let earlier { oracle.take(earlier) }
        oracle = FeedOracle(model, mode, after: oracle)
        oracle.take(feed, limit: limit)
        return oracle
    }

    /// A store into which the earlier feed is imported.
    func makeStore(_ creation: StoreOptions.Creation) throws -> FeedStore {
        let store = try FeedStore(model, creation: creation)
        if let earlier {
            var options = FeedSetup().options(.upsert, rejects: store.folder.path("earlier.ndjson"))
            options.onError = .quarantine
            let source = FeedSource(name: "earlier", bytes: earlier.bytes(.array, seed: seed))
            _ = try store.makeImport([source], options, at: "[]").perform()
        }
        return store
    }

    /// The result of an import.
    struct Result: Equatable {
        var rows: [String]
        var rejects: [String]
        var counts: [Int]
        /// A description of each round, for the messages of failures.
        var rounds: [String] = []
    }

    func bytes(_ compressor: Compressor?) -> [UInt8] {
        let plain = feed.bytes(layout, seed: seed)
        guard let compressor else { return plain }
        // Two members or frames in a row.
        let half = plain.count / 2
        return compressor.compress(Array(plain[..<half])) + compressor.compress(Array(plain[half...]))
    }

    /// Writes the feed to a file for inspection, and returns its path.
    func keepFeed() throws -> String {
        let path = NSTemporaryDirectory() + "tributary-feed-\(seed).json"
        try Data(feed.bytes(layout, seed: seed)).write(to: URL(filePath: path))
        return path
    }

    /// Imports the feed into a store.
    func run(_ store: FeedStore, _ setup: FeedSetup, compressor: Compressor?, lots: inout SeededGenerator) async throws
        -> Result
    {
        let bytes = bytes(compressor)
        let file = lots.once(in: 2) ? try store.folder.write(bytes, to: "feed.json") : nil
        var setup = setup
        var rounds: [String] = []
        for round in 0...setup.interruptions {
            let isLast = round == setup.interruptions
            if round > 0 {
                setup.redraw(&lots)
                if lots.once(in: 4) { try await store.reopen() }
            }
            var options = setup.options(mode, rejects: store.folder.path("rejects.ndjson"))
            // A round may stop at a bad record, before a later one resumes with the policy that tolerates it.
            options.onError = !isLast && lots.once(in: 2) ? .stop : policy
            if options.onError != .quarantine { options.rejects = nil }
            options.limit = limit
            let stop = Guarded<StreamImport?>(nil)
            let cancel: @Sendable () -> Void = { stop.withLock { $0 }?.cancel() }
            var source = FeedSource(name: "feed", bytes: bytes, piece: setup.piece)
            if !isLast {
                if file != nil || lots.once(in: 3) {
                    store.after(1 + lots.below(lots.once(in: 2) ? 60 : 3 * feed.records.count), cancel)
                } else {
                    let place = lots.below(bytes.count + 1)
                    source.event = (place, lots.once(in: 2) ? .failure : .call(cancel))
                }
            }
            if let nudge = setup.nudge { store.nudge(every: nudge) }
            let sources: [any ByteSource] = file.map { [FileSource($0)] } ?? [source]
            let feed = store.makeImport(sources, options, at: layout.path)
            stop.withLock { $0 = feed }
            defer {
                stop.withLock { $0 = nil }
                store.calm()
            }
            do {
                let outcome = try feed.perform()
                rounds.append("\(setup), \(options.onError): \(outcome)")
                if case .finished(let books) = outcome { return try result(store, books, rounds) }
                if isLast { throw Unfinished(outcome: "\(outcome)") }
            } catch let error as JSONError where !isLast && (error.code == .sourceRead || options.onError == .stop) {
                rounds.append("\(setup), \(options.onError): \(error)")
                continue
            } catch let error as ImportError where !isLast && error.code == .rejected {
                rounds.append("\(setup), \(options.onError): \(error)")
                continue
            }
        }
        throw Unfinished(outcome: "it never ended")
    }

    struct Unfinished: Error { let outcome: String }

    private func result(_ store: FeedStore, _ books: ImportSummary, _ rounds: [String]) throws -> Result {
        Result(
            rows: try store.rows(), rejects: try store.rejects("rejects.ndjson"), counts: books.tally,
            rounds: rounds)
    }

    /// The first difference from the expected result; nil if there is none.
    func difference(_ result: Result, from oracle: FeedOracle) -> String? {
        if result.counts != oracle.books.tally { return "the books say \(result.counts), not \(oracle.books.tally)" }
        for (found, expected) in zip(result.rows, oracle.rows) where found != expected {
            return "a row is \(found), not \(expected)"
        }
        guard result.rows.count == oracle.rows.count else {
            return "\(result.rows.count) rows, not \(oracle.rows.count)"
        }
        let kept = policy == .quarantine ? oracle.books.rejected : 0
        guard result.rejects.count == kept else { return "\(result.rejects.count) rejects, not \(kept)" }
        return nil
    }
}
