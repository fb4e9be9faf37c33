import Testing
import TributaryPostgres
import TributaryTestSupport

/// Statements, values and transactions.
@Suite struct PostgresConnectionTests {
    let server: PostgresServer
    let connection: PostgresConnection

    init() throws {
        server = try PostgresServer.shared()
        connection = try PostgresConnection(server.newSchema(), role: "test")
    }

    @Test("A connection names itself and sets what texts of values depend on")
    func session() throws {
        let settings = [
            "application_name": "tributary test", "client_encoding": "UTF8", "standard_conforming_strings": "on",
            "DateStyle": "ISO, YMD", "TimeZone": "UTC", "bytea_output": "hex", "extra_float_digits": "3",
            "client_min_messages": "warning", "idle_in_transaction_session_timeout": "1min",
        ]
        for (name, expected) in settings {
            let result = try connection.execute("SELECT current_setting($1)", [.text(name)])
            #expect(result.text(0, 0) == expected, "\(name)")
        }
        #expect(connection.serverVersion >= 130000)
        #expect(try connection.execute("SELECT pg_backend_pid()").integer(0, 0) == Int64(connection.processID))
    }

    @Test("An address overrides the name and the timeouts of a connection")
    func addressOverrides() throws {
        let text = server.text(
            parameters: "?application_name=mine&options=-c%20idle_in_transaction_session_timeout%3D7s")
        let connection = try PostgresConnection(PostgresAddress(text), role: "test")
        let sql: PostgresSQL = """
            SELECT current_setting('application_name'), current_setting('idle_in_transaction_session_timeout')
            """
        let result = try connection.execute(sql)
        #expect(result.text(0, 0) == "mine" && result.text(0, 1) == "7s")
    }

    @Test("Values come back as they were sent")
    func values() throws {
        let texts = [
            "", "a", "'; DROP TABLE x; --", "$1 \\ \" ' \u{1F600} e\u{301}\n\t", String(repeating: "ä", count: 9999),
        ]
        for text in texts {
            let result = try connection.execute("SELECT $1::text", [.text(text)])
            #expect(result.text(0, 0).map { Array($0.utf8) } == Array(text.utf8))
        }
        for number in [Int64.min, -1, 0, 1, .max] {
            #expect(try connection.execute("SELECT $1::bigint", [.integer(number)]).integer(0, 0) == number)
        }
        for isTrue in [true, false] {
            #expect(try connection.execute("SELECT $1::boolean", [.boolean(isTrue)]).boolean(0, 0) == isTrue)
        }
        for bytes in [[], Array(0...255), [UInt8](repeating: 0, count: 100_000)] {
            #expect(try connection.execute("SELECT $1::bytea", [.bytes(bytes)]).bytes(0, 0) == bytes)
        }
        let result = try connection.execute(
            "SELECT $1::text, $2::bytea, $3::int, $4::boolean", [.null, .null, .integer(5), .null])
        #expect((0..<4).map { result.isNull(0, $0) } == [true, true, false, true])
        #expect(result.text(0, 0) == nil && result.bytes(0, 1) == nil && result.boolean(0, 3) == nil)
    }

