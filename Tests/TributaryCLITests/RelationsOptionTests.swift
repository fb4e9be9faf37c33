import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `--relations`, which makes tables of nested objects without a model.
@Suite struct RelationsOptionTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private static let countries = """
        [{"id": 1, "name": "Austria", "currency": {"id": "EUR", "name": "Euro"}, "area": {"km2": 83879},
          "states": [{"id": 10, "name": "Vienna"}, {"id": 11, "name": "Tyrol"}], "zones": [{"zone": "CET"}]},
         {"id": 2, "name": "Germany", "currency": {"id": "EUR", "name": "Euro"}, "area": null,
          "states": [{"id": 20, "name": "Bavaria"}], "zones": []}]
        """

    @Test("One command makes two tables of nested JSON, and says what it has found")
    func tables() throws {
        let path = try world.write(Self.countries, "countries.json")
        let outcome = try world.load(path, "--relations").expect(
            0, text: "inside them: currency 1 inserted + 1 unchanged, states 3 inserted")
        for line in [
            "table countries: key id", "table currency of countries.currency: key id, column countries.currency",
            "table states of countries.states: key id, column states.countries",
        ] {
            #expect(outcome.error.contains(line), "\(outcome.error)")
        }
        #expect(try world.values("countries", of: "states") == [1, 1, 2])
        #expect(try world.values("currency", of: "countries") == [1, 1])
        #expect(try world.values("zones", of: "countries") == ["[{\"zone\":\"CET\"}]", "[]"])
        // The next dump keeps the tables in step; without the option they would not be.
        let next = try world.write(
            Self.countries.replacing("Tyrol", with: "Tirol").replacing("\"Vienna\"}", with: "\"Vienna\", \"big\": 1}"),
            "countries.json")
        try world.load(next).expect(1, error: "import with --relations again")
        try world.load(next, "--relations").expect(0, text: "states 2 updated + 1 unchanged")
        #expect(try world.values("big", of: "states") == [1, .null, .null])
    }

    @Test("Lists of objects with an id keep their order, and an undoable run leaves a database that is whole")
    func orderOfLists() throws {
        func path(_ tags: String) throws -> String {
            try world.write(
                """
                [{"id":1,"tags":[{"id":3},{"id":1},{"id":2}],"lines":[{"id":9},{"id":7},{"id":8}]},
                 {"id":2,"tags":[\(tags)],"lines":[]}]
                """, "r.json")
        }
        try world.load(path(#"{"id":2},{"id":3}"#), "--relations").expect(0)
        try world.load(path(#"{"id":3},{"id":1},{"id":2}"#), "--relations", "--undoable").expect(0)
        func tags() throws -> [SQLValue] {
            try world.query(
                """
                SELECT t.id FROM "_r.tags" AS j JOIN r ON r._pk = j._source JOIN tags AS t ON t._pk = j._target
                ORDER BY r.id, j._targetOrder
                """
            ).map { $0[0] }
        }
        #expect(try tags() == [3, 1, 2, 3, 1, 2])
        #expect(try world.query("SELECT id FROM lines ORDER BY \"_order.r.lines\"") == [[9], [7], [8]])
        #expect(try world.query("PRAGMA integrity_check") == [["ok"]])
        #expect(try world.query("SELECT COUNT(*) FROM \"_change._r.tags\"") != [[0]])
        try world.load(path(#"{"id":3},{"id":1},{"id":2}"#), "--relations", "--staged", "--again").expect(0)
        try Tool.tributary.run(["undo", world.database]).expect(0)
        #expect(try tags() == [3, 1, 2, 2, 3])
    }

    @Test("With all, objects without an id have rows within the object around them")
    func all() throws {
        let path = try world.write(Self.countries, "countries.json")
        try world.load(path, "--relations=all").expect(
            0, error: "table zones of countries.zones: no key, column zones.countries")
        #expect(try world.values("km2", of: "area") == [83879])
        let next = try world.write(
            Self.countries.replacing("{\"zone\": \"CET\"}", with: "{\"zone\": \"A\"}, {\"zone\": \"B\"}"),
            "countries.json")
        try world.load(next, "--relations=all").expect(0)
        #expect(try world.values("zone", of: "zones") == ["A", "B"])
        let shorter = try world.write(
            Self.countries.replacing("{\"zone\": \"CET\"}", with: "{\"zone\": \"C\"}"), "countries.json")
        try world.load(shorter, "--relations=all").expect(0)
        #expect(try world.values("zone", of: "zones") == ["C"])
    }

    @Test("A plain import offers the option, and records without objects are imported as without it")
    func offer() throws {
        let path = try world.write(Self.countries, "countries.json")
        let plain = try world.load(path)
        let offer = "currency, states have objects with an id, stored as JSON; --relations makes tables of them"
        #expect(plain.code == 0 && plain.error.contains(offer), "\(plain.error)")
        let flat = try world.write(#"[{"id":1,"a":[1,2],"b":{"c":1}}]"#, "flat.json")
        try world.load(flat, "--relations").expect(0, without: "table")
        #expect(try world.values("b", of: "flat") == ["{\"c\":1}"])
        let some = try world.write(#"[{"id":1,"a":{"id":null}},{"id":2,"a":{"id":3}}]"#, "some.json")
        try world.load(some, "--relations").expect(0, error: "some.a stays JSON: 1 of 2 objects have no id")
    }

    @Test("Objects of one name share a table only if they look alike; trees, cycles and bare keys are links")
    func shapes() throws {
        let path = try world.write(
            #"""
            [{"id":1,"items":[{"id":1,"sku":"a"}],"cart":{"id":5,"items":[{"id":1,"amount":2}]},"home":{"id":7},"away":7,
              "tree":{"id":1,"tree":{"id":2,"tree":{"id":1}}}},
             {"id":2,"items":[],"home":8,"away":{"id":7,"name":"B"},"tree":null}]
            """#, "games.json")
        let outcome = try world.load(path, "--relations").expect(0)
        #expect(try world.values("sku", of: "items") == ["a"])
        #expect(try world.values("amount", of: "cart_items") == [2])
        #expect(try world.values("id", of: "tree").sorted { "\($0)" < "\($1)" } == [1, 2])
        let waiting = "references waiting for missing objects: games.home (1)"
        #expect(outcome.error.contains(waiting), "\(outcome.error)")
        let status = try Tool.tributary.run(["status", world.database])
        #expect(status.text.hasSuffix(waiting + "\n"), "\(status.text)")
        let json = try Tool.tributary.run(["status", world.database, "--json"])
        #expect(json.text.hasSuffix("{\"waiting\":{\"games.home\":1}}\n"), "\(json.text)")
    }

    @Test("Input that cannot be read twice, a model and other shapes of columns are refused with what to do")
    func refusals() throws {
        let path = try world.write(Self.countries, "countries.json")
        try world.load("-", "--entity", "c", "--relations", input: Data(Self.countries.utf8)).expect(
            64, error: "save it to a file first")
        try world.load(path, "--relations", "--flatten").expect(64, error: "cannot be used together")
        try world.load(path, "--model", try world.model(), "--entity", "User", "--relations").expect(
            64, error: "need no option")
        try world.load(path).expect(0)
        try world.load(path, "--relations").expect(1, error: "it holds values, and now objects")
    }

    @Test("Names that no table or column can have are reported; ids of other types are other objects")
    func names() throws {
        let path = try world.write(
            #"""
            [{"id":1,"a":[{"id":1},{"id":"1"},{"id":1.0}],"A":{"id":3},"b.c":{"id":4},"":{"id":5},"_pk":{"id":6},
              "sqlite_x":{"id":7},"x\"y":{"id":8}}]
            """#, "t.json")
        try world.load(path, "--relations").expect(0, error: "no column can have the names of t.A, t., t._pk")
        #expect(try world.values("id", of: "a") == [1, "1"])
        #expect(try world.values("id", of: "b_c") == [4] && world.values("id", of: "x\"y") == [8])
        #expect(try world.values("id", of: "t_sqlite_x") == [7])
    }

    @Test("The key that records tell is enough for every mode", arguments: ["insert", "update", "ignore", "replace"])
    func modes(_ mode: String) throws {
        let path = try world.write(#"[{"id":1,"part":{"id":2}}]"#, "t.json")
        try world.load(path, "--relations", "--mode", mode).expect(0)
        #expect(try world.rows("t").count == (mode == "update" ? 0 : 1))
        let flat = try world.load(world.write(#"[{"id":1}]"#, "f.json"), "--relations", "--mode", mode)
        #expect(flat.code == (mode == "insert" ? 0 : 64), "\(flat.error)")
    }

    @Test("Typed values of Extended JSON are keys, references and plain values of related tables")
    func extendedJSON() throws {
        let path = try world.write(
            """
            [{"_id":{"$oid":"a1"},"n":{"$numberLong":"5"},"at":{"$date":{"$numberLong":"0"}},
              "tags":[{"x":{"$numberInt":"1"}}], "owner":{"_id":{"$oid":"b1"},"name":"Ada"},
              "lines":[{"_id":{"$oid":"c1"},"price":{"$numberDouble":"1.5"}}]},
             {"_id":{"$oid":"a2"},"n":{"$numberLong":"6"},"at":null,"tags":[],"owner":{"$oid":"b1"},"lines":[]}]
            """, "orders.json")
        try world.load(path, "--relations").expect(0)
        #expect(try world.values("_id", of: "orders") == ["a1", "a2"])
        #expect(try world.values("n", of: "orders") == [5, 6])
        #expect(try world.values("at", of: "orders") == ["1970-01-01T00:00:00.000Z", .null])
        #expect(try world.values("tags", of: "orders") == [#"[{"x":1}]"#, "[]"])
        #expect(try world.values("owner", of: "orders") == [1, 1])
        #expect(try world.values("name", of: "owner") == ["Ada"])
        #expect(try world.values("price", of: "lines") == [1.5])
        try world.load(path, "--relations", "--again").expect(0, text: "2 read = 2 unchanged")
    }

    @Test("The records of related tables have the name of their file, and numbers are exact")
    func sourceColumn() throws {
        let one = try world.write(#"[{"id":1,"owner":{"id":7},"n":0.1000000000000000000001}]"#, "one.json")
        let two = try world.write(#"[{"id":2,"owner":{"id":7},"file":"x"}]"#, "two.json")
        let words = ["--relations", "--table", "orders", "--source-column", "file", "--numbers", "exact"]
        try Tool.tributary.run(["import", world.database, one, two] + words).expect(0)
        #expect(try world.values("file", of: "orders") == [.text(one), .text(two)])
        #expect(try world.values("_rest", of: "orders") == [.null, #"{"file":"x"}"#])
        #expect(try world.values("n", of: "orders") == ["0.1000000000000000000001", .null])
        #expect(try world.rows("owner").allSatisfy { $0["file"] == nil })
        // Another column is another import.
        try Tool.tributary.run(
            [
                "import", world.database, one, two, "--relations", "--table", "orders", "--source-column",
                "from",
            ]).expect(prefix: "2 read = 2 updated")
    }
}
