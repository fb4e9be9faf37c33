import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `--relations` where a dump says more than the one before, or names a table or key that is not the usual one.
@Suite struct NestedPlacesTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    @discardableResult
    private func load(
        _ text: String, _ words: String..., table: String = "orders", code: Int32 = 0
    ) throws -> Tool.Outcome {
        let path = try world.write(text, "\(table).json")
        let outcome = try Tool.tributary.run(["import", world.database, path] + words)
        #expect(outcome.code == code, "\(outcome.text) \(outcome.error)")
        return outcome
    }

    @Test(
        "A member that was null or empty becomes a relation, and a table without a key gets one",
        arguments: [#"[{"id":1,"a":null,"b":[]},{"id":2,"a":[]}]"#, #"[{"id":1,"b":null},{"id":2,"c":{"id":1}}]"#])
    func laterRelations(_ first: String) throws {
        try load(first, "--relations")
        try load(#"[{"id":1,"a":{"id":5},"b":[{"id":6},{"id":7}]},{"id":3,"a":5}]"#, "--relations")
        #expect(
            try world.query(#"SELECT o.id, a.id FROM orders o LEFT JOIN a ON a._pk = o.a ORDER BY 1"#)
                == [[1, 5], [2, .null], [3, 5]])
        #expect(
            try world.query(#"SELECT o.id, b.id FROM b JOIN orders o ON o._pk = b.orders ORDER BY 2"#) == [
                [1, 6], [1, 7],
            ])
        #expect(try world.query("PRAGMA integrity_check") == [["ok"]])
    }

    @Test("A dry run drops no column for a relation, and kept changes allow an undo after it or forbid it")
    func laterRelationsOfUndoableRuns() throws {
        let relation = #"[{"id":1,"a":{"id":5},"b":[{"id":6}]}]"#
        try load(#"[{"id":1,"a":null,"b":[]},{"id":2,"b":"x"}]"#, "--key", "id", "--undoable")
        try load(relation, "--relations", code: 1).expect(error: "orders.b is in the database otherwise")
        try load(#"[{"id":2,"b":[]}]"#, "--key", "id", "--undoable")
        try load(relation, "--relations", code: 1).expect(
            error: "orders.b becomes a relation, and runs that can be undone")
        for run in ["1", "2"] {
            try Tool.tributary.run(["forget", world.database, "--run", run]).expect(0)
        }
        try load(#"[{"id":3,"a":null,"b":[]}]"#, "--key", "id", "--undoable")
        let before = try world.query("SELECT * FROM orders")
        try load(relation, "--relations", "--dry-run", code: 1).expect(
            error: "would become a relation, which cannot be tried in a dry run")
        #expect(try world.query("SELECT * FROM orders") == before)
        try load(relation, "--relations", "--undoable")
        for _ in 0..<2 { #expect(try Tool.tributary.run(["undo", world.database]).code == 0) }
        #expect(try world.query("SELECT id, a FROM orders") == [[1, .null], [2, .null]])
    }

    @Test("Values are never dropped for a relation, and rows with equal or missing keys keep their table without one")
    func refusedRelations() throws {
        try load(#"[{"id":1,"a":"x"},{"id":2,"a":null}]"#, "--relations")
        try load(#"[{"id":1,"a":{"id":5}}]"#, "--relations", code: 1).expect(
            error: "orders.a is in the database otherwise: it holds values")
        #expect(try world.values("a", of: "orders") == ["x", .null])
        try load(#"[{"id":1},{"id":1},{"b":1}]"#, "--relations", table: "keyless")
        try load(#"[{"id":1,"a":{"id":5}}]"#, "--relations", table: "keyless", code: 1).expect(
            error: "keyless cannot get the key id: rows have no id")
        try load(#"[{"id":1},{"id":1}]"#, "--relations", table: "equal")
        try load(#"[{"id":1,"a":{"id":5}}]"#, "--relations", table: "equal", code: 1).expect(
            error: "several rows have the same value")
    }

    @Test("What stays JSON in spite of the option is reported in one line, and does not end the import")
    func stayingJSON() throws {
        let mixed = try load(#"[{"id":1,"m":[{"x":1},"text"],"n":{"x":1}}]"#, "--relations=all")
        let line = "orders.m stays JSON: it has other values beside objects without an id"
        #expect(mixed.error.contains(line), "\(mixed.error)")
        #expect(try world.values("m", of: "orders") == [#"[{"x":1},"text"]"#])
        try load(#"[{"id":1,"part":{"id":null}},{"id":2,"part":{"id":3}}]"#, "--relations", table: "parts").expect(
            error: "parts.part stays JSON: 1 of 2 objects have no id", without: "have objects with an id", "has objects"
        )
    }

    @Test("A dictionary with any number of different members stays JSON, and is reported")
    func dictionary() throws {
        let votes = (0..<40).map { record in
            let names = (0..<100).map { "\"user\(record * 100 + $0)\":1" }.joined(separator: ",")
            return #"{"id":\#(record),"votes":{\#(names)},"meta":{"votes":{\#(names)}},"c":{"id":1}}"#
        }
        let outcome = try load("[\(votes.joined(separator: ","))]", "--relations")
        for place in ["orders.votes", "orders.meta.votes"] {
            let line = "\(place) stays JSON: its objects have more than 1900 different members"
            #expect(outcome.error.contains(line), "\(outcome.error)")
        }
        #expect(try world.query(#"SELECT COUNT(*) FROM orders, json_each(orders.votes)"#) == [[4000]])
    }

    @Test("Members that can have no column are in _rest, as without the option")
    func rest() throws {
        let long = String(repeating: "n", count: 300)
        let text = #"""
            [{"id":1,"c":{"id":2,"Id":3,"_pk":4},"_version":5,"":6,"C":[7],"_rest":{"x":8},"\#(long)":9,"é":1,"é":2},
             {"id":2,"c":null,"a":1,"a":2,"_version":3}]
            """#
        try load(text, "--relations").expect(error: "; their values are in the column _rest", without: "not imported")
        let found = try world.query("SELECT _rest FROM orders ORDER BY id").map { row -> NSDictionary? in
            guard case .text(let text) = row[0] else { return nil }
            return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
        }
        #expect(
            found[0] == ["_version": 5, "": 6, "C": [7], "_rest": ["x": 8], long: 9] as NSDictionary, "\(found)")
        #expect(found[1] == ["_version": 3] as NSDictionary, "\(found)")
        #expect(try world.query("SELECT id, _rest FROM c") == [[2, #"{"Id":3,"_pk":4}"#]])
        try load(text, "--relations", "--again").expect(text: "2 read = 2 unchanged")
    }

    @Test("--key and --table name keys and tables of nested objects")
    func places() throws {
        let text = #"[{"id":1,"lines":[{"sku":"a","n":1,"part":{"code":7}},{"sku":"b","n":2}]},{"id":2,"lines":["a"]}]"#
        let words = [
            "--relations", "--key", "orders.lines=sku,id", "--key", "orders.lines.part=code", "--table",
            "orders.lines=line_item",
        ]
        let path = try world.write(text, "orders.json")
        let outcome = try Tool.tributary.run(["import", world.database, path] + words).expect(0)
        try load(#"[{"id":1,"n":{"x":1}}]"#, "--relations", "--table", "orders,orders.n=x", code: 1).expect(
            error: "the objects at orders.n stay JSON")
        for line in [
            "table line_item of orders.lines: key sku, join table _line_item.orders",
            "table part of line_item.part: key code, column line_item.part",
        ] {
            #expect(outcome.error.contains(line), "\(outcome.error)")
        }
        #expect(try world.query("SELECT sku, n, part FROM line_item ORDER BY sku") == [["a", 1, 1], ["b", 2, .null]])
        try Tool.tributary.run(
            [
                "import", world.database, try world.write(text.replacing(#""n":2"#, with: #""n":3"#), "orders.json"),
            ]
                + words
        ).expect(text: "line_item 1 updated")
        try load(text, "--relations", "--key", "others.lins=sku", table: "others", code: 1).expect(
            error: "the records have no objects at others.lins; they have some at others.lines")
        try load(text, "--relations", "--key", "lines=sku", table: "others", code: 64).expect(
            error: "'--key' takes PLACE=NAME for objects inside of records")
        try load(
            text, "--relations", "--key", "others.lines=n", "--key", "others.lines.part=x", table: "others"
        ).expect(error: "lines.part stays JSON: 1 of 1 objects have no x")
    }

    @Test("A nested table stands beside one of another program, by another name or by a stated one")
    func beside() throws {
        let connection = try Connection(.file(world.database))
        try connection.execute("CREATE TABLE tags (id INTEGER PRIMARY KEY)")
        let text = #"[{"id":1,"tags":[{"id":1}]}]"#
        try load(text, "--relations").expect(error: "table orders_tags of orders.tags")
        try load(text, "--relations", "--table", "others,others.tags=labels")
        #expect(try world.values("id", of: "labels") == [1])
        try load(text, "--relations", "--table", "more,more.tags=tags", code: 1).expect(
            error: "cannot have the table tags")
    }
}
