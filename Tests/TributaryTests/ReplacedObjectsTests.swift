import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A model of its own: attributes with defaults, declared once more with a derived one in `NamedPart`.
private final class Part: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    @Attribute var rank: Int = 7
    @Attribute var note: String? = "new"
    @Attribute var weight: Double?
}

/// The attributes of `Part` and a derived one.
private final class NamedPart: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    @Attribute var rank: Int = 7
    @Attribute var note: String? = "new"
    @Attribute var weight: Double?
    @Attribute(.derived("canonical:(name)")) var plain: String?
}

/// Imports that replace objects: equal values are kept, and attributes that a record omits get their defaults.
@Suite struct ReplacedObjectsTests {
    enum Way: CaseIterable, Sendable {
        case rows, closure, derived

        var table: String { self == .derived ? "NamedPart" : "Part" }
    }

    /// A store of parts.
    private struct Store {
        let folder: TemporaryFolder
        let manager: ContextManager

        init() throws {
            folder = try TemporaryFolder()
            manager = try ContextManager(
                model: Model(Part.self, NamedPart.self), store: .sqlite(folder.path("parts.sqlite")))
        }

        /// Imports records and returns the counts.
        @discardableResult
        func take(
            _ records: [String], by way: Way, _ mode: ImportMode = .replace, batchSize: Int = 10_000
        ) throws -> [Int] {
            var options = ImportOptions()
            options.jobs = 3
            options.batchSize = batchSize
            options.mode = mode
            let text = "[\(records.joined(separator: ","))]"
            let route: ImportRoute =
                switch way {
                case .rows, .derived: .rows(way.table, at: "[]")
                case .closure:
                    .objects(Part.self, at: "[]") { record, part in
                        if !record["name"].isMissing { part.name = record["name"] }
                        if !record["rank"].isMissing { part.rank = record["rank"] }
                        if !record["note"].isMissing { part.note = record["note"] }
                        if !record["weight"].isMissing { part.weight = record["weight"] }
                    }
                }
            return try manager.load(.text(text), [route], options).tally
        }

        func read(_ query: SQLFragment) throws -> [[SQLValue]] {
            try manager.stores.stores[0].read { try $0.rows(of: query) }
        }

        /// The number of each row, followed by the columns that a record can set.
        func rows(_ way: Way) throws -> [[SQLValue]] {
            try read(
                """
                SELECT "_pk", "id", "name", "rank", "note", "weight" FROM \(identifier: way.table) ORDER BY "_pk"
                """)
        }
    }

    @Test(
        "Replacing keeps equal values and resets omitted attributes to their defaults",
        arguments: Way.allCases, [1, 2, 100])
    func whatIsSaidAgainStays(_ way: Way, _ batchSize: Int) throws {
        let store = try Store()
        try store.take(
            [
                #"{"id":1,"name":"Émile","rank":3,"note":"kept","weight":1.5}"#,
                #"{"id":2,"name":"Ada","rank":4,"note":"old","weight":2.5}"#, #"{"id":3,"name":"Zoë"}"#,
                #"{"id":4,"name":"Eve","rank":4,"note":null,"weight":4}"#,
            ], by: way, .upsert)
        let feed = [
            #"{"id":1,"name":"Émile","rank":3,"note":"other","weight":1.5}"#, #"{"id":2,"name":"Ada"}"#,
            #"{"id":3,"name":"Zoë"}"#, #"{"id":4,"rank":4,"note":null,"weight":4}"#, #"{"id":5,"rank":1}"#,
        ]
        let expected: [[SQLValue]] = [
            [1, "Émile", 3, "other", 1.5], [2, "Ada", 7, "new", .null], [3, "Zoë", 7, "new", .null],
            [4, .null, 4, .null, 4.0], [5, .null, 1, "new", .null],
        ]
        #expect(try store.take(feed, by: way, batchSize: batchSize) == [5, 1, 3, 1, 0, 0, 0])
        #expect(try store.rows(way).map { Array($0.dropFirst()) } == expected)
        #expect(try store.take(feed, by: way, batchSize: batchSize) == [5, 0, 0, 5, 0, 0, 0])
        #expect(try store.rows(way).map { Array($0.dropFirst()) } == expected)
        if way == .derived {
            let plain = try store.read("SELECT \"plain\" FROM \"NamedPart\" ORDER BY \"id\"")
            #expect(plain == [["emile"], ["ada"], ["zoe"], [.null], [.null]])
        }
        #expect(try FeedStore.faults(store.manager.stores.stores[0]) == [])
    }

    /// The attributes that a random record may set, each with its values.
    private static let said = [
        ("name", ["\"Émile\"", "\"Ada\"", "\"Zoë\"", "null"]), ("rank", ["1", "7", "9"]),
        ("note", ["\"new\"", "\"old\"", "null"]), ("weight", ["1.5", "2", "null"]),
    ]

    /// Random records with these ids.
    private static func records(_ ids: some Sequence<Int>, _ lots: inout SeededGenerator) -> [String] {
        var records: [String] = []
        for id in ids {
            var members = ["\"id\":\(id)"]
            for (name, values) in said where !lots.once(in: 3) { members.append("\"\(name)\":\(lots.pick(values))") }
            members.shuffle(using: &lots)
            records.append("{" + members.joined(separator: ",") + "}")
        }
        return records
    }

    @Test(
        "Rows, closures and derived entities replace objects with the same result",
        arguments: [1, 7, 40, 1000], 0..<4)
    func theyAreWhatRowsAre(_ batchSize: Int, _ number: Int) throws {
        var lots = SeededGenerator.sampled(9_300, case: UInt64(number))
        let earlier = Self.records(0..<60, &lots)
        var ids: [Int] = []
        for _ in 0..<200 { ids.append(lots.below(90)) }
        let repeated = Self.records(ids, &lots)
        let all = (0..<90).shuffled(using: &lots)
        let single = Self.records(all, &lots)
        var wanted: [[Int]] = []
        var rows: [[[SQLValue]]] = []
        for way in Way.allCases {
            let place = "\(way), seed \(lots.seed)"
            let store = try Store()
            var counts = [try store.take(earlier, by: way, .upsert)]
            counts.append(try store.take(repeated, by: way, batchSize: batchSize))
            var found = [try store.rows(way)]
            // The last record of a key determines its whole row, so a second import ends with the same rows.
            counts.append(try store.take(repeated, by: way, batchSize: batchSize))
            #expect(try store.rows(way) == found[0], "\(place)")
            counts.append(try store.take(single, by: way, batchSize: batchSize))
            found.append(try store.rows(way))
            #expect(try store.take(single, by: way, batchSize: batchSize) == [90, 0, 0, 90, 0, 0, 0], "\(place)")
            #expect(try store.rows(way) == found[1], "\(place)")
            if way == .rows { (wanted, rows) = (counts, found) }
            #expect(counts == wanted, "\(place)")
            #expect(found == rows, "\(place)")
            if way == .derived {
                let plain: [SQLValue: SQLValue] = ["Émile": "emile", "Ada": "ada", "Zoë": "zoe", .null: .null]
                for row in try store.read("SELECT \"name\", \"plain\" FROM \"NamedPart\"") {
                    #expect(row[1] == plain[row[0]], "\(place)")
                }
            }
            #expect(try FeedStore.faults(store.manager.stores.stores[0]) == [], "\(place)")
        }
    }
}
