import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Random feeds, some damaged or interrupted, against a naive oracle.
///
/// `TRIBUTARY_FEEDS` sets the number of worlds.
@Suite struct SyncPropertyTests {
    private static let count = ProcessInfo.processInfo.environment["TRIBUTARY_FEEDS"].flatMap { Int($0) } ?? 40
    private static let runs = 10

    /// Runs an import to its end, interrupted now and then; nil if it was refused to delete.
    private func perform(
        _ world: ShopWorld, _ lines: [ShopWorld.Line], _ kind: String, _ options: ImportOptions, name: String,
        _ lots: inout SeededGenerator
    ) throws -> ImportSummary? {
        for _ in 0..<(lots.once(in: 3) ? 1 + lots.below(2) : 0) {
            let (feed, _) = world.makeImport(lines, into: kind, options, name: name, &lots, isInterrupted: true)
            let before = try world.content()
            do {
                // A failure after the last byte does not stop it.
                return try feed.perform().summary
            } catch let error as JSONError where error.code == .sourceRead {
                let after = try world.content()
                for (kind, rows) in before {
                    let lost = Set(rows.keys).subtracting((after[kind] ?? [:]).keys)
                    #expect(lost.isEmpty, "an interrupted sync has deleted \(lost)")
                }
            } catch let error as ImportError where error.code == .tooManyDeletions {
                return nil
            }
        }
        let (feed, _) = world.makeImport(lines, into: kind, options, name: name, &lots)
        do {
            let outcome = try feed.perform()
            return outcome.summary
        } catch let error as ImportError where error.code == .tooManyDeletions {
            return nil
        }
    }

    /// What is synced, and how an empty table is filled: only one without relations is filled directly.
    enum Way: CaseIterable {
        case related, flat, direct
    }

    @Test("A sync comes to what a naive one does, whatever its settings and interruptions", arguments: Way.allCases)
    func syncsEqualTheOracle(_ way: Way) throws {
        var lots = SeededGenerator.sampled(8_000)
        for number in 0..<Self.count {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            let isNew = way == .direct && own.once(in: 2)
            let world = try ShopWorld(isFlat: way != .related, creation: isNew ? .afterFirstImport : .whenOpened)
            var oracle = ShopOracle()
            oracle.isFlat = way != .related
            for run in 0..<Self.runs {
                let kind = own.pick(ShopOracle.kinds)
                let feed = "\(kind) \(own.pick(["north", "south"]))"
                let lines = oracle.lines(kind, &own)
                let limit = own.once(in: 4) ? own.below(3) : 100
                var options = ImportOptions()
                options.sync = SyncOptions(feed: feed)
                options.sync?.limit = .count(limit)
                options.firstLoad = way == .direct ? .direct : .inGroups
                options.isUndoable = own.once(in: 3)
                options.loadBytes = own.pick([nil, 64])
                let place = "\(way), world \(number), seed \(seed), run \(run): \(feed)"
                let summary = try perform(world, lines, kind, options, name: "\(feed) \(number) \(run)", &own)
                let expected = oracle.sync(lines, kind, feed: feed, limit: limit)
                #expect((summary == nil) == expected.isRefused, "\(place)")
                if let summary {
                    var found = ShopOracle.Outcome()
                    (found.inserted, found.updated) = (summary.inserted, summary.updated)
                    (found.unchanged, found.rejected) = (summary.unchanged, summary.rejected)
                    found.deleted = summary.sync?.deleted ?? [:]
                    #expect(found == expected, "\(place)")
                    #expect(summary.isBalanced, "\(place)")
                }
                let content = try world.content()
                #expect(content == oracle.content, "\(place)")
                guard content == oracle.content else { return }
            }
        }
    }

    @Test("An undo gives back what was there, but for edited rows")
    func undoRestores() throws {
        var lots = SeededGenerator.sampled(8_100)
        for number in 0..<Self.count {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            let world = try ShopWorld()
            var oracle = ShopOracle()
            for run in 0..<Self.runs {
                let kind = own.pick(ShopOracle.kinds)
                let lines = oracle.lines(kind, &own)
                let before = (oracle: oracle, content: try world.content())
                var options = ImportOptions()
                options.isUndoable = true
                // A plain import of the same lines deletes nothing.
                let isSync = own.once(in: 2)
                if isSync { options.sync = SyncOptions(feed: kind) }
                options.sync?.limit = .count(100)
                let place = "world \(number), seed \(seed), run \(run): \(kind)"
                let summary = try perform(world, lines, kind, options, name: "\(kind) \(number) \(run)", &own)
                _ = oracle.sync(lines, kind, feed: isSync ? kind : "none \(run)", limit: isSync ? 100 : 0)
                guard let summary, own.once(in: 2) else { continue }
                let after = try world.content()
                // Another program edits some rows that are still there.
                var edited: Set<Int> = []
                if own.once(in: 3) {
                    let changed = (after[kind] ?? [:]).keys.filter { after[kind]?[$0] != before.content[kind]?[$0] }
                    edited = Set(changed.sorted().prefix(1))
                    for id in edited {
                        try world.manager.stores.stores[0].write { connection in
                            try connection.execute(
                                "UPDATE \(identifier: kind) SET \"name\" = 'edited' WHERE \"id\" = \(id)")
                        }
                    }
                }
                let undone = try world.manager.imports.undo(run: summary.run)
                let content = try world.content()
                guard edited.isEmpty else {
                    #expect(undone.keptCount >= edited.count, "\(place)")
                    for id in edited { #expect(content[kind]?[id]?.hasPrefix("edited") == true, "\(place)") }
                    break
                }
                #expect(undone.keptCount == 0, "\(place): \(undone.kept)")
                #expect(content == before.content, "\(place)")
                guard content == before.content else { return }
                oracle = before.oracle
                #expect(throws: ImportError.self, "\(place)") { try world.manager.imports.undo(run: summary.run) }
            }
        }
    }
}
