import Foundation
import Testing
import TributaryGraph
import TributaryImport
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Records that a filter leaves out are skipped, as an oracle says that knows nothing of filters.
@Suite struct RecordFilterTests {
    @Test("A random filter imports the records that an oracle takes", arguments: 0..<40 as Range<UInt64>)
    func random(_ number: UInt64) async throws {
        var random = SeededGenerator.sampled(17_001, case: number)
        let records = (0..<60).map { FilteredRecord($0, &random) }
        let text = "[\(records.map(\.json).joined(separator: ","))]"
        for _ in 0..<5 {
            let condition = FilteredRecord.Condition(depth: 3, &random)
            let filter = try Filter(format: condition.text)
            let expected = records.filter(condition.holds).map { SQLValue.integer(Int64($0.id)) }
            let table = try InferredTable()
            let manager = try ContextManager(inferring: InferredTable.entity, key: "id", at: table.path)
            var options = ImportOptions()
            options.batchSize = 1 + random.below(30)
            options.firstLoad = random.once(in: 2) ? .direct : .inGroups
            let feed = StreamImport(
                into: manager, from: [.text(text)],
                routes: [.inferred(InferredTable.entity, at: "[]", key: "id").filtered(by: filter)], options: options)
            let summary = try feed.perform().summary
            await MainActor.run { feed.manager.close() }
            let found = try table.records().compactMap { $0["id"] }
            #expect(found == expected, "\(condition.text), seed \(random.seed)\n\(text)")
            let skipped = records.count - expected.count
            #expect(summary.counts.skipped == skipped && summary.isBalanced, "\(condition.text)")
            // Records that are left out add no column.
            let columns = Set(records.filter(condition.holds).flatMap(\.members.keys)).union(["id"])
            let names = try Connection(.file(table.path)).texts(of: "SELECT name FROM pragma_table_info('thing')")
            #expect(Set(names).subtracting(["_pk", "_version"]) == columns, "\(condition.text)")
        }
    }

    @Test(
        "What records do not have is an error before anything is read",
        arguments: [
            "n > now()", "random() > 0", "SELF == 1", "$x == 1", "n MATCHES \"(\"", "@count > 1",
            "SUBQUERY(list, $x, $y == 1).@count > 0", "TERNARY(n MATCHES \"[\", 1, 2) == 1",
        ])
    func refused(_ text: String) async throws {
        let table = try InferredTable()
        let manager = try ContextManager(inferring: InferredTable.entity, key: nil, at: table.path)
        let route = ImportRoute.inferred(InferredTable.entity, at: "[]").filtered(by: try Filter(format: text))
        let feed = StreamImport(into: manager, from: [.text("[not JSON")], routes: [route])
        #expect { try feed.perform() } throws: { ($0 as? ImportError)?.code == .route }
        await MainActor.run { feed.manager.close() }
    }

    @Test(
        "Odd members and values",
        arguments: [
            (#""first name" == "x""#, [Int]()), (##"#"first name" == "x""##, [1]), (##"#"@type" == "T""##, [2]),
            ("address.zip == nil", [2, 4]), ("address.zip BEGINSWITH \"10\"", [1]), ("address != nil", [1, 2, 3]),
            ("big > 123456789012345678901234567888", [1]), ("big == nil", [2, 3, 4]), ("n == 1", [1, 2]),
            ("n == 1.0", [1, 2]), ("n == \"1\"", [3]), ("NOT (n == \"1\")", [1, 2, 4]), ("length(n) > 0", [3]),
            ("NOT (length(n) > 0)", [1, 2, 4]), ("ANY items.price > 3", [1]), ("ALL items.price > 3", [2, 3, 4]),
            ("items.@count == 2", [1]), ("items != nil", [1]), ("items.price CONTAINS 4", [1]),
            ("tags[0] == \"a\"", [2]),
            ("SUBQUERY(items, $x, $x.price > 3).@count == 1", [1]), ("\"b\" IN tags", [2]),
            ("tags == {\"a\", \"b\"}", [2]),
            ("text == \"a\\\"b\u{e9}\"", [4]), ("items.@sum.price == 5", [1]), ("a.b.c == nil", [1, 2, 3, 4]),
        ])
    func odd(_ filter: String, _ expected: [Int]) async throws {
        let text = ##"""
            [{"id":1,"first name":"x","address":{"zip":"1011"},"big":123456789012345678901234567890,"n":1,
            "items":[{"price":1},{"price":4}]},
            {"id":2,"@type":"T","address":"here","n":true,"tags":["a","b"],"big":null},
            {"id":3,"address":[1],"n":"1"},{"id":4,"text":"a\"b\u00e9","n":[1]}]
            """##
        let table = try InferredTable()
        let manager = try ContextManager(inferring: InferredTable.entity, key: "id", at: table.path)
        let route = ImportRoute.inferred(InferredTable.entity, at: "[]", key: "id")
            .filtered(by: try Filter(format: filter))
        let feed = StreamImport(into: manager, from: [.text(text)], routes: [route])
        _ = try feed.perform()
        await MainActor.run { feed.manager.close() }
        #expect(try table.records().compactMap { $0["id"] } == expected.map { .integer(Int64($0)) })
    }

    @Test("With conditions the first route that fits takes a record, and its filter leaves it out for all")
    func conditions() async throws {
        let table = try InferredTable()
        let text = #"[{"id":1,"t":"a"},{"id":2,"t":"a","x":1},{"id":3,"t":"b","x":1},{"id":4,"t":"c"},{"id":5}]"#
        let names = ["a", "b", "c", "rest"]
        let database = try RowDatabase(
            inferring: names.map { ($0, "id") }, at: table.path, creation: .whenOpened)
        let routes = names.map { name in
            let route = ImportRoute.inferred(name, at: "[]", key: "id")
            return name == "rest" ? route : route.when("t", is: name).filtered(by: "x == 1").filtered(by: "id > 1")
        }
        let feed = StoreImport(into: database, from: [.text(text)], routes: routes, options: ImportOptions())
        let counts = try feed.perform().summary.counts
        #expect(counts.inserted == 3 && counts.skipped == 2)
        database.store.close()
        #expect(try table.rows("SELECT id FROM a UNION ALL SELECT id + 10 FROM b") == [[2], [13]])
        #expect(try table.rows("SELECT (SELECT count(*) FROM c), id FROM rest") == [[0, 5]])
    }
}
