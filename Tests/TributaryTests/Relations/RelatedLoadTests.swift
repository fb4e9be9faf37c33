import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Tables of nested objects that are filled page by page are the same as tables that are filled in groups.
///
/// `TRIBUTARY_NESTS` sets the number of random dumps.
@Suite struct RelatedLoadTests {
    private static let count = ProcessInfo.processInfo.environment["TRIBUTARY_NESTS"].flatMap { Int($0) } ?? 30
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Imports a text with random settings, interrupted now and then; returns the summary of the last import.
    private func take(
        _ text: String, as found: DiscoveredRelations, into name: String, isDirect: Bool,
        _ lots: inout SeededGenerator
    ) throws -> ImportSummary? {
        let interruptions = lots.once(in: 2) ? lots.below(4) : 0
        let manager = try ContextManager(found, at: folder.path(name))
        for round in 0...interruptions {
            var setup = FeedSetup()
            setup.redraw(&lots)
            setup.isDirect = isDirect
            var options = setup.options(.upsert, rejects: folder.path("rejects.ndjson"))
            options.rejects = nil
            options.onError = .quarantine
            let bytes = Array(text.utf8)
            var source = FeedSource(name: "feed of \(name)", bytes: bytes, piece: setup.piece)
            let held = Guarded<StreamImport?>(nil)
            if round < interruptions {
                let cancel: @Sendable () -> Void = { held.withLock { $0 }?.cancel() }
                source.event = (lots.below(bytes.count + 1), lots.once(in: 2) ? .failure : .call(cancel))
            }
            let feed = StreamImport(into: manager, from: [source], routes: [found.route()], options: options)
            held.withLock { $0 = feed }
            defer { held.withLock { $0 = nil } }
            do {
                if case .finished(let summary) = try feed.perform() { return summary }
            } catch let error as JSONError where round < interruptions && error.code == .sourceRead {
                continue
            }
        }
        Issue.record("the import into \(name) never ended")
        return nil
    }

    /// All rows of all tables, and what SQLite says against the database.
    private func dump(_ name: String) throws -> [String] {
        let connection = try Connection(.file(folder.path(name)))
        let tables = try connection.texts(
            of:
                "SELECT \"name\" FROM sqlite_master WHERE \"type\" = 'table' AND \"name\" NOT IN ('_run', '_metadata') ORDER BY 1"
        )
        var lines = try connection.texts(of: "PRAGMA integrity_check").filter { $0 != "ok" }
        lines += try connection.rows(of: "PRAGMA foreign_key_check") { "violation in \($0.text(at: 0))" }
        for table in tables where !table.hasPrefix("sqlite_") {
            // The version counts the writes of a row, and waiting references those before, which depend on the groups.
            let names = try connection.texts(
                of: "SELECT \"name\" FROM pragma_table_info(\(table)) WHERE \"name\" NOT IN ('_version', 'run')"
            ).filter { table != "_waiting" || $0 != "id" }
            let columns = SQLFragment(trusted: names.map { SQLIdentifier($0).quoted }.joined(separator: ", "))
            lines += try connection.rows(of: "SELECT \(columns) FROM \(identifier: table)")
                .map { "\(table) \(zip(names, $0).map { "\($0)=\($1)" })" }.sorted()
        }
        return lines
    }

    private func difference(_ found: [String], _ expected: [String]) -> String {
        "\nfound: \(Set(found).subtracting(expected).sorted().prefix(9))\nexpected: \(Set(expected).subtracting(found).sorted().prefix(9))"
    }

    private func totals(_ summary: ImportSummary?) -> [String: [Int]] {
        (summary?.related ?? [:]).mapValues { [$0.inserted, $0.updated + $0.unchanged, $0.rejected] }
    }

    @Test("Nested objects that are loaded page by page become the rows that groups make", arguments: [false, true])
    func equal(includesAll: Bool) throws {
        var lots = SeededGenerator.sampled(7_300, case: includesAll ? 1 : 0)
        for number in 0..<Self.count {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            let feed = NestFeed(&own, count: own.pick([5, 60, 400]))
            let path = folder.path("\(number).ndjson")
            try feed.text.write(toFile: path, atomically: true, encoding: .utf8)
            func discovered(_ name: String) throws -> DiscoveredRelations {
                try DiscoveredRelations(in: [.file(path)], table: "film", all: includesAll, into: folder.path(name))
            }
            let (direct, grouped) = ("\(number)-direct.sqlite", "\(number)-grouped.sqlite")
            let loaded = try take(feed.text, as: discovered(direct), into: direct, isDirect: true, &own)
            let written = try take(feed.text, as: discovered(grouped), into: grouped, isDirect: false, &own)
            let (found, expected) = (try dump(direct), try dump(grouped))
            let place = "nest \(number), seed \(seed), all \(includesAll)"
            let isEqual = found == expected
            #expect(isEqual, "\(place): \(difference(found, expected))\n\(feed.text.prefix(3000))")
            #expect(
                loaded?.counts.rejected == written?.counts.rejected
                    && loaded?.counts.inserted == written?.counts.inserted, "\(place)")
            #expect(totals(loaded) == totals(written), "\(place)")
            #expect(loaded?.isBalanced == true && loaded?.waiting == 0, "\(place)")
            if !isEqual { return }
        }
    }
}
