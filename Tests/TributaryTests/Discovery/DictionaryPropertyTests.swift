import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Dictionaries at two levels become the rows that plain code makes of them.
///
/// `TRIBUTARY_DICTIONARIES` sets the number of feeds.
@Suite struct DictionaryPropertyTests {
    private static let count =
        ProcessInfo.processInfo.environment["TRIBUTARY_DICTIONARIES"].flatMap { Int($0) } ?? 12
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    private func take(
        _ feed: DictionaryFeed, into name: String, _ lots: inout SeededGenerator, isSync: Bool = false
    ) throws -> ImportSummary {
        let path = try folder.write(feed.json.utf8, to: "\(UUID()).json")
        let tables = feed.isStated ? ["d{}": "d", "t.d{}.i{}": "i", "s{}": "s"] : [:]
        let found = try DiscoveredRelations(
            in: [.file(path)], table: "t", all: lots.once(in: 2), tables: tables, into: folder.path(name))
        var options = ImportOptions()
        options.batchSize = 1 + lots.below(20)
        options.jobs = 1 + lots.below(3)
        options.firstLoad = lots.once(in: 2) ? .direct : .inGroups
        if isSync {
            options.sync = SyncOptions(feed: "f")
            options.sync?.limit = .percent(100)
        }
        let manager = try ContextManager(found, at: folder.path(name))
        return try manager.load(.file(path), [found.route()], options)
    }

    private func rows(_ name: String) throws -> [[String]] {
        var options = Connection.Options()
        options.isReadOnly = true
        let connection = try Connection(.file(folder.path(name)), options: options)
        return try DictionaryFeed.queries.map { query in
            try connection.rows(of: SQLFragment(trusted: query)).map { row in
                row.map { value in
                    switch value {
                    case .null: "-"
                    case .integer(let number): "\(number)"
                    case .real(let number): "\(number)"
                    case .text(let text): text
                    case .blob: "blob"
                    }
                }.joined(separator: " ")
            }
        }
    }

    private func expect(_ name: String, _ records: some Sequence<DictionaryFeed.Record>, _ place: String) throws {
        for (found, expected) in zip(try rows(name), DictionaryFeed.rows(records)) {
            let isEqual = found == expected
            #expect(isEqual, "\(place): \(Set(found).symmetricDifference(expected).sorted())")
        }
    }

    @Test(
        "Random dictionaries become the same rows in any way, later dumps update them, and a sync equals a new import")
    func equal() throws {
        var lots = SeededGenerator.sampled(17_100)
        for number in 0..<Self.count {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            var feed = DictionaryFeed(&own)
            for round in 0..<3 {
                feed.advance(&own)
                let place = "seed \(seed), dump \(round)"
                let summary = try take(feed, into: "\(number).sqlite", &own)
                #expect(summary.rejected == 0 && summary.isBalanced, "\(place): \(summary)")
                try expect("\(number).sqlite", feed.kept.values, place)
                let again = try take(feed, into: "\(number).sqlite", &own)
                #expect(again.unchanged == feed.records.count, "\(place), again: \(again)")
                #expect(again.related?.values.allSatisfy { $0.updated + $0.inserted == 0 } ?? true, "\(place), again")
                try take(feed, into: "\(number)-\(round).sqlite", &own)
                try expect("\(number)-\(round).sqlite", feed.records, "\(place), new")
                // What no record mentions any more goes, also if its record is still there.
                try take(feed, into: "\(number)-sync.sqlite", &own, isSync: true)
                try expect("\(number)-sync.sqlite", feed.records, "\(place), sync")
            }
        }
    }
}
