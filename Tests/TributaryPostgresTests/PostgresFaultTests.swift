import Testing
import TributaryConcurrency
import TributaryPostgres
import TributaryTestSupport

/// Connections that are cut, stalled and cancelled.
@Suite struct PostgresFaultTests {
    let proxy: PostgresProxy
    let text: String
    /// A connection through the proxy.
    let connection: PostgresConnection
    /// A connection past the proxy, to the same schema.
    let observer: PostgresConnection

    init() throws {
        let server = try PostgresServer.shared()
        proxy = try PostgresProxy(to: server.port)
        text = try server.newSchemaText(port: proxy.port)
        connection = try PostgresConnection(PostgresAddress(text), role: "test")
        let direct = text.replacing(":\(proxy.port)/", with: ":\(server.port)/")
        observer = try PostgresConnection(PostgresAddress(direct), role: "observer")
        try observer.execute("CREATE TABLE t (x integer)")
    }

    private func rowCount() throws -> Int64? { try observer.execute("SELECT count(*) FROM t").integer(0, 0) }

    /// Waits until the server process has ended, and its transaction with it.
    private func waitForEnd(of process: Int32) throws {
        while try observer.execute(
            "SELECT 1 FROM pg_stat_activity WHERE pid = $1::int", [.integer(Int64(process))]
        ).rowCount > 0 {}
    }

    /// Waits until a process executes `pg_sleep`.
    private static func waitForSleep(of process: Int32, _ observer: PostgresConnection) throws {
        while try observer.execute(
            "SELECT 1 FROM pg_stat_activity WHERE pid = $1::int AND wait_event = 'PgSleep'", [.integer(Int64(process))]
        ).rowCount == 0 {}
    }

    @Test("A connection that is cut during a statement is lost", arguments: PostgresProxy.Direction.allCases)
    func cutDuringStatement(direction: PostgresProxy.Direction) throws {
        try connection.begin()
        try connection.execute("INSERT INTO t VALUES (1)")
        proxy.cut(direction, after: 0)
        let error = try #require(throws: PostgresError.self) { try connection.execute("INSERT INTO t VALUES (2)") }
        #expect(error.code == .connectionLost && error.isConnectionLost && error.isRetryable, "\(error)")
        #expect(connection.isBroken && !connection.isInTransaction)
        let again = try #require(throws: PostgresError.self) { try connection.commit() }
        #expect(again.code == .connectionLost, "\(again)")
        try waitForEnd(of: connection.processID)
        #expect(try rowCount() == 0)
    }

    @Test("A commit whose answer is lost is unknown, and the rows are there")
    func lostAnswerOfCommit() throws {
        let error = try #require(throws: PostgresError.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                proxy.cut(.toClient, after: 0)
            }
        }
        #expect(error.code == .commitUnknown && error.isConnectionLost && !error.isRetryable, "\(error)")
        #expect(error.description.contains("check whether the transaction was committed"))
        try waitForEnd(of: connection.processID)
        #expect(try rowCount() == 1)
    }

    @Test("A commit that the server never receives is unknown, and the rows are not there")
    func lostCommit() throws {
        let error = try #require(throws: PostgresError.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                proxy.cut(.toServer, after: 0)
            }
        }
        #expect(error.code == .commitUnknown, "\(error)")
        try waitForEnd(of: connection.processID)
        #expect(try rowCount() == 0)
    }

    @Test("A connection that was cut between statements is lost at the next one")
    func cutWhileIdle() throws {
        proxy.cutAll()
        let error = try #require(throws: PostgresError.self) { try connection.execute("SELECT 1") }
        #expect(error.code == .connectionLost, "\(error)")
        #expect(try PostgresConnection(connection.address, role: "again").execute("SELECT 1").integer(0, 0) == 1)
    }

    @Test("A connection that is cut during a COPY is lost, and copies nothing")
    func cutDuringCopy() throws {
        try connection.beginCopy("COPY t FROM STDIN")
        proxy.cut(.toServer, after: 100_000)
        let error = try #require(throws: PostgresError.self) {
            let rows = Array(String(repeating: "12345\n", count: 10_000).utf8)
            for _ in 0..<1000 { try rows.withUnsafeBytes { try connection.copy($0) } }
            _ = try connection.endCopy()
        }
        #expect(error.code == .connectionLost, "\(error)")
        connection.abandonCopy("it is lost")
        #expect(connection.isBroken)
        try waitForEnd(of: connection.processID)
        #expect(try rowCount() == 0)
    }

    @Test("A server that refuses connections is unreachable")
    func refusing() throws {
        proxy.refuse()
        let error = try #require(throws: PostgresError.self) { try PostgresConnection(connection.address, role: "x") }
        #expect(error.code == .unreachable && error.isRetryable, "\(error)")
        proxy.resume()
        #expect(try PostgresConnection(connection.address, role: "x").execute("SELECT 1").rowCount == 1)
    }

    @Test("A server that accepts a connection and does not answer is unreachable")
    func silentServer() throws {
        proxy.stall()
        let error = try #require(throws: PostgresError.self) {
            try PostgresConnection(PostgresAddress(text + "&connect_timeout=1"), role: "x")
        }
        #expect(error.code == .unreachable && error.description.contains("no answer"), "\(error)")
    }

    @Test("An administrator who ends a connection makes an error that can be retried")
    func terminated() throws {
        try observer.execute("SELECT pg_terminate_backend($1::int)", [.integer(Int64(connection.processID))])
        let error = try #require(throws: PostgresError.self) { while true { try connection.execute("SELECT 1") } }
        #expect(error.isConnectionLost && error.isRetryable, "\(error)")
        #expect(connection.isBroken)
    }

    @Test("A transaction that is idle for too long loses its connection")
    func idle() throws {
        try connection.execute("SET idle_in_transaction_session_timeout = '1ms'")
        try connection.begin()
        try waitForEnd(of: connection.processID)
        let error = try #require(throws: PostgresError.self) { try connection.execute("SELECT 1") }
        #expect(error.isConnectionLost && error.isRetryable, "\(error)")
    }

    @Test("Another thread cancels a statement, and the connection stays usable")
    func cancel() throws {
        let (canceller, process, address) = (connection.canceller, connection.processID, observer.address)
        let watcher = BoundedQueue<Bool>(capacity: 1)
        try WorkerThread.start {
            let isSent = (try? Self.waitForSleep(of: process, PostgresConnection(address, role: "watcher"))) != nil
            canceller.cancel()
            _ = watcher.push(isSent, weight: 1)
        }
        let error = try #require(throws: PostgresError.self) { try connection.execute("SELECT pg_sleep(600)") }
        #expect(error.code == .cancelled && !error.isConnectionLost, "\(error)")
        #expect(try watcher.pop() == true)
        #expect(try connection.execute("SELECT 1").integer(0, 0) == 1)
    }

    @Test("Another thread ends a statement whose server does not answer")
    func disconnect() throws {
        let (canceller, proxy) = (connection.canceller, proxy)
        let before = proxy.forwardedBytes(.toServer)
        try WorkerThread.start {
            proxy.waitForBytes(.toServer, before + 1)
            proxy.stall()
            canceller.disconnect()
        }
        let error = try #require(throws: PostgresError.self) { try connection.execute("SELECT pg_sleep(600)") }
        #expect(error.code == .connectionLost && connection.isBroken, "\(error)")
        try observer.execute("SELECT pg_terminate_backend($1::int)", [.integer(Int64(connection.processID))])
    }
}
