import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary inspect DB [TABLE]`.
@Suite struct InspectDatabaseTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private func make(_ statements: String...) throws {
        let connection = try Connection(.file(world.database))
        for statement in statements { try connection.execute(SQLFragment(trusted: statement)) }
    }

    /// Makes two tables and a view of another program.
    private func makeShop() throws {
        let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
        try make(
            "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, score REAL, photo BLOB)",
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER)",
            "CREATE VIEW rich AS SELECT id FROM users WHERE id > 30",
            "\(numbers) INSERT INTO users SELECT i, 'user ' || i, i / 2.0, x'00ff' FROM n",
            "\(numbers) INSERT INTO orders SELECT 1000 + i, i FROM n", "INSERT INTO users (name) VALUES ('last')")
    }

    private func run(_ words: String...) throws -> Tool.Outcome {
        try Tool("/usr/bin/env").run(["COLUMNS=100", "LC_ALL=C.UTF-8", Tool.tributary.path, "inspect"] + words)
    }

    @Test("A table is told as a dump is, with its rows and without a command that imports")
    func oneTable() throws {
        try makeShop()
        let before = try world.folder.read("app.sqlite")
        let outcome = try run(world.database, "users").expect(0)
        #expect(outcome.lines.first == "\(world.database): table users, 41 rows")
        #expect(outcome.lines.contains { $0.hasPrefix("id ") && $0.contains("integer") && $0.contains("key") })
        #expect(outcome.lines.contains { $0.hasPrefix("photo ") && $0.contains("98 %") && $0.contains("AP8=") })
        #expect(!outcome.text.contains("tributary import"))
        #expect(try run(world.database, "USERS").expect(0).text == outcome.text)
        #expect(try run(world.database, "rich").expect(0).text.contains("table rich, 11 rows"))
        #expect(try world.folder.read("app.sqlite") == before)
    }

    @Test("All tables are told together, with the references between them")
    func allTables() throws {
        try makeShop()
        let outcome = try run(world.database).expect(0, text: "app.sqlite: 2 tables, 81 rows", "→ .users[].id")
        #expect(!outcome.text.contains("rich"))
        try make("DROP TABLE orders")
        try run(world.database).expect(0, text: "app.sqlite: table users, 41 rows")
    }

    @Test("--limit, --json, --html, --write-schema and --no-values work as for dumps")
    func outputs() throws {
        try makeShop()
        let (page, schema) = (world.folder.path("p.html"), world.folder.path("s.json"))
        try run(world.database, "users", "--limit", "3", "--html", page, "--write-schema", schema)
            .expect(0, text: "table users, 3 rows", "only the first 3 rows of the input were read")
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("table users"))
        #expect(try String(contentsOfFile: schema, encoding: .utf8).contains("\"photo\""))
        #expect(!(try run(world.database, "users", "--no-values").expect(0, text: "table users")).text.contains("AP8="))
        let base = world.folder.path("base.json")
        try run(world.database, "users", "--json").expect(0).output.write(to: URL(filePath: base))
        try run(world.database, "users", "--against", base).expect(0, output: "")
        try make("UPDATE users SET name = NULL WHERE id = 7")
        try run(world.database, "users", "--against", base).expect(
            2, output: ".name: filled in 97.6 %, before in 100 %\n")
        try run(world.database, "users", "--html", world.database).expect(64, error: "is an input")
    }

    @Test("A table that does not exist, a dump beside a database and options of dumps are refused")
    func refusals() throws {
        try makeShop()
        let dump = try world.write("[{\"a\":1}]")
        try run(world.database, "usrs").expect(1, error: "there is no table 'usrs'. Did you mean 'users'?")
        try run(world.database, "nothing").expect(1, error: "there is no table 'nothing'; it has users, orders, rich")
        for words in [[world.database, dump], [dump, world.database], [world.database, "users", "orders"]] {
            try Tool.tributary.run(["inspect"] + words).expect(64, error: "is a database, which is read alone")
        }
        try run(world.database, "users", "--at", ".a[]").expect(64, error: "'--at' is for dumps")
        try run(world.database, "users", "--format", "json").expect(64, error: "'--format' is for dumps")
    }

    @Test("A database without tables, and a file that only begins as one, are refused")
    func otherFiles() throws {
        try make("CREATE VIEW one AS SELECT 1")
        try run(world.database).expect(1, error: "the database has no tables")
        let file = try world.write("SQLite format 3\0" + String(repeating: "no database ", count: 200), "odd.sqlite")
        try run(file).expect(1, error: "odd.sqlite: it is not a database")
    }

    @Test("Tables with odd names, triggers and changed columns are told, and their write-ahead log is no output")
    func oddTables() throws {
        try make(
            "CREATE TABLE t (id)", "CREATE TRIGGER t AFTER INSERT ON t BEGIN SELECT 1; END", "CREATE TABLE _p (x)",
            "CREATE TABLE \"caf\u{E9}\" (a)", "CREATE TABLE \"cafe\u{301}\" (b)", "INSERT INTO _p VALUES (1)",
            "INSERT INTO \"cafe\u{301}\" VALUES (x'\(String(repeating: "00", count: 300_000))')")
        try run(world.database).expect(0, text: "4 tables, 2 rows")
        try run(world.database, "cafe\u{301}").expect(0, text: "400,000 characters")
        try run(world.database, "_p").expect(0, text: "table _p, 1 row")
        try run(world.database, "_p", "--html", world.database + "-wal").expect(64, error: "is an input")
        try run(world.database, "_p", "--key-as", "k").expect(64, error: "'--key-as' is for dumps, not for a database")
        try world.load(try world.write(#"[{"id":1,"n":2}]"#, "own.json"), "--key", "id").expect(0)
        try make("ALTER TABLE own DROP COLUMN n")
        try run(world.database, "own").expect(0, text: "table own, 1 row")
    }

    @Test("A name that begins like an address is that of a file")
    func addressLikeName() throws {
        let folder = URL(filePath: world.folder.path(""))
        _ = try world.write("[{\"id\":1}]", "a.json")
        try Tool.tributary.run(["import", "file:z.db", "-q", "a.json"], in: folder).expect(0)
        #expect(FileManager.default.fileExists(atPath: world.folder.path("file:z.db")))
        #expect(!FileManager.default.fileExists(atPath: world.folder.path("z.db")))
        try Tool.tributary.run(["inspect", "file:z.db"], in: folder).expect(0, text: "table a, 1 row")
    }

    @Test("Rows of this library lack its own columns, and links are keys")
    func ownTables() throws {
        let path = try world.write(
            #"[{"id":1,"ok":true,"tags":["a"],"city":{"id":"B","name":"x"}},{"id":2,"city":{"id":"C"}},{"id":3,"city":{"id":"B"}}]"#
        )
        try world.load(path, "--relations").expect(0)
        let text = try run(world.database, "users").expect(0).text
        for hidden in ["_pk", "_version", "_entity", "_order"] { #expect(!text.contains(hidden), "\(text)") }
        #expect(text.contains("\ncity ") && text.contains("B 67 % · C 33 %"), "\(text)")
        try run(world.database).expect(0, text: "tables, ")
    }
}
