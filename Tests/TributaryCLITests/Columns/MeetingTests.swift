import Foundation
import TributarySQLite
import TributaryTestSupport
import Testing

/// Options for columns, records and tables where they meet other ones.
@Suite struct MeetingTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    @Test("A unique index of nested rows ends an import that would break it, and no row is lost")
    func nestedUniqueIndex() throws {
        let first = try world.write(#"[{"id":1,"l":[{"e":"a"},{"e":"b"}]}]"#, "n.json")
        try world.load(first, "--key", "id", "--relations=all", "--unique", "l.e").expect(0)
        let second = try world.write(#"[{"id":1,"l":[{"e":"b"},{"e":"a"}]}]"#, "m.json")
        try world.load(second, "--table", "n", "--key", "id", "--relations=all").expect(
            1, error: "the table l refuses a row: UNIQUE constraint failed: l.e")
        #expect(try world.values("e", of: "l") == ["a", "b"])
    }

    @Test("A record that a unique index refuses leaves none of its nested objects")
    func refusedOwner() throws {
        let first = try world.write(#"[{"id":1,"e":"a","l":{"id":5}}]"#, "n.json")
        try world.load(first, "--key", "id", "--relations", "--unique", "e").expect(0)
        let second = try world.write(#"[{"id":2,"e":"a","l":{"id":6}}]"#, "m.json")
        try world.load(second, "--table", "n", "--key", "id", "--relations").expect(1, error: "refuses a row")
        #expect(try world.values("id", of: "l") == [5])
    }

    @Test("A place with a column in the database stays one, also when its members look like keys")
    func storedColumnsAreNoDictionaries() throws {
        let first = try world.write(#"[{"id":1,"s":{"en":{"v":"x"}},"o":{"id":1}}]"#, "p.json")
        try world.load(first, "--key", "id", "--relations").expect(0)
        let names = (0..<12).map { #""20\#(10 + $0)":{"v":"\#($0)"}"# }.joined(separator: ",")
        let second = try world.write(#"[{"id":1,"s":{\#(names)},"o":{"id":1}},{"id":2,"s":{}}]"#, "q.json")
        try world.load(second, "--table", "p", "--key", "id", "--relations").expect(0, prefix: "2 read")
        #expect(try world.values("id", of: "p") == [1, 2])
    }

    @Test("Words that begin with a digit or have a slash are names of members, and numbers and dates are keys")
    func looksOfKeys() throws {
        let plain = try world.write(#"[{"id":1,"a":{"2xx":{"v":1},"3xx":{"v":2}},"o":{"id":1}}]"#, "p.json")
        try world.load(plain, "--key", "id", "--relations").expect(0)
        #expect(try Tool.tributary.run(["tables", world.database]).text.contains("a String"))
        let dated = try world.write(#"[{"id":1,"a":{"2026-01-01":{"v":1},"2026-01-02":{"v":2}}}]"#, "d.json")
        try world.load(dated, "--key", "id", "--relations").expect(0, error: "a{}")
    }

    @Test("A value that has the name of a function of SQLite has a table that can be used")
    func functionsAsValues() throws {
        for name in ["pragma_table_info", "PRAGMA_table_list", "json_tree", "json_each"] {
            let file = try world.write(#"{"type":"\#(name)","id":1}"#, "\(name).ndjson")
            try world.load(file, "--route-by", "type", "--key", "id").expect(0, error: "go into the table t_\(name)")
        }
        try Tool.tributary.run(["tables", world.database]).expect(0, text: "t_pragma_table_info  1 row")
        try Tool.tributary.run(["query", world.database, "t_json_tree"]).expect(0, text: #""id":1"#)
    }

    @Test("Two values that would be one table are refused, whatever else the dump has")
    func valuesOfOneTable() throws {
        let file = try world.write("{\"t\":\"a\"}\n{\"t\":\"A\"}\n", "r.ndjson")
        try world.load(file, "--route-by", "t").expect(
            64, error: "the records of 'a' would both go into the table 'a'", "with --where and --table")
        let others = try world.write("{\"t\":\"s\"}\n{}\n", "s.ndjson")
        try world.load(others, "--route-by", "t").expect(64, error: "name another one for the others with --table")
        try world.load(others, "--route-by", "t", "--table", "rest").expect(0)
        try world.load(others, "--route-by", "tt", "--again").expect(64, error: "Did you mean 't'?")
    }

    @Test("Typed values of MongoDB are plain in filters, columns with a type, and tables of other programs")
    func typedValues() throws {
        let file = try world.write(
            #"{"id":{"$numberLong":"5"},"p":{"$numberDecimal":"10.50"},"d":{"$oid":"abc"}}"#, "m.ndjson")
        try world.load(file, "--where", "id == 5", "--types", "p=text,id=integer").expect(
            0, prefix: "1 read = 1 inserted")
        #expect(try world.values("p", of: "m") == ["10.5"] && world.values("id", of: "m") == [5])
        try Connection(.file(world.database)).execute("CREATE TABLE k (id INTEGER PRIMARY KEY, d TEXT)")
        try world.load(file, "--table", "k", "--columns", "id,d").expect(0)
        #expect(try Connection(.file(world.database)).rows(of: "SELECT id, d FROM k") == [[5, "abc"]])
        try world.load(file, "--where", "id == 6", "--table", "n").expect(0, prefix: "1 read = 1 skipped")
    }

    @Test("A pattern of dates with minutes for months, and a type that a value has not, are told as they are")
    func reasons() throws {
        let file = try world.write(#"{"n":"abc"}"#, "r.ndjson")
        try world.load(file, "--convert", "n=date:mm/dd/yyyy").expect(64, error: "not 'date:mm/dd/yyyy'")
        try world.load(file, "--types", "n=integer").expect(1, error: #"not "abc""#)
    }

    @Test("The words of a web address are in no message, and a shortened one is no source")
    func addresses() throws {
        let secret = "http://me:secret@h/x.json?key=secret"
        for words in [
            ["status", secret], ["query", secret, "t"], ["model", secret],
            ["import", "a.sqlite", "f", "--model", secret],
            ["retry", "a.sqlite", secret], ["import", "a.sqlite", "f", "--rejects", secret],
            ["undo", secret, "--json"],
        ] {
            let outcome = try Tool.tributary.run(words)
            #expect(
                outcome.code == 64 && !(outcome.text + outcome.error).contains("secret"), "\(words): \(outcome.error)")
        }
        try Tool.tributary.run(["import", "a.sqlite", "http://h/x?…ca366e13"]).expect(64, error: "is shortened")
    }

    @Test("A command to type next can be typed where names begin as options do")
    func namesLikeOptions() throws {
        _ = try world.write("{\"id\":1}\n{\"id\":\n", "-f.ndjson")
        let outcome = try Tool.tributary.run(
            ["import", "--key", "id", "--rejects=-r", "--", "-db.sqlite", "-f.ndjson"], in: world.folder.url)
        outcome.expect(3, error: "tributary retry -- -db.sqlite -r")
        try Tool.tributary.run(["status", "--", "-db.sqlite"], in: world.folder.url).expect(
            0, error: "tributary rejects -- -db.sqlite")
        try Tool.tributary.run(["import", "--into", "-db.sqlite", "x"]).expect(
            64, error: "tributary import ./-db.sqlite x")
    }
}
