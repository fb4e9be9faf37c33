import Testing
import TributarySQLite
import TributaryTestSupport

/// Connections that may only read.
@Suite struct ReadingConnectionTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(.memory)
        for statement in [
            "CREATE TABLE t (a INTEGER PRIMARY KEY, b)", "INSERT INTO t VALUES (1, 'x')", "CREATE INDEX i ON t (b)",
        ] { try connection.execute(SQLFragment(trusted: statement)) }
        // A connection that could write, so that nothing else protects the database.
        try connection.allowOnlyReading()
    }

    @Test(
        "Nothing but reading is allowed",
        arguments: [
            "INSERT INTO t VALUES (2, 'y')", "UPDATE t SET b = 1", "DELETE FROM t", "REPLACE INTO t VALUES (1, 2)",
            "CREATE TABLE u (a)", "CREATE TEMP TABLE u (a)", "CREATE INDEX j ON t (a)", "CREATE VIEW v AS SELECT 1",
            "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END", "CREATE VIRTUAL TABLE v USING fts5(x)",
            "CREATE TEMP TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END", "DROP TABLE t", "DROP INDEX i",
            "ALTER TABLE t RENAME TO u", "ALTER TABLE t ADD COLUMN c", "REINDEX", "ANALYZE", "VACUUM",
            "VACUUM INTO 'x'",
            "ATTACH ':memory:' AS x", "DETACH main", "PRAGMA journal_mode = WAL", "PRAGMA writable_schema = ON",
            "PRAGMA user_version = 7", "PRAGMA wal_checkpoint", "PRAGMA incremental_vacuum", "PRAGMA optimize",
            "PRAGMA trusted_schema = ON", "SELECT load_extension('x')", "SAVEPOINT s",
            "UPDATE sqlite_master SET sql = ''", "INSERT INTO sqlite_master VALUES (1, 2, 3, 4, 5)",
        ])
    func writing(_ statement: String) throws {
        #expect(throws: SQLiteError.self) { try connection.execute(SQLFragment(trusted: statement)) }
        #expect(try connection.value(of: "SELECT count(*) || max(b) FROM t") == .text("1x"))
    }

    @Test("Queries, transactions and temporary views work")
    func reading() throws {
        try connection.execute("BEGIN")
        try connection.createTemporaryView("w", as: "SELECT b || b AS c FROM main.t")
        #expect(try connection.value(of: "SELECT c FROM w") == .text("xx"))
        let numbers: SQLFragment =
            "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 9) SELECT sum(n) FROM c"
        #expect(try connection.value(of: numbers) == .integer(45))
        #expect(try connection.texts(of: "SELECT \"name\" FROM pragma_table_xinfo('t', 'main')") == ["a", "b"])
        try connection.execute("COMMIT")
        #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM t") }
    }

    @Test("A value beyond the limit is an error, and others are read")
    func longValues() throws {
        connection.setLongestValue(bytes: 1000)
        #expect(try connection.value(of: "SELECT length(zeroblob(900))") == .integer(900))
        let error = #expect(throws: SQLiteError.self) { try connection.value(of: "SELECT zeroblob(1001)") }
        #expect(error?.code.primary == .tooBig)
    }
}
