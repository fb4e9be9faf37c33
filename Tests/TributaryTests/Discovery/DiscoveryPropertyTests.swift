import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Nested objects without a model become the tables that plain code makes of them.
@Suite struct DiscoveryPropertyTests {
    private let folder: TemporaryFolder
    private var database: String { folder.path("orders.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func take(_ feed: OrderFeed, _ lots: inout SeededGenerator) throws -> DiscoveredRelations {
        let path = folder.path("\(lots.next()).ndjson")
        try feed.text.write(toFile: path, atomically: true, encoding: .utf8)
        let found = try DiscoveredRelations(in: [.file(path)], table: "orders", into: database)
        var options = ImportOptions()
        options.batchSize = 1 + lots.below(20)
        options.jobs = 1 + lots.below(2)
        let manager = try ContextManager(found, at: database)
        let summary = try manager.load(.file(path), [found.route()], options)
        #expect(summary.inserted + summary.updated + summary.unchanged == feed.records.count)
        #expect(summary.isBalanced)
        return found
    }

    private func rows(_ sql: String) throws -> [[SQLValue]] {
        var options = Connection.Options()
        options.isReadOnly = true
        return try Connection(.file(database), options: options).rows(of: SQLFragment(trusted: sql))
    }

    private func text(_ value: SQLValue) -> String {
        switch value {
        case .null: return ""
        case .integer(let number): return "\(Double(number))"
        case .real(let number): return "\(number)"
        case .blob: return "blob"
        case .text(let text):
            guard text.hasPrefix("{") || text.hasPrefix("["),
                let object = try? JSONSerialization.jsonObject(with: Data(text.utf8))
            else { return text }
            return OrderFeed.text(object)
        }
    }

    private func check(_ feed: OrderFeed, _ place: String) throws {
        for (table, expected) in feed.tables {
            let names = try rows("SELECT name FROM pragma_table_info('\(table)')").map { text($0[0]) }
            let id = try #require(names.firstIndex(of: "id"))
            let found = try rows("SELECT * FROM \"\(table)\"")
            #expect(Set(found.map { text($0[id]) }) == Set(expected.keys), "\(place): the ids of \(table)")
            for row in found {
                for (name, value) in expected[text(row[id])] ?? [:] {
                    let column = try #require(names.firstIndex(of: name), "\(place): \(table).\(name)")
                    #expect(text(row[column]) == value, "\(place): \(table).\(name) of \(text(row[id]))")
                }
            }
        }
        let joins = [
            "customer": "SELECT o.id, c.id FROM orders o JOIN customer c ON c._pk = o.customer",
            "meta_by": "SELECT o.id, b.id FROM orders o JOIN \"by\" b ON b._pk = o.meta_by",
            "items": "SELECT o.id, i.id FROM items i JOIN orders o ON o._pk = i.orders",
            "tags":
                "SELECT i.id, t.id FROM \"_items.tags\" j JOIN items i ON i._pk = j._source JOIN tags t ON t._pk = j._target",
        ]
        for (name, sql) in joins {
            guard let expected = feed.links[name], !expected.isEmpty else { continue }
            let found = Set(try rows(sql).map { "\(text($0[0]))→\(text($0[1]))" })
            #expect(found == expected, "\(place): the links \(name)")
        }
    }

    @Test("Random orders become the tables and links that plain code makes of them")
    func equal() throws {
        var lots = SeededGenerator.sampled(7_100)
        for _ in 0..<15 {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            var feed = OrderFeed(&own, count: 40)
            feed.fill()
            _ = try take(feed, &own)
            try check(feed, "seed \(seed)")
            feed.advance(&own)
            _ = try take(feed, &own)
            try check(feed, "the second dump of seed \(seed)")
            for name in ["orders.sqlite", "orders.sqlite-wal", "orders.sqlite-shm"] {
                try? FileManager.default.removeItem(atPath: folder.path(name))
            }
        }
    }
}
