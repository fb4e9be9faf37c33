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

    @Test("A dictionary with any number of different members has rows, and one with mixed values stays JSON")
    func dictionary() throws {
        let votes = (0..<40).map { record in
            let names = (0..<100).map { "\"user\(record * 100 + $0)\":1" }.joined(separator: ",")
            let mixed = names.replacing(":1,", with: ":{\"n\":1},", maxReplacements: 70)
            return
                #"{"id":\#(record),"votes":{\#(names)},"meta":{"votes":{\#(names)}},"c":{"id":1},"mixed":{\#(mixed)}}"#
        }
        let outcome = try load("[\(votes.joined(separator: ","))]", "--relations")
        for line in [
            "table votes of orders.votes{}: no key, names in _key, column votes.orders",
            "table orders_votes of orders.meta.votes{}: no key, names in _key, column orders_votes.orders",
            "orders.mixed stays JSON: its many members have objects and other values",
        ] {
            #expect(outcome.error.contains(line), "\(outcome.error)")
        }
        for table in ["votes", "orders_votes"] {
            #expect(
                try world.query("SELECT COUNT(*), COUNT(DISTINCT _key), SUM(value) FROM \(table)")
                    == [[4000, 4000, 4000]])
        }
        #expect(try world.query(#"SELECT COUNT(*) FROM orders, json_each(orders.mixed)"#) == [[4000]])
    }

    @Test("Objects are dictionaries if their names are data, or differ from record to record, and if they are stated")
    func foundDictionaries() throws {
        let names = "en de fr nl es it pt sv da fi".split(separator: " ")
        let records = (0..<30).map { id in
            let labels = (0..<3).map { "\"\(names[(id * 3 + $0 * 7) % 10])\":{\"value\":\"\(id)\"}" }
            return """
                {"id":\(id),"labels":{\(labels.joined(separator: ","))},"days":{"2026-01-0\(id % 9 + 1)":[{"n":1},{"n":2}]},\
                "address":{"home":{"city":"a"},"work":{"city":"b"}},"flags":{"a":true},"empty":{},"both":{"1":[1],"2":[{"n":1}]},\
                "rooms":{"-K\(id)":{"-M\(id)":{"text":"x"},"-N\(id)":{"text":"y"}}}}
                """
        }
        let text = "[\(records.joined(separator: ",\n"))]"
        try load(text, "--relations").expect(error: "table labels of orders.labels{}")
        #expect(try world.query("SELECT COUNT(*), COUNT(DISTINCT _key) FROM labels") == [[90, 10]])
        #expect(try world.query("SELECT COUNT(*), COUNT(DISTINCT _key), SUM(n) FROM days") == [[60, 9, 90]])
        #expect(
            try world.query("SELECT _key, value FROM rooms LIMIT 1") == [
                ["-K0", #"{"-M0":{"text":"x"},"-N0":{"text":"y"}}"#]
            ])
        #expect(
            try world.query("SELECT address, flags, both FROM orders LIMIT 1") == [
                [#"{"home":{"city":"a"},"work":{"city":"b"}}"#, #"{"a":true}"#, #"{"1":[1],"2":[{"n":1}]}"#]
            ])
        try load(text, "--relations").expect(text: "30 read = 30 unchanged")
        let stated = try load(
            text, "--relations", "--key-as", "name", "--table", "others,address{}=address,others.flags{}=flags",
            "--key", "others.labels{}=value", table: "others")
        #expect(stated.error.contains("table address of others.address{}: no key, names in name"), "\(stated.error)")
        #expect(stated.error.contains("of others.labels{}: key value, names in name, join table"), "\(stated.error)")
        #expect(try world.query("SELECT name, city FROM address LIMIT 2") == [["home", "a"], ["work", "b"]])
        #expect(try world.query("SELECT name, value FROM flags LIMIT 1") == [["a", 1]])
        try load(text, "--relations", "--table", "more,more.none{}=x", table: "more", code: 1).expect(
            error: "the records have no objects at more.none{}")
    }

    @Test("A dictionary keeps its table in later imports, which reject a record with something else in its place")
    func laterDictionaries() throws {
        let words = ["--relations", "--table", "orders,d{}=d", "--on-error", "skip"]
        func take(_ text: String, code: Int32 = 0) throws -> Tool.Outcome {
            try Tool.tributary.run(
                ["import", world.database, try world.write(text, "o.json")] + words
            ).expect(code)
        }
        _ = try take(#"[{"id":1,"d":{"a":{"n":1},"b":[{"n":2},{"n":3}]}},{"id":2,"d":[]}]"#)
        _ = try take(#"[{"id":1,"d":{"b":[{"n":3}]}},{"id":2,"d":{"c":{"n":4,"m":5},"_key":{"_key":6}}}]"#)
        #expect(
            try world.query("SELECT _key, n, m, _rest FROM d ORDER BY _pk") == [
                ["b", 3, .null, .null], ["c", 4, 5, .null], ["_key", .null, .null, #"{"_key":6}"#],
            ])
        try take(#"[{"id":1,"d":5},{"id":2,"d":[{"n":1}]},{"id":3,"d":{"a":{"n":7}}}]"#, code: 3).expect(
            text: "3 read = 1 inserted + 2 rejected")
        #expect(try world.query("SELECT COUNT(*) FROM d") == [[4]])
        try Tool.tributary.run(
            ["import", world.database, try world.write(#"[{"id":1,"d":{"a":7}}]"#, "o.json")]
                + words.prefix(3)
        ).expect(1, error: "expected an object for d")
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
