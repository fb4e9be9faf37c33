import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// What `--relations` must neither lose nor leave behind: shared objects, removed ones, and names that two members want.
@Suite struct NestedTablesTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    @discardableResult
    private func load(_ text: String, _ words: String..., table: String = "r") throws -> Tool.Outcome {
        let path = try world.write(text, "in.json")
        let outcome = try Tool.tributary.run(["import", world.database, path, "--table", table] + words)
        #expect(outcome.code == 0 || words.contains("--dry-run"), "\(outcome.error)")
        return outcome
    }

    private func ids(_ rows: [SQLValue]) -> [String] { rows.map { "\($0)" }.sorted() }

    @Test("An object is one row in a place that also holds arrays, whatever its members are")
    func objectsBesideArrays() throws {
        try load(
            #"[{"id":1,"a":{"b":{"q":1},"c":{"q":2}}},{"id":2,"a":[{"b":{"q":3}}]},{"id":3,"a":{}},{"id":4,"a":{"m":null}}]"#,
            "--relations=all")
        #expect(try world.rows("a").count == 4)
        #expect(try ids(world.values("q", of: "b")) == ids([1, 3]))
        #expect(try world.values("q", of: "c") == [2])
    }

    @Test("A list that a later record shortens takes along what its objects hold")
    func shortened() throws {
        try load(
            #"""
            [{"id":7,"lines":[{"q":0,"s":{"z":7}}],"o":[{"q":0,"t":[{"id":7},8]}]},{"id":7,"lines":[],"o":[]}]
            """#, "--relations=all")
        for table in ["lines", "s", "o"] { #expect(try world.rows(table).isEmpty, "\(table)") }
        #expect(try world.values("id", of: "t") == [7])
    }

    @Test("An owned object is deleted once its record has none, with the objects inside of it")
    func orphans() throws {
        try load(#"[{"id":7,"o":{"q":0,"s":{"z":7}}},{"id":8,"o":{"q":1}}]"#, "--relations=all")
        try load(#"[{"id":7,"o":null},{"id":8,"o":{"q":2}}]"#, "--relations=all")
        #expect(try world.values("q", of: "o") == [2] && world.rows("s").isEmpty)
        try load(#"[{"id":9,"o":{"q":3}},{"id":9,"o":null}]"#, "--relations=all")
        #expect(try world.values("q", of: "o") == [2])
    }

    @Test(
        "A record that lists fewer objects is updated, also in a dry run",
        arguments: [
            #"[{"id":1,"l":[]}]"#, #"[{"id":1,"k":[{"id":5}]}]"#, #"[{"id":1,"o":null}]"#,
            #"[{"id":1,"p":{"id":1,"k":[{"id":7}]}}]"#,
        ])
    func removals(_ next: String) throws {
        try load(
            #"[{"id":1,"l":[{"q":1},{"q":2}],"k":[{"id":5},{"id":6}],"o":{"z":1},"p":{"id":1,"k":[{"id":7},{"id":8}]}}]"#,
            "--relations=all")
        try load(next, "--relations=all", "--dry-run").expect(2, text: "1 updated")
        try load(next, "--relations=all").expect(text: "1 updated")
        let again = try load(next, "--relations=all", "--again")
        #expect(!again.text.contains("1 updated"), "\(again.text)")
    }

    @Test(
        "An object in the lists of several owners gets a join table, however the owners name it",
        arguments: [
            (#"[{"id":1,"t":[{"id":1}]},{"id":2,"t":[1]},{"id":3,"t":[1]}]"#, "_r.t", 3),
            (#"[{"id":1,"t":{"id":1}},{"id":2,"t":[{"id":1}]},{"id":3,"t":{"id":1}}]"#, "_r.t", 3),
            (#"[{"id":1,"t":1},{"id":2,"t":[{"id":1}]}]"#, "_r.t", 2),
            (
                #"[{"id":1,"a":{"id":1,"tags":[{"id":1}]},"c":{"id":5,"a":{"id":2,"tags":[{"id":1}]}}}]"#, "_a.tags", 2
            ),
        ])
    func shared(_ text: String, _ table: String, _ count: Int) throws {
        try load(text, "--relations").expect(error: "join table \(table)")
        let connection = try Connection(.file(world.database))
        let found = try connection.rows(of: "SELECT \"_source\", \"_target\" FROM \(identifier: table)")
        #expect(found.count == count, "\(found)")
    }

    @Test("A record that lists objects of a join table in another order is updated, and one in the same order is not")
    func reordered() throws {
        try load(#"[{"id":1,"t":[{"id":5}]},{"id":2,"t":[{"id":5},{"id":6}]}]"#, "--relations")
        try load(#"[{"id":2,"t":[{"id":6},{"id":5},{"id":6}]}]"#, "--relations").expect(text: "1 updated")
        try load(#"[{"id":2,"t":[{"id":6},{"id":5}]}]"#, "--relations").expect(prefix: "1 read = 1 unchanged")
    }

    @Test(
        "Standard input cannot be read twice, also if it is redirected from a file",
        arguments: ["--relations --table r", "--all"])
    func redirected(_ options: String) throws {
        let path = try world.write(#"[{"id":1,"o":{"id":2}}]"#, "in.json")
        let line = #""$0" import "$1" - \#(options) < "$2""#
        try Tool("/bin/sh").run(["-c", line, Tool.tributary.path, world.database, path]).expect(
            64, error: "save it to a file first")
    }

    @Test("The columns do not depend on the order of the files")
    func order() throws {
        let name = String(repeating: "n", count: 1000)
        var lines = (0..<5000).map { #"{"id":\#($0),"name":"\#(name)"}"# }
        lines.append(#"{"id":5000,"late":"v","obj":{"id":1}}"#)
        let first = try world.write(lines.joined(separator: "\n"), "1.ndjson")
        let second = try world.write(#"{"id":9000,"name":"b","p":{"id":1}}"#, "2.ndjson")
        try world.load(first, second, "--table", "r", "--relations").expect(0)
        #expect(try world.values("late", of: "r").contains("v"))
        #expect(try world.values("id", of: "obj") == [1] && world.values("id", of: "p") == [1])
    }

    @Test("Objects of one name with other members get a table of their own, beside those of the database")
    func merged() throws {
        try load(#"[{"id":1,"states":[{"id":1,"name":"Tyrol"}]}]"#, "--relations")
        try load(#"[{"id":1,"states":[{"id":1,"code":9}]}]"#, "--relations", table: "machines")
        #expect(try world.values("code", of: "machines_states") == [9])
        #expect(try world.rows("states").first?.keys.contains("code") == false)
        try load(#"[{"id":1,"login":"a","s":{"id":7,"color":"red"}}]"#, "--relations", table: "s")
        #expect(try world.values("login", of: "s") == ["a"] && world.values("color", of: "s_s") == ["red"])
    }

    @Test("Two members that want one name for a link or a column both keep their values")
    func names() throws {
        try load(#"[{"id":1,"a":{"b":{"id":1}},"a_b":{"id":2}}]"#, "--relations", table: "links")
        try load(
            #"[{"id":2,"a_b":{"id":5}},{"id":3,"a":{"b":{"id":6}}}]"#, "--relations", table: "links")
        #expect(try ids(world.values("id", of: "b")) == ids([1, 6]))
        #expect(try ids(world.values("id", of: "a_b")) == ids([2, 5]))
        try load(#"[{"id":1,"a":{"b":{"id":1}}},{"id":2,"a_b":7}]"#, "--relations", table: "columns")
        #expect(try world.values("a_b", of: "columns").contains(7))
        #expect(try world.values("a_b_2", of: "columns").contains { $0 != .null })
        try load(#"[{"id":1,"Id":{"id":7}}]"#, "--relations", table: "cased").expect(
            error: "Id (1 value: its name differs from a column only in case)")
        try load(#"[{"id":1,"json_each":{"id":7}}]"#, "--relations", table: "functions")
        #expect(try world.values("id", of: "functions_json_each") == [7])
    }

    @Test("Bare keys of another kind widen the key, and Booleans in a list keep it JSON, without an offer")
    func kinds() throws {
        try load(#"[{"id":1,"x":[{"id":1}],"y":{"id":1}}]"#, "--relations")
        try load(#"[{"id":2,"x":["k"],"y":"k"},{"id":3,"x":[{"id":"k"}],"y":{"id":"k"}}]"#, "--relations")
        #expect(try world.values("id", of: "x") == [1, "k"] && world.values("id", of: "y") == [1, "k"])
        try load(#"[{"id":1,"x":[{"id":1},true]}]"#, "--relations", table: "mixed").expect(
            error: "mixed.x stays JSON: it has true or false beside objects\n", without: "has objects with an id")
        try load(#"[{"id":1,"x":{"id":1}}]"#, "--relations", "--append", "--dry-run").expect(
            64, error: "has a key: rows with known keys are updated")
    }
}