    @Test("A text with U+0000 is refused before it reaches C")
    func nullCharacter() throws {
        let error = try #require(throws: PostgresError.self) {
            try connection.execute("SELECT $1::text", [.text("a\0b")])
        }
        #expect(error.isDataException && error.description.contains("U+0000"))
        let second = try #require(throws: PostgresError.self) { try connection.execute("SELECT 1 \0 garbage") }
        #expect(second.description.contains("U+0000"))
        #expect(try connection.execute("SELECT 1").integer(0, 0) == 1)
    }

    @Test(
        "Any name can be the name of a table and a column",
        arguments: [
            "plain", "Mixed Case", "say \"hi\"", "\"", "\"\"", "'; DROP TABLE x; --", "a.b", "ä\u{301}\u{1F600}", "\\",
            "$1",
            "\"\u{301}", "select", "\n", String(repeating: "n", count: 63),
        ])
    func names(name: String) throws {
        try connection.execute("CREATE TABLE \(name: name) (\(name: name) integer)")
        try connection.execute("INSERT INTO \(name: name) (\(names: [name])) VALUES ($1::integer)", [.integer(7)])
        #expect(try connection.execute("SELECT * FROM \(name: name)").integer(0, 0) == 7)
        let sql: PostgresSQL = """
            SELECT count(*) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = $1
            WHERE c.relname = $1 AND c.relnamespace = current_schema::regnamespace
            """
        #expect(try connection.execute(sql, [.text(name)]).integer(0, 0) == 1)
    }

    @Test(
        "A name that PostgreSQL cannot hold is refused",
        arguments: [
            ("", "empty"), ("a\0b", "U+0000"), (String(repeating: "n", count: 64), "64 bytes"),
            (String(repeating: "ä", count: 32), "64 bytes"),
        ])
    func impossibleNames(name: String, words: String) throws {
        var executed: [String] = []
        connection.trace = { executed.append($0) }
        let error = try #require(throws: PostgresError.self) {
            try connection.execute("CREATE TABLE \(name: name) (x integer)")
        }
        #expect(error.code == .text && error.description.contains(words), "\(error)")
        #expect(executed.isEmpty)
    }

    @Test("A statement cannot contain a second one")
    func oneStatement() throws {
        let error = try #require(throws: PostgresError.self) { try connection.execute("SELECT 1; SELECT 2") }
        #expect(error.sqlState == "42601")
    }

    @Test("A transaction commits, or rolls back what it did")
    func transactions() throws {
        struct Stop: Error {}
        try connection.execute("CREATE TABLE t (x integer PRIMARY KEY)")
        var executed: [String] = []
        connection.trace = { executed.append($0) }
        let inserted = try connection.transaction {
            try connection.execute("INSERT INTO t VALUES (1), (2)").affectedRows
        }
        #expect(inserted == 2)
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (3)")
                throw Stop()
            }
        }
        try connection.transaction {
            _ = try? connection.savepoint { try connection.execute("INSERT INTO t VALUES (4), (1)") }
            try connection.savepoint { _ = try connection.execute("INSERT INTO t VALUES (5)") }
        }
        connection.trace = nil
        #expect(try connection.execute("SELECT string_agg(x::text, ',' ORDER BY x) FROM t").text(0, 0) == "1,2,5")
        #expect(!connection.isInTransaction)
        #expect(
            executed == [
                "BEGIN ISOLATION LEVEL READ COMMITTED", "INSERT INTO t VALUES (1), (2)", "COMMIT",
                "BEGIN ISOLATION LEVEL READ COMMITTED", "INSERT INTO t VALUES (3)", "ROLLBACK",
                "BEGIN ISOLATION LEVEL READ COMMITTED", "SAVEPOINT _tributary", "INSERT INTO t VALUES (4), (1)",
                "ROLLBACK TO SAVEPOINT _tributary", "RELEASE SAVEPOINT _tributary", "SAVEPOINT _tributary",
                "INSERT INTO t VALUES (5)", "RELEASE SAVEPOINT _tributary", "COMMIT",
            ])
    }

    @Test("A commit after an error that the caller dropped throws instead of losing rows silently")
    func failedTransaction() throws {
        try connection.execute("CREATE TABLE t (x integer)")
        let error = try #require(throws: PostgresError.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                _ = try? connection.execute("SELECT 1 / 0")
            }
        }
        #expect(error.code == .rolledBack && !error.isRetryable)
        #expect(try connection.execute("SELECT count(*) FROM t").integer(0, 0) == 0)
        #expect(throws: PostgresError.self) { try connection.commit() }
    }

    @Test("A closed connection refuses statements")
    func closed() throws {
        connection.close()
        connection.canceller.cancel()
        connection.canceller.disconnect()
        #expect(connection.isBroken)
        let error = try #require(throws: PostgresError.self) { try connection.execute("SELECT 1") }
        #expect(error.code == .misuse && error.description.contains("closed"))
    }
}
