import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// Imports into databases that other programs made.
@Suite struct ForeignTableTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private func make(_ statements: String...) throws {
        let connection = try Connection(.file(world.database))
        connection.setUsesSchemaCode(true)
        for statement in statements { try connection.execute(SQLFragment(trusted: statement)) }
    }

    /// The file of rejects.
    private func reasons() -> String {
        (try? String(contentsOfFile: world.folder.path("rejects.ndjson"), encoding: .utf8)) ?? ""
    }

    @Test("Tables of this library stand beside others, whose settings and rows stay as they are")
    func beside() throws {
        try make(
            "PRAGMA page_size = 1024", "PRAGMA application_id = 77", "PRAGMA user_version = 5",
            "CREATE TABLE \"notes\" (\"text\")", "INSERT INTO \"notes\" VALUES ('mine')")
        let path = try world.write("[{\"id\":1},{\"id\":2}]", "users.json")
        try world.load(path, "--key", "id").expect(0)
        try world.load(path, "--key", "id", "--again", "--json").expect(text: "\"unchanged\":2")
        for (pragma, value) in [("page_size", 1024), ("application_id", 77), ("user_version", 5)] as [(String, Int64)] {
            #expect(try world.query("PRAGMA \(pragma)") == [[.integer(value)]])
        }
        #expect(try world.query("PRAGMA journal_mode") == [["delete"]])
        #expect(
            try world.query("SELECT * FROM \"notes\"") == [["mine"]]
                && world.query("SELECT \"id\" FROM \"users\"") == [[1], [2]])
        #expect(try world.query("PRAGMA integrity_check") == [["ok"]])
    }

    @Test(
        "What a table of another program cannot do is reported before its database is changed",
        arguments: [
            "sync", "sync --key id", "import --mode replace", "import --rest none", "import --rest id",
            "import --key name", "import --source-column id", "import --source-column none --rest more",
            "import --source-column more --rest more",
        ])
    func refusalsChangeNothing(_ text: String) throws {
        try make("CREATE TABLE \"u\" (\"id\" INTEGER PRIMARY KEY, \"name\" TEXT, \"more\" TEXT)")
        let before = try world.folder.read("app.sqlite")
        let path = try world.write(#"[{"id":1,"name":"a"}]"#)
        let words = text.split(separator: " ").map(String.init)
        try Tool.tributary.run(
            [words[0], world.database, path, "--table", "u"] + words.dropFirst()
        ).expect(1, without: "to resume")
        #expect(try world.folder.read("app.sqlite") == before)
    }

    @Test("With --columns the column of --rest takes the members that are not chosen")
    func restOfColumns() throws {
        try make("CREATE TABLE \"u\" (\"key\" INTEGER PRIMARY KEY, \"city\" TEXT, \"more\" TEXT)")
        let path = try world.write(#"[{"id":1,"address":{"city":"Graz"},"name":"a"},{"id":2,"city":"x","n":[1]}]"#)
        try world.load(path, "--table", "u", "--columns", "key=id,city=address.city", "--rest", "more").expect(0)
        #expect(
            try world.query("SELECT * FROM \"u\"") == [
                [1, "Graz", #"{"address":{"city":"Graz"},"name":"a"}"#], [2, .null, #"{"city":"x","n":[1]}"#],
            ])
    }

    @Test("A column of --columns that is the key has the values of its path")
    func keyOfColumns() throws {
        try make("CREATE TABLE \"u\" (\"id\" TEXT PRIMARY KEY, \"y\" TEXT)")
        let path = try world.write(#"[{"id":1,"uid":"X","y":"q"},{"id":2,"uid":"Z","y":"r"}]"#, "c.json")
        try world.load(path, "--table", "u", "--columns", "id=uid,y").expect(0)
        #expect(try world.query("SELECT \"id\" FROM \"u\"") == [["X"], ["Z"]])
        try world.load(path, "--table", "v", "--columns", "id=uid,y", "--key", "id").expect(0)
        #expect(try world.values("id", of: "v") == ["X", "Z"])
    }

    @Test("Of members with one name the last counts, and two that differ in case are reported")
    func repeatedMembers() throws {
        try make("CREATE TABLE \"u\" (\"id\" INTEGER PRIMARY KEY, \"name\" TEXT)")
        let path = try world.write(
            #"[{"id":1,"name":"y","name":"z"},{"id":2,"id":3},{"id":4,"Name":"x","name":"y"},{"id":5,"NAME":"w"}]"#)
        let outcome = try world.load(path, "--table", "u", "--rejects", world.folder.path("rejects.ndjson"))
        #expect(outcome.code == 3 && reasons().contains("its members Name and name have the same column"))
        #expect(try world.query("SELECT * FROM \"u\"") == [[1, "z"], [3, .null], [5, "w"]])
    }

    @Test("A value that a column cannot have is a reject")
    func mismatch() throws {
        try make("CREATE TABLE \"u\" (\"id\" INTEGER PRIMARY KEY, \"name\")")
        try make(
            "CREATE TRIGGER \"t\" AFTER INSERT ON \"u\" BEGIN UPDATE \"u\" SET \"id\" = 'x' WHERE NEW.name = 'bad'; END"
        )
        let path = try world.write(#"[{"id":1,"name":"bad"},{"id":2,"name":"good"}]"#)
        let outcome = try world.load(path, "--table", "u", "--rejects", world.folder.path("rejects.ndjson"))
        #expect(outcome.code == 3 && reasons().contains("datatype mismatch"), "\(outcome.error)")
        #expect(try world.query("SELECT \"id\" FROM \"u\"") == [[2]])
    }

    @Test("A unique index that was added to a table of this library rejects a record that violates it")
    func addedIndex() throws {
        let path = try world.write(#"[{"id":1,"mail":"a"},{"id":2,"mail":"b"}]"#)
        try world.load(path, "--key", "id").expect(0)
        try make("CREATE UNIQUE INDEX \"mails\" ON \"users\" (\"mail\")")
        for text in [#"[{"id":1,"mail":"b"}]"#, #"[{"id":3,"mail":"a"}]"#] {
            try world.load(try world.write(text, "users.json"), "--key", "id").expect(
                1, error: "a value that must be unique exists already: UNIQUE constraint failed: users.mail (mail is '")
        }
        #expect(try world.query("SELECT \"id\", \"mail\" FROM \"users\"") == [[1, "a"], [2, "b"]])
    }

    @Test("A column that was added to a table of this library is reported when a member needs it")
    func addedColumn() throws {
        try world.load(try world.write(#"[{"id":1}]"#), "--key", "id").expect(0)
        try make("ALTER TABLE \"users\" ADD COLUMN \"Name\"")
        try world.load(try world.write(#"[{"id":1,"name":"a"}]"#), "--key", "id").expect(
            1, error: "another program has added the column name to users", "rename that column with ALTER TABLE")
    }

    @Test("A database of UTF-16 gets the same rows, also where a direct load was wanted")
    func wideText() throws {
        try make("PRAGMA encoding = 'UTF-16le'", "CREATE TABLE \"notes\" (\"text\")")
        let path = try world.write(#"[{"id":1,"name":"é😀"}]"#, "users.json")
        try world.load(path, "--key", "id", "--first-load", "direct").expect(0)
        #expect(try world.query("SELECT \"id\", \"name\" FROM \"users\"") == [[1, "é😀"]])
        #expect(try world.query("PRAGMA integrity_check") == [["ok"]])
    }

    @Test(
        "A mode that needs a key is refused for a table without one, before anything is read",
        arguments: ["update", "ignore"])
    func modeWithoutKey(mode: String) throws {
        try make("CREATE TABLE \"u\" (\"id\")", "CREATE TABLE \"v\" (\"id\" INTEGER PRIMARY KEY)")
        let path = try world.write(#"[{"id":1},{"id":}]"#)
        try world.load(path, "--table", "u", "--mode", mode).expect(1, error: "the mode \(mode) needs a key")
        try world.load(path, "--table", "v", "--append", "--mode", mode).expect(
            64, error: "'--append' and '--mode \(mode)'")
        try world.load(path, "--table", "u", "--mode", mode, "--dry-run", "--json").expect(1, text: "import.route")
        #expect(try world.query("SELECT * FROM \"u\"").isEmpty && world.query("SELECT * FROM \"v\"").isEmpty)
    }

    @Test("A dry run of --truncate counts as if the table were empty, and changes nothing")
    func dryTruncate() throws {
        let path = try world.write(#"[{"id":1},{"id":2}]"#)
        try world.load(path, "--key", "id").expect(0)
        let outcome = try world.load(path, "--key", "id", "--truncate", "-n")
        #expect(
            outcome.text.contains("2 read = 2 would be inserted") || outcome.text.contains("2 inserted"),
            "\(outcome.text)")
        #expect(try world.rows("users").count == 2)
    }

    @Test("A direct load goes into a database of another program too")
    func directLoad() throws {
        try make("CREATE TABLE \"notes\" (\"text\")")
        let path = try world.write("[{\"id\":1},{\"id\":2},{\"id\":1}]", "users.json")
        try world.load(path, "--key", "id", "--first-load", "direct").expect(0)
        #expect(try world.query("SELECT \"id\" FROM \"users\"") == [[1], [2]])
        #expect(try world.query("PRAGMA integrity_check") == [["ok"]])
    }

    private static let schema = [
        "CREATE TABLE \"orgs\" (\"id\" INTEGER PRIMARY KEY)", "INSERT INTO \"orgs\" VALUES (1)",
        """
        CREATE TABLE "users" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "email" varchar(50) UNIQUE,
        "age" int CHECK ("age" < 150), "seen" datetime, "twice" AS ("age" * 2),
        "org" int REFERENCES "orgs" ("id") DEFERRABLE INITIALLY DEFERRED)
        """,
        "CREATE VIRTUAL TABLE \"search\" USING fts5(\"name\", content='users', content_rowid='id')",
        """
        CREATE TRIGGER "added" AFTER INSERT ON "users" BEGIN
        INSERT INTO "search" (rowid, "name") VALUES (new."id", new."name"); END
        """,
        """
        CREATE TRIGGER "changed" AFTER UPDATE ON "users" BEGIN
        INSERT INTO "search" ("search", rowid, "name") VALUES ('delete', old."id", old."name");
        INSERT INTO "search" (rowid, "name") VALUES (new."id", new."name"); END
        """,
        """
        CREATE TRIGGER "ignored" BEFORE INSERT ON "users" WHEN new."name" = 'nobody' BEGIN
        SELECT RAISE(IGNORE); END
        """,
        """
        CREATE TRIGGER "refused" BEFORE UPDATE ON "users" WHEN new."name" = 'root' BEGIN
        SELECT RAISE(FAIL, 'no root'); END
        """,
    ]

    @Test("Members map to columns by name, constraints reject, triggers run and keep a full-text search in step")
    func constraintsAndTriggers() throws {
        for statement in Self.schema { try make(statement) }
        let path = try world.write(
            """
            [{"id":1,"name":"Ann","email":"a@x","age":12,"seen":"2024-01-01","org":1},
            {"id":2,"name":12,"age":"007"},
            {"id":3,"name":"Bob","email":"a@x"},
            {"id":4,"name":"Cy","age":200},
            {"id":5,"name":"Di","org":9},
            {"id":6,"name":"nobody"},
            {"id":7},
            {"id":"8","NAME":5,"Age":"7","seen":"1.50"},
            {"id":"9","NAME":5,"Age":"7","seen":"1.5"},
            {"id":1,"name":"Anna"},
            {"id":1,"name":"root"}]
            """, "users.json")
        let outcome = try world.load(path, "--on-error", "quarantine", "--json")
        let books = try world.books(outcome)
        #expect(books["inserted"] == 2 && books["updated"] == 1 && books["skipped"] == 1 && books["rejected"] == 7)
        #expect(
            try world.query("SELECT \"id\", \"name\", \"age\", \"seen\", \"twice\" FROM \"users\"")
                == [[1, "Anna", 12, "2024-01-01", 24], [9, "5", 7, 1.5, 14]])
        #expect(try world.query("SELECT rowid FROM \"search\" WHERE \"search\" MATCH 'anna'") == [[1]])
        #expect(try world.query("SELECT rowid FROM \"search\" WHERE \"search\" MATCH 'ann'") == [])
        let rejects = try Tool.tributary.run(["rejects", world.database]).text
        for reason in [
            "age takes a whole number of 64 bits", "UNIQUE constraint failed: users.email", "CHECK constraint failed",
            "a reference refers to a missing row", "NOT NULL constraint failed: users.name", "no root",
            "seen takes a number",
        ] { #expect(rejects.contains(reason), "\(reason)") }
        // A fixed cause lets the record in.
        try make("INSERT INTO \"orgs\" VALUES (9)")
        _ = try Tool.tributary.run(["retry", world.database])
        #expect(try world.query("SELECT \"org\" FROM \"users\" WHERE \"id\" = 5") == [[9]])
        try world.load(path, "--on-error", "stop", "--again").expect(1)
    }

    @Test(
        "--verbose tells the key of the table and where it is from",
        arguments: [
            ("isbn TEXT PRIMARY KEY, n", [], "isbn, the primary key of the table"),
            ("isbn TEXT UNIQUE, n", [], "isbn, the unique index of the table"),
            ("a, isbn, PRIMARY KEY (isbn, a)", [], "isbn, a, the primary key of the table"),
            ("isbn TEXT PRIMARY KEY, n UNIQUE", ["--key", "n"], "n, named by --key"),
            ("isbn TEXT PRIMARY KEY", ["--append"], "none, so each record becomes a new row"),
            ("isbn TEXT", [], "none, so each record becomes a new row"),
        ])
    func verboseKey(columns: String, options: [String], words: String) throws {
        try make("CREATE TABLE books (\(columns))")
        let path = try world.write(#"[{"isbn":"1"}]"#, "books.json")
        try Tool.tributary.run(["import", world.database, path, "--verbose"] + options).expect(
            error: "tributary: key: \(words)\n")
    }

    @Test("A member without a column is an error, a new column, or a part of the column for the rest")
    func otherMembers() throws {
        try make("CREATE TABLE \"items\" (\"sku\" TEXT PRIMARY KEY, \"more\") WITHOUT ROWID")
        let path = try world.write("[{\"sku\":\"a\",\"x\":2,\"y\":[1]}]", "items.json")
        try world.load(path).expect(
            1, error: "the table items has no column for x, y; add them with", without: "to resume")
        try world.load(path, "--rest", "more").expect(0)
        #expect(try world.query("SELECT \"more\" FROM \"items\"") == [["{\"x\":2,\"y\":[1]}"]])
        try world.load(path, "--add-columns").expect(0)
        #expect(try world.query("SELECT \"x\", \"y\" FROM \"items\"") == [[2, "[1]"]])
        try world.load(path, "--rest", "none").expect(error: "has no column none for other members")
    }

    @Test("A member beside the key's value is no reason to alter the table")
    func memberBesideTheKey() throws {
        try make("CREATE TABLE \"t\" (\"id\" INTEGER PRIMARY KEY, \"n\")")
        let path = try world.write("[{\"id\":9,\"no\":1,\"n\":2}]", "t.json")
        let key = ["--key", "id", "--remote-key", "no"]
        try world.load(path, key[0], key[1], key[2], key[3]).expect(1, error: "has no column for id, no")
        #expect(try world.query("SELECT COUNT(*) FROM pragma_table_info('t')") == [[2]])
    }

    @Test("A number that SQLite would change is rejected, and nested values have plain characters")
    func numbersAndNestedValues() throws {
        try make("CREATE TABLE \"t\" (\"id\" INTEGER PRIMARY KEY, \"d\" decimal, \"r\" REAL, \"j\" TEXT, \"b\")")
        let path = try world.write(
            """
            {"id":1,"d":123456789012345678901}
            {"id":2,"d":1e999}
            {"id":3,"r":9007199254740993}
            {"id":4,"d":12.5,"r":0.12345678901234567890,"j":{"a" : "\\u00e9\\/"},"b":123456789012345678901}
            """, "t.ndjson")
        try world.load(path, "--on-error", "skip").expect(
            error: "rounded to doubles: r (1 value)\n", prefix: "4 read = 1 inserted + 3 rejected")
        #expect(
            try world.query("SELECT * FROM \"t\"")
                == [[4, 12.5, 0.12345678901234568, "{\"a\":\"é/\"}", "123456789012345678901"]])
    }

    @Test("A reject that ends the import removes the columns of its records, not those of earlier ones")
    func addedColumnsAndStop() throws {
        try make("CREATE TABLE \"t\" (\"id\" INTEGER PRIMARY KEY, \"n\" CHECK (\"n\" < 5))")
        let path = try world.write(
            "{\"id\":1,\"a\":1}\n{\"id\":2,\"b\":2}\n{\"id\":3,\"n\":9,\"c\":3}\n", "t.ndjson")
        try world.load(path, "--add-columns", "--batch-size", "1").expect(1, error: "CHECK constraint failed")
        #expect(try world.query("SELECT \"id\", \"a\", \"b\" FROM \"t\"") == [[1, 1, .null], [2, .null, 2]])
    }

    @Test("Views and virtual tables are refused, and so is a trigger that SQLite cannot run")
    func refusals() throws {
        try make(
            "CREATE TABLE \"t\" (\"a\" INTEGER PRIMARY KEY)", "CREATE VIEW \"v\" AS SELECT * FROM \"t\"",
            "CREATE VIRTUAL TABLE \"f\" USING fts5(\"a\")",
            "CREATE TABLE \"u\" (\"a\" INTEGER PRIMARY KEY)",
            "CREATE TRIGGER \"x\" AFTER INSERT ON \"u\" BEGIN SELECT unknown_function(new.\"a\"); END")
        let path = try world.write("[{\"a\":1}]", "t.json")
        try world.load(path, "--table", "v").expect(error: "v is a view, which has no rows of its own")
        try world.load(path, "--table", "f").expect(error: "f is a virtual table")
        try world.load(path, "--table", "u").expect(1, error: "SQLite refuses to write the table u")
        try world.load(path, "--key", "b").expect(error: "b is neither the primary key nor a unique index of t")
        try world.load(path, "--mode", "replace").expect(error: "mode replace is not for t")
        try world.load(path, "--append", "--again").expect(0)
        // A table of this library with a key takes no further rows of a known key.
        try world.load(path, "--table", "own", "--key", "a").expect(0)
        try world.load(path, "--table", "own", "--append").expect(error: "'--append' is not for 'own'")
        try world.load(path, "--table", "own", "--rest", "x").expect(error: "are for a table of another")
    }

    @Test("A trigger cannot use the functions and tables of this library")
    func hostileTriggers() throws {
        try make(
            "CREATE TABLE \"t\" (\"a\" INTEGER PRIMARY KEY)",
            "CREATE TRIGGER \"x\" AFTER INSERT ON \"t\" BEGIN SELECT * FROM \"_keys\"; END")
        let path = try world.write("[{\"a\":1}]", "t.json")
        try world.load(path).expect(1, error: "unsafe use")
    }

    @Test("--types and --numbers decide how inferred columns store values, and are refused elsewhere")
    func statedTypes() throws {
        let path = try world.write("[{\"zip\":\"12\",\"n\":1,\"d\":0.12345678901234567890}]", "t.json")
        let types = try world.write("zip=integer\nn=text\n", "types.txt")
        try world.load(path, "--types", types, "--numbers", "exact").expect(0)
        #expect(try world.query("SELECT \"zip\", \"n\", \"d\" FROM \"t\"") == [[12, "1", "0.12345678901234567890"]])
        try world.load(path, "--types", "zip=integer,n=text", "--table", "u").expect(0)
        #expect(try world.query("SELECT \"zip\", \"n\" FROM \"u\"") == [[12, "1"]])
        try world.load(path, "--types", "zip=number").expect(error: "integer, real, numeric, text, any")
        try world.load(path, "--types", "none.txt").expect(error: "there is no file 'none.txt'")
        try make("CREATE TABLE \"other\" (\"zip\")")
        try world.load(path, "--table", "other", "--numbers", "exact").expect(error: "a table of another program")
    }

    @Test("A table with more columns than are inferred takes all of them")
    func manyColumns() throws {
        let names = (0..<1990).map { "c\($0)" }
        try make("CREATE TABLE \"wide\" (\(names.joined(separator: ", ")))")
        let members = names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
        try world.load(try world.write("[{\(members)}]", "wide.json"), "--table", "wide").expect(0)
        #expect(
            try world.query("SELECT \"c0\", \"c1899\", \"c1900\", \"c1989\" FROM \"wide\"") == [[0, 1899, 1900, 1989]])
    }
}
