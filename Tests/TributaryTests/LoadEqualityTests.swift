import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Tables that are filled directly are the same as tables that are filled in groups.
///
/// `TRIBUTARY_LOADS` sets the number of random tables.
@Suite struct LoadEqualityTests {
    private static let count = ProcessInfo.processInfo.environment["TRIBUTARY_LOADS"].flatMap { Int($0) } ?? 40
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A random JSON value.
    private static func value(_ lots: inout SeededGenerator) -> String {
        switch lots.below(9) {
        case 0: "null"
        case 1: lots.once(in: 2) ? "true" : "false"
        case 2: "\(lots.below(300) - 150)"
        case 3: "\(Int64(bitPattern: lots.next()))"
        case 4: "\(lots.below(1000)).0"
        case 5: "\(Double(lots.below(1_000_000)) / 7)"
        case 6: "\"\(String(repeating: "é\\u0000x", count: lots.pick([0, 1, 5, 400, 5000])))\""
        case 7: "{\"a\":[\(lots.below(10)),\"\\\"\"]}"
        default: "\"text \(lots.below(1000))\""
        }
    }

    /// Records whose later ones may have other members, and whose keys may repeat.
    private static func records(_ count: Int, _ lots: inout SeededGenerator) -> String {
        (0..<count).map { number in
            let width = 1 + lots.below(2 + number * 8 / count)
            let members = (0..<width).map { "\"m\($0)\":\(value(&lots))" }
            let key = lots.once(in: 3) ? "\"k\(lots.below(count))\"" : "\(lots.below(count * 4))"
            return "{\"id\":\(key),\(members.joined(separator: ","))}"
        }.joined(separator: "\n")
    }

    /// Everything in the tables of an import, with types, and the entries of the index.
    private static func dump(_ path: String, key: Bool) throws -> [[SQLValue]] {
        let connection = try Connection(.file(path))
        var names: [String] = []
        try connection.forEachRow(of: "SELECT \"name\" FROM pragma_table_info('t')") { names.append($0.text(at: 0)) }
        // The version counts the writes of a row, which depend on the groups.
        names.removeAll { $0 == "_version" }
        var rows: [[SQLValue]] = [names.map { .text($0) }]
        for name in names {
            rows += try connection.rows(
                of: "SELECT \"_pk\", \(identifier: name) FROM \"t\" NOT INDEXED ORDER BY \"_pk\""
            ).map { $0.map(\.byValue) }
        }
        if key {
            rows += try connection.rows(
                of: "SELECT \"id\", \"_pk\" FROM \"t\" INDEXED BY \"_unique.t.id\" ORDER BY \"id\""
            ).map { $0.map(\.byValue) }
        }
        rows += try connection.rows(of: "SELECT * FROM \"_counter\"")
        rows += try connection.rows(of: "SELECT \"key\" FROM \"_metadata\" ORDER BY \"key\"")
        #expect(try connection.rows(of: "PRAGMA integrity_check") == [["ok"]])
        #expect(try connection.rows(of: "PRAGMA foreign_key_check") == [])
        return rows
    }

    @Test("Inferred columns of any values are the same, into a new database and into one that exists")
    func inferredColumns() throws {
        var lots = SeededGenerator.sampled(5_700)
        for number in 0..<Self.count {
            let text = Self.records(lots.pick([1, 2, 30, 400]), &lots)
            let key = lots.once(in: 3) ? nil : ImportKey(["id"])
            let batch = lots.pick([1, 13, 10_000])
            let filter = lots.pick([nil, 64, 1024])
            let label: Comment = "table \(number), seed \(lots.seed)"
            var dumps: [[[SQLValue]]] = []
            var tallies: [[Int]] = []
            for (way, creation) in [
                (ImportOptions.FirstLoad.inGroups, StoreOptions.Creation.whenOpened), (.direct, .whenOpened),
                (.direct, .afterFirstImport),
            ] {
                let path = folder.path("\(number)-\(way)-\(creation).sqlite")
                let manager = try ContextManager(inferring: "t", key: key, at: path, creation: creation)
                var options = ImportOptions()
                options.firstLoad = way
                options.batchSize = batch
                options.onError = .quarantine
                options.loadBytes = filter
                tallies.append(try manager.load(MemorySource(text.utf8), [.inferred("t", key: key)], options).tally)
                dumps.append(try Self.dump(path, key: key != nil))
                #expect(!FileManager.default.fileExists(atPath: path + "-load"))
            }
            for dump in dumps[1...] where dump != dumps[0] {
                let different = zip(dump, dumps[0]).first { $0 != $1 }.map {
                    "\("\($0)".prefix(300)) not \("\($1)".prefix(300))"
                }
                Issue.record("\(label): \(dump.count) not \(dumps[0].count) values; \(different ?? "")")
            }
            #expect(tallies[1] == tallies[0] && tallies[2] == tallies[0], label)
        }
    }

