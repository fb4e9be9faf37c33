import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary query` of tables of other programs, and `tributary tables`.
@Suite struct QueryTableTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private func make(_ statements: String...) throws {
        let connection = try Connection(.file(world.database))
        for statement in statements { try connection.execute(SQLFragment(trusted: statement)) }
    }

    private func run(_ words: String...) throws -> Tool.Outcome {
        try Tool("/usr/bin/env").run(["COLUMNS=100", "LC_ALL=C.UTF-8", Tool.tributary.path] + words)
    }

    @Test("Tables with odd names, without row IDs, and views are queried, and values are those that SQLite has")
    func oddTables() throws {
        try make(
            "CREATE TABLE \"odd table\" (\"first name\" TEXT, \"a.b\", _pk INTEGER, rowid TEXT, day DATE, raw BLOB)",
            "INSERT INTO \"odd table\" VALUES ('x', 1.5, 7, 'r', '2020-01-02', x'00ff')",
            "INSERT INTO \"odd table\" VALUES ('y', NULL, 8, 's', '2021-01-02', NULL)",
            "CREATE TABLE w (k TEXT PRIMARY KEY, n) WITHOUT ROWID", "INSERT INTO w VALUES ('b', 1), ('a', 2)",
            "CREATE VIEW v AS SELECT n * 10 AS tens FROM w")
        let path = world.database
        try run("query", path, "odd table").expect(
            0,
            output: #"""
                {"first name":"x","a.b":1.5,"pk_":7,"rowid":"r","day":"2020-01-02","raw":"AP8="}
                {"first name":"y","a.b":null,"pk_":8,"rowid":"s","day":"2021-01-02","raw":null}

                """#)
        try run(
            "query", path, "odd table", "--where", "#\"first name\" == 'y' AND day > '2020-06-01'", "--fields",
            "first name,a.b"
        ).expect(0, output: "{\"first name\":\"y\",\"a.b\":null}\n")
        try run("query", path, "w").expect(0, output: "{\"k\":\"a\",\"n\":2}\n{\"k\":\"b\",\"n\":1}\n")
        try run("query", path, "V", "--sort", "tens").expect(0, output: "{\"tens\":10}\n{\"tens\":20}\n")
        try run("query", path, "w", "--fields", "sum(n)").expect(0, output: "{\"sum(n)\":3}\n")
    }

    @Test("Virtual, strict and generated tables, and views of views, are queried; what cannot be read is refused")
    func rareTables() throws {
        try make(
            "CREATE VIRTUAL TABLE text5 USING fts5(title, body)", "INSERT INTO text5 VALUES ('one', 'two')",
            "CREATE VIRTUAL TABLE words USING fts5vocab('text5', 'row')",
            "CREATE VIRTUAL TABLE empty5 USING fts5(title, content='')",
            "INSERT INTO empty5 (rowid, title) VALUES (1, 'x')",
            "CREATE VIRTUAL TABLE box USING rtree(id, x0, x1)", "INSERT INTO box VALUES (1, 0.5, 1.5), (2, 1, 3)",
            "CREATE TABLE strict (k INTEGER PRIMARY KEY, a ANY, r REAL) STRICT",
            "INSERT INTO strict VALUES (1, 'x', 1), (2, 5, 2.5)",
            "CREATE TABLE made (a INT, b INT AS (a * 2), c TEXT AS ('x' || a) STORED)",
            "INSERT INTO made VALUES (1), (2)",
            "CREATE VIEW twice AS SELECT a, a FROM made", "CREATE VIEW computed AS SELECT 1, a || 'x' FROM twice",
            "CREATE TABLE _o (a INT, _o INT)", "INSERT INTO _o VALUES (1, 2)", "CREATE TABLE rest (x INT)",
            "CREATE VIEW broken AS SELECT * FROM rest", "DROP TABLE rest")
        let expected = [
            "text5": #"{"title":"one","body":"two"}"#, "words": #"{"term":"one","doc":1,"cnt":1}"#,
            "box": #"{"id":1,"x0":0.5,"x1":1.5}"#,
            "strict": #"{"k":1,"a":"x","r":1.0}"#, "made": #"{"a":1,"b":2,"c":"x1"}"#, "twice": #"{"a":1,"a:1":1}"#,
            "computed": #"{"1":1,"a || 'x'":"1x"}"#, "_o": #"{"a":1,"_o":2}"#,
        ]
        for (name, line) in expected {
            try run("query", world.database, name, "--limit", "1").expect(0, output: line + "\n")
            let all = try run("query", world.database, name).expect(0).lines.count
            try run("query", world.database, name, "--count").expect(0, output: "\(all)\n")
        }
        try run("query", world.database, "box", "--where", "x1 > 2", "--fields", "id").expect(0, output: "{\"id\":2}\n")
        try run("query", world.database, "made", "--sort=-b", "--limit", "1", "--fields", "c").expect(
            0, output: "{\"c\":\"x2\"}\n")
        // An index that keeps no values has none to print.
        try run("query", world.database, "empty5").expect(1, error: "there is no entity or table 'empty5'")
        try run("query", world.database, "broken").expect(1, error: "no such table: main.rest")
        let text = try run("tables", world.database).expect(0).text
        #expect(text.contains("\nbroken  view\n") && text.contains("\nstrict  2 rows"), "\(text)")
    }

    @Test("A table of this library whose columns another program has changed is queried as it is")
    func changedColumns() throws {
        try world.load(try world.write(#"[{"id":1,"n":2}]"#, "own.json"), "--key", "id").expect(0)
        try run("query", world.database, "own").expect(0, output: "{\"id\":1,\"n\":2}\n")
        try make("ALTER TABLE own DROP COLUMN n")
        try run("query", world.database, "own", "--fields", "id").expect(0, output: "{\"id\":1}\n")
    }

    // MARK: Tables

    @Test("tables lists rows, columns, keys, indexes, relations and sizes, and as JSON")
    func tables() throws {
        try make(
            "CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
            "CREATE TABLE users (a, b, city REFERENCES cities (id), PRIMARY KEY (a, b))",
            "CREATE INDEX byCity ON users (city, lower(a))", "INSERT INTO cities VALUES (1, 'x'), (2, 'y')",
            "CREATE VIEW names AS SELECT name FROM cities")
        let text = try run("tables", world.database).expect(0).text
        #expect(text.hasPrefix("cities  2 rows, "), "\(text)")
        for line in [
            "id INTEGER, name TEXT", "key id", "key name", "key a, b", "index byCity (city, an expression)",
            "city → cities", "users  0 rows", "names  view",
        ] {
            #expect(text.contains(line), "\(line): \(text)")
        }
        let json = try run("tables", world.database, "--json").expect(0).output
        let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let list = try #require(object["tables"] as? [[String: Any]])
        #expect(list.map { $0["name"] as? String } == ["cities", "users", "names"])
        #expect(list[0]["rows"] as? Int == 2 && list[0]["keys"] as? [[String]] == [["id"], ["name"]])
        #expect((list[1]["relations"] as? [[String: Any]])?.first?["to"] as? String == "cities")
        try Tool.tributary.run(["tables", world.folder.path("no.sqlite")]).expect(
            1, error: "the database does not exist")
    }

    @Test("Tables of this library have the types and relations of their model, and not their own columns")
    func ownTables() throws {
        let path = try world.write(
            #"[{"id":1,"city":{"id":"B","name":"x"}},{"id":2,"city":{"id":"C"}},{"id":3,"city":{"id":"B"}}]"#)
        try world.load(path, "--relations").expect(0)
        let text = try run("tables", world.database).expect(0, text: "users  3 rows", "city  2 rows").text
        for line in ["key id", "city → city", "users → many users"] { #expect(text.contains(line), "\(text)") }
        #expect(!text.contains("_pk") && !text.contains("_run"), "\(text)")
        try run("query", world.database, "users").expect(
            0, output: "{\"id\":1,\"city\":\"B\"}\n{\"id\":2,\"city\":\"C\"}\n{\"id\":3,\"city\":\"B\"}\n")
        try run("query", world.database, "city", "--fields", "id,count(users)", "--sort=-count(users)", "--limit", "1")
            .expect(0, output: "{\"id\":\"B\",\"count(users)\":2}\n")
    }

    // MARK: Plain code

    /// A row of the random table.
    private struct Row {
        let id: Int
        let number: Int?
        let real: Double?
        let text: String?

        var json: String {
            let parts = [number.map { "\($0)" }, real.map { "\($0)" }, text.map { "\"\($0)\"" }].map { $0 ?? "null" }
            return "{\"id\":\(id),\"n\":\(parts[0]),\"r\":\(parts[1]),\"s\":\(parts[2])}"
        }
    }

    /// A random filter, and the same condition in plain code.
    private func filter(_ random: inout SeededGenerator, _ depth: Int) -> (text: String, holds: (Row) -> Bool) {
        if depth > 0, random.once(in: 2) {
            let left = filter(&random, depth - 1)
            if random.once(in: 3) { return ("NOT (\(left.text))", { !left.holds($0) }) }
            let right = filter(&random, depth - 1)
            return random.once(in: 2)
                ? ("(\(left.text) AND \(right.text))", { left.holds($0) && right.holds($0) })
                : ("(\(left.text) OR \(right.text))", { left.holds($0) || right.holds($0) })
        }
        let number = random.below(7) - 3
        let letter = random.pick(["a", "b", "ab"])
        switch random.below(6) {
        case 0: return ("n > \(number)", { $0.number.map { $0 > number } ?? false })
        case 1: return ("n == \(number)", { $0.number == number })
        case 2:
            let bound = Double(number) + 0.5
            return ("r <= \(bound)", { $0.real.map { $0 <= bound } ?? false })
        case 3: return ("s BEGINSWITH '\(letter)'", { $0.text?.hasPrefix(letter) ?? false })
        case 4: return ("s == nil", { $0.text == nil })
        default: return ("id > \(number + 10)", { $0.id > number + 10 })
        }
    }

    @Test("Random filters and orders of a plain table give the rows that plain code gives", arguments: 0..<12)
    func randomFilters(_ number: Int) throws {
        var random = SeededGenerator.sampled(16, case: UInt64(number))
        try make("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, r REAL, s TEXT)")
        let connection = try Connection(.file(world.database))
        let rows = (1...30).map { id in
            Row(
                id: id, number: random.once(in: 4) ? nil : random.below(7) - 3,
                real: random.once(in: 4) ? nil : Double(random.below(13) - 6) / 2,
                text: random.once(in: 4) ? nil : random.pick(["", "a", "ab", "abc", "b", "ba"]))
        }
        for row in rows {
            let values: [SQLValue] = [
                row.number.map { .integer(Int64($0)) } ?? .null, row.real.map(SQLValue.real) ?? .null,
                row.text.map(SQLValue.text) ?? .null,
            ]
            try connection.execute("INSERT INTO t VALUES (\(row.id), \(values[0]), \(values[1]), \(values[2]))")
        }
        for _ in 0..<6 {
            let (text, holds) = filter(&random, 3)
            let isDescending = random.once(in: 2)
            // Null is the least, and equal rows stay in the order of their keys.
            let expected = rows.filter(holds).sorted { left, right in
                let (one, two) = (left.number ?? .min, right.number ?? .min)
                return one == two ? left.id < right.id : isDescending ? one > two : one < two
            }
            let (offset, limit) = (random.below(4), random.below(30))
            let shown = expected.dropFirst(offset).prefix(limit)
            let outcome = try run(
                "query", world.database, "t", "--where", text, "--sort=\(isDescending ? "-" : "")n", "--offset",
                "\(offset)", "--limit", "\(limit)")
            #expect(outcome.code == 0 && outcome.lines == shown.map(\.json), "seed \(random.seed): \(text)")
            try run("query", world.database, "t", "--count", "--where", text).expect(0, output: "\(expected.count)\n")
        }
    }
}
