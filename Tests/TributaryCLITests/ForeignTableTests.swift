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

    private func rows(_ sql: String) throws -> [[SQLValue]] {
        try Connection(.file(world.database)).rows(of: SQLFragment(trusted: sql))
    }

    @Test("Tables of this library stand beside others, whose settings and rows stay as they are")
    func beside() throws {
        try make(
            "PRAGMA page_size = 1024", "PRAGMA application_id = 77", "PRAGMA user_version = 5",
            "CREATE TABLE \"notes\" (\"text\")", "INSERT INTO \"notes\" VALUES ('mine')")
        let path = try world.write("[{\"id\":1},{\"id\":2}]", "users.json")
        #expect(try world.load(path, "--key", "id").code == 0)
        #expect(try world.load(path, "--key", "id", "--again", "--json").text.contains("\"unchanged\":2"))
        for (pragma, value) in [("page_size", 1024), ("application_id", 77), ("user_version", 5)] as [(String, Int64)] {
            #expect(try rows("PRAGMA \(pragma)") == [[.integer(value)]])
        }
        #expect(try rows("PRAGMA journal_mode") == [["delete"]])
        #expect(
            try rows("SELECT * FROM \"notes\"") == [["mine"]] && rows("SELECT \"id\" FROM \"users\"") == [[1], [2]])
        #expect(try rows("PRAGMA integrity_check") == [["ok"]])
    }

    @Test("A direct load goes into a database of another program too")
    func directLoad() throws {
        try make("CREATE TABLE \"notes\" (\"text\")")
        let path = try world.write("[{\"id\":1},{\"id\":2},{\"id\":1}]", "users.json")
        #expect(try world.load(path, "--key", "id", "--first-load", "direct").code == 0)
        #expect(try rows("SELECT \"id\" FROM \"users\"") == [[1], [2]])
        #expect(try rows("PRAGMA integrity_check") == [["ok"]])
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
            try rows("SELECT \"id\", \"name\", \"age\", \"seen\", \"twice\" FROM \"users\"")
                == [[1, "Anna", 12, "2024-01-01", 24], [9, "5", 7, 1.5, 14]])
        #expect(try rows("SELECT rowid FROM \"search\" WHERE \"search\" MATCH 'anna'") == [[1]])
        #expect(try rows("SELECT rowid FROM \"search\" WHERE \"search\" MATCH 'ann'") == [])
        let rejects = try Tool.tributary.run(["rejects", world.database]).text
        for reason in [
            "age takes a whole number of 64 bits", "UNIQUE constraint failed: users.email", "CHECK constraint failed",
            "a reference refers to a missing row", "NOT NULL constraint failed: users.name", "no root",
            "seen takes a number",
        ] { #expect(rejects.contains(reason), "\(reason)") }
        // A fixed cause lets the record in.
        try make("INSERT INTO \"orgs\" VALUES (9)")
        _ = try Tool.tributary.run(["retry", "--from-database", "--into", world.database])
        #expect(try rows("SELECT \"org\" FROM \"users\" WHERE \"id\" = 5") == [[9]])
        #expect(try world.load(path, "--on-error", "stop", "--again").code == 1)
    }

    @Test("A member without a column is an error, a new column, or a part of the column for the rest")
    func otherMembers() throws {
        try make("CREATE TABLE \"items\" (\"sku\" TEXT PRIMARY KEY, \"more\") WITHOUT ROWID")
        let path = try world.write("[{\"sku\":\"a\",\"x\":2,\"y\":[1]}]", "items.json")
        let refused = try world.load(path)
        #expect(refused.code == 1 && refused.error.contains("the table items has no column for x, y; add them with"))
        #expect(!refused.error.contains("to resume"))
        #expect(try world.load(path, "--rest", "more").code == 0)
        #expect(try rows("SELECT \"more\" FROM \"items\"") == [["{\"x\":2,\"y\":[1]}"]])
        #expect(try world.load(path, "--add-columns").code == 0)
        #expect(try rows("SELECT \"x\", \"y\" FROM \"items\"") == [[2, "[1]"]])
        #expect(try world.load(path, "--rest", "none").error.contains("has no column none for other members"))
    }

    @Test("Views and virtual tables are refused, and so is a trigger that SQLite cannot run")
    func refusals() throws {
        try make(
            "CREATE TABLE \"t\" (\"a\" INTEGER PRIMARY KEY)", "CREATE VIEW \"v\" AS SELECT * FROM \"t\"",
            "CREATE VIRTUAL TABLE \"f\" USING fts5(\"a\")",
            "CREATE TABLE \"u\" (\"a\" INTEGER PRIMARY KEY)",
            "CREATE TRIGGER \"x\" AFTER INSERT ON \"u\" BEGIN SELECT unknown_function(new.\"a\"); END")
        let path = try world.write("[{\"a\":1}]", "t.json")
        #expect(try world.load(path, "--table", "v").error.contains("v is a view, which has no rows of its own"))
        #expect(try world.load(path, "--table", "f").error.contains("f is a virtual table"))
        let refused = try world.load(path, "--table", "u")
        #expect(refused.code == 1 && refused.error.contains("SQLite refuses to write the table u"), "\(refused.error)")
        #expect(
            try world.load(path, "--key", "b").error.contains("b is neither the primary key nor a unique index of t"))
        #expect(try world.load(path, "--mode", "replace").error.contains("mode replace is not for t"))
        #expect(try world.load(path, "--append", "--again").code == 0)
        // A table of this library with a key takes no further rows of a known key.
        #expect(try world.load(path, "--table", "own", "--key", "a").code == 0)
        #expect(try world.load(path, "--table", "own", "--append").error.contains("'--append' is not for 'own'"))
        #expect(try world.load(path, "--table", "own", "--rest", "x").error.contains("are for a table of another"))
    }

    @Test("A trigger cannot use the functions and tables of this library")
    func hostileTriggers() throws {
        try make(
            "CREATE TABLE \"t\" (\"a\" INTEGER PRIMARY KEY)",
            "CREATE TRIGGER \"x\" AFTER INSERT ON \"t\" BEGIN SELECT * FROM \"_keys\"; END")
        let path = try world.write("[{\"a\":1}]", "t.json")
        let refused = try world.load(path)
        #expect(refused.code == 1 && refused.error.contains("unsafe use"), "\(refused.error)")
    }
}