    @Test("Objects of setters are the same, with any number of jobs", arguments: [1, 3])
    func setters(_ jobs: Int) throws {
        let text = (0..<5000).map { "{\"id\":\($0 * 7919 % 4000),\"name\":\"n\($0)\",\"score\":\($0).5}" }
            .joined(separator: "\n")
        var results: [[[SQLValue]]] = []
        for (way, creation) in [
            (ImportOptions.FirstLoad.inGroups, StoreOptions.Creation.whenOpened), (.direct, .whenOpened),
            (.direct, .afterFirstImport),
        ] {
            let path = folder.path("\(way)-\(creation)-\(jobs).sqlite")
            var opening = StoreOptions()
            opening.creation = creation
            let manager = try ContextManager(model: Model(FeedItem.self), store: .sqlite(path), options: opening)
            var options = ImportOptions.batches(of: 300, onError: .quarantine)
            options.firstLoad = way
            options.jobs = jobs
            let tally = try manager.load(
                MemorySource(text.utf8),
                [
                    .objects(FeedItem.self) { record, item in
                        item.name = record["name"]
                        item.score = (item.score ?? 0) + 1
                    }
                ], options
            ).tally
            #expect(tally == [5000, 4000, 1000, 0, 0, 0, 0])
            let connection = try Connection(.file(path))
            #expect(try connection.rows(of: "PRAGMA integrity_check") == [["ok"]])
            results.append(
                try connection.rows(
                    of: "SELECT \"_pk\", \"id\", \"name\", \"score\" FROM \"FeedItem\" ORDER BY \"_pk\""))
        }
        #expect(results[0].count == 4000)
        let isSame = results[1] == results[0] && results[2] == results[0]
        #expect(isSame)
    }

    @Test("Several tables are loaded at once, and appear together", arguments: [true, false])
    func severalTables(_ isNew: Bool) throws {
        let path = folder.path("several.sqlite")
        let parts = [("FeedItem", 300), ("Item", 2000)].map { entity, count in
            let records = (0..<count).map { "{\"id\":\($0 % (count - 50)),\"name\":\"\($0)\"}" }
            return "\"\(entity)\":[\(records.joined(separator: ",\n"))]"
        }
        var opening = StoreOptions()
        opening.creation = isNew ? .afterFirstImport : .whenOpened
        let manager = try ContextManager(
            model: Model(FeedItem.self, Item.self, Maker.self, Shelf.self), store: .sqlite(path), options: opening)
        var options = ImportOptions.batches(of: 100, onError: .quarantine)
        options.firstLoad = .direct
        let books = try manager.load(
            MemorySource("{\(parts.joined(separator: ","))}".utf8),
            [
                .rows("FeedItem", at: ".FeedItem[]"),
                .objects(Item.self, at: ".Item[]") { record, item in item.name = record["name"] },
            ], options)
        #expect(books.tally == [2300, 2200, 100, 0, 0, 0, 0])
        let connection = try Connection(.file(path))
        #expect(try connection.rows(of: "PRAGMA integrity_check") == [["ok"]])
        for (table, count) in [("FeedItem", 250), ("Item", 1950)] {
            let found = try connection.value(
                of:
                    "SELECT COUNT(DISTINCT \"id\") || ' ' || SUM(\"name\" = \"id\") || ' ' || COUNT(*) FROM \(identifier: table)"
            )
            #expect(found == .text("\(count) \(count - 50) \(count)"))
        }
        #expect(try FeedStore.faults(manager.stores.stores[0]) == [])
    }
}
