import Testing
import TributaryConcurrency
import TributaryPostgres
import TributaryTestSupport

/// What errors are and say.
@Suite struct PostgresErrorTests {
    let server: PostgresServer
    let connection: PostgresConnection

    init() throws {
        server = try PostgresServer.shared()
        connection = try PostgresConnection(server.newSchema(), role: "test")
    }

    private func connectionError(_ address: String) throws -> PostgresError {
        try #require(throws: PostgresError.self) { try PostgresConnection(PostgresAddress(address), role: "test") }
    }

    private func error(_ sql: PostgresSQL, on other: PostgresConnection? = nil) throws -> PostgresError {
        try #require(throws: PostgresError.self) { try (other ?? connection).execute(sql) }
    }

    /// A new role with a password.
    private func newRole() throws -> String {
        let name = "role_\(connection.processID)_\(UInt32.random(in: 0...UInt32.max))"
        try connection.execute("CREATE ROLE \(name: name) LOGIN PASSWORD 'pa55-word' CONNECTION LIMIT 1")
        return name
    }

    // MARK: Connecting

    @Test("A connection that fails says why and what to do")
    func connecting() throws {
        let role = try newRole()
        try connection.execute("GRANT password_required TO \(name: role)")
        let plain = "postgres://\(role)"
        let place = "@127.0.0.1:\(server.port)/tributary"
        let cases: [(address: String, code: PostgresError.Code, words: [String])] = [
            ("\(plain):wrong-secret\(place)", .wrongPassword, ["28P01", "PGPASSWORD", role]),
            ("\(plain)\(place)?passfile=/nonexistent", .missingPassword, ["no password supplied", "~/.pgpass"]),
            (server.text(user: "no_such_role"), .role, ["28000", "\"no_such_role\"", "pg_hba.conf"]),
            (server.text(database: "no_such_database"), .unknownDatabase, ["3D000", "no_such_database", "createdb"]),
            (server.text(port: 1), .unreachable, ["127.0.0.1", "check the host and the port"]),
            ("postgres:///x?host=/nonexistent", .unreachable, ["/nonexistent", "check the host and the port"]),
            (
                "postgres://me:secret@no-such-host.invalid/x", .unknownHost,
                ["no-such-host.invalid", "check the name of"]
            ),
            (server.text(parameters: "?sslmode=require"), .encryption, ["SSL", "sslmode"]),
            (server.text(parameters: "?sslmode=sideways"), .address, ["sideways"]),
        ]
        for (address, code, words) in cases {
            let error = try connectionError(address)
            #expect(error.code == code, "\(error)")
            #expect(words.allSatisfy(error.description.contains), "\(error)")
            #expect(!error.description.contains("secret") && !error.description.contains("LOCATION"), "\(error)")
            #expect(!error.description.contains("\n"))
        }
        // The same role with its password.
        let address = try PostgresAddress("\(plain):pa55-word\(place)")
        let first = try PostgresConnection(address, role: "test")
        let error = try connectionError("\(plain):pa55-word\(place)")
        #expect(error.code == .tooManyConnections && error.isRetryable, "\(error)")
        #expect(error.sqlState == "53300" && error.description.contains("use fewer connections"))
        first.close()
    }

    @Test("A second host is used when the first one refuses")
    func severalHosts() throws {
        let text = "postgres://tributary@127.0.0.1:1,127.0.0.1:\(server.port)/tributary"
        #expect(try PostgresConnection(PostgresAddress(text), role: "test").execute("SELECT 1").integer(0, 0) == 1)
    }

    // MARK: Statements

    @Test("The error of a statement says what to do")
    func statements() throws {
        let role = try newRole()
        try connection.execute("CREATE TABLE t (x integer PRIMARY KEY, s varchar(2) NOT NULL CHECK (s <> 'no'))")
        try connection.execute("INSERT INTO t VALUES (1, 'a')")
        let cases: [(sql: PostgresSQL, code: PostgresError.Code, words: [String])] = [
            ("SELECT * FROM missing", .unknownTable, ["42P01", "\"missing\"", "another session may have dropped"]),
            ("SELECT y FROM t", .unknownColumn, ["42703", "\"y\""]),
            ("CREATE TABLE missing.t ()", .unknownSchema, ["3F000", "CREATE SCHEMA"]),
            ("INSERT INTO t VALUES (1, 'b')", .constraint, ["23505", "t_pkey"]),
            ("INSERT INTO t VALUES (2, NULL)", .constraint, ["23502"]),
            ("INSERT INTO t VALUES (2, 'no')", .constraint, ["23514", "t_s_check"]),
            ("INSERT INTO t VALUES (2, 'long')", .data, ["22001"]),
            ("SELECT 'x'::text::integer", .data, ["22P02"]),
            ("SELECT 'unclosed", .server, ["42601"]),
            ("DO $$ BEGIN RAISE 'full' USING ERRCODE = '53100'; END $$", .diskFull, ["53100", "free disk space"]),
            ("DO $$ BEGIN RAISE 'memory' USING ERRCODE = '53200'; END $$", .resources, ["53200"]),
        ]
        for (sql, code, words) in cases {
            let error = try error(sql)
            #expect(error.code == code && !error.isRetryable && !error.isConnectionLost, "\(error)")
            #expect(words.allSatisfy(error.description.contains), "\(error)")
            #expect(error.isConstraintViolation == (code == .constraint))
            #expect(error.isDataException == (code == .data))
        }
        let violation = try error("INSERT INTO t VALUES (1, 'b')")
        #expect(violation.constraint == "t_pkey" && violation.table == "t" && violation.isUniqueViolation)
        #expect(try error("INSERT INTO t VALUES (2, NULL)").column == "s")

        try connection.execute("SET default_transaction_read_only = on")
        let readOnly = try error("DELETE FROM t")
        #expect(readOnly.code == .readOnly && readOnly.description.contains("primary server"), "\(readOnly)")
        try connection.execute("SET default_transaction_read_only = off")
        try connection.execute("GRANT USAGE ON SCHEMA \(name: schema()) TO \(name: role)")
        try connection.execute("SET ROLE \(name: role)")
        let denied = try error("SELECT * FROM t")
        #expect(denied.code == .permission && denied.description.contains("grant it"), "\(denied)")
    }

    private func schema() throws -> String {
        try #require(try connection.execute("SELECT current_schema").text(0, 0))
    }

    @Test("Errors are distinguished by SQLSTATE, not by the words of the server")
    func classification() throws {
        let retryable = [
            "40001", "40P01", "55P03", "57P01", "57P02", "57P03", "57P05", "25P03", "08006", "08003", "53300",
        ]
        let others = ["57014", "53100", "22001", "23505", "42P01", "40003", "XX000", "P0001"]
        for state in retryable + others {
            // A PL/pgSQL block cannot have values, and a function can.
            try connection.execute(
                """
                CREATE OR REPLACE FUNCTION fail(state text) RETURNS void LANGUAGE plpgsql
                AS $$ BEGIN RAISE 'andere Worte' USING ERRCODE = state; END $$
                """)
            let error = try #require(throws: PostgresError.self) {
                try connection.execute("SELECT fail($1::text)", [.text(state)])
            }
            #expect(error.sqlState == state && error.isRetryable == retryable.contains(state), "\(error)")
        }
    }

    @Test("A lock that is not available is an error that can be retried")
    func lock() throws {
        try connection.execute("CREATE TABLE t (x integer)")
        let other = try PostgresConnection(connection.address, role: "other")
        try connection.transaction {
            try connection.execute("LOCK TABLE t")
            let error = try error("LOCK TABLE t NOWAIT", on: other)
            // Outside of a transaction, LOCK itself is refused first.
            #expect(error.sqlState == "25P01")
            let second = try #require(throws: PostgresError.self) {
                try other.transaction { _ = try other.execute("LOCK TABLE t NOWAIT") }
            }
            #expect(second.code == .lock && second.isRetryable)
        }
    }

    @Test("A serialization failure can be retried")
    func serialization() throws {
        try connection.execute("CREATE TABLE t AS SELECT 0 AS x")
        let other = try PostgresConnection(connection.address, role: "other")
        let error = try #require(throws: PostgresError.self) {
            try connection.transaction {
                try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                try connection.execute("SELECT * FROM t")
                try other.transaction { _ = try other.execute("UPDATE t SET x = x + 1") }
                try connection.execute("UPDATE t SET x = x + 10")
            }
        }
        #expect(error.code == .serialization && error.sqlState == "40001" && error.isRetryable)
        try connection.transaction { _ = try connection.execute("UPDATE t SET x = x + 10") }
        #expect(try connection.execute("SELECT x FROM t").integer(0, 0) == 11)
    }

    @Test("One of two transactions in a deadlock fails and can be retried")
    func deadlock() throws {
        try connection.execute("CREATE TABLE t AS SELECT x FROM generate_series(1, 2) x")
        let address = connection.address
        let arrivals = Monitor(0)
        let results = BoundedQueue<PostgresError?>(capacity: 2)
        for (first, second) in [(1, 2), (2, 1)] as [(Int64, Int64)] {
            try WorkerThread.start {
                var failure: PostgresError?
                do {
                    let connection = try PostgresConnection(address, role: "deadlock")
                    try connection.execute("SET deadlock_timeout = '20ms'")
                    let update: PostgresSQL = "UPDATE t SET x = x WHERE x = $1::bigint"
                    var isFirst = true
                    while true {
                        do {
                            try connection.transaction {
                                try connection.execute(update, [.integer(first)])
                                // The first time, both hold one row before either asks for the other one.
                                if isFirst { arrivals.update { $0 += 1 } }
                                arrivals.wait { $0 >= 2 ? () : nil }
                                isFirst = false
                                try connection.execute(update, [.integer(second)])
                            }
                            break
                        } catch let error as PostgresError where error.isRetryable {
                            // Either may win the row again before the other one wakes: then both fail once.
                            failure = failure ?? error
                        }
                    }
                } catch {
                    failure = error as? PostgresError ?? PostgresError(.misuse, "\(error)")
                    arrivals.update { $0 = 2 }
                }
                _ = results.push(failure, weight: 1)
            }
        }
        let failures = try [results.pop(), results.pop()].compactMap { $0 ?? nil }
        #expect(!failures.isEmpty)
        for failure in failures { #expect(failure.code == .deadlock && failure.sqlState == "40P01") }
    }
}
