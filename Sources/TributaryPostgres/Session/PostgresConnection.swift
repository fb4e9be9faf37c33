/// One connection to a PostgreSQL server.
///
/// It belongs to one thread at a time; only its `canceller` may be used by others. A server that cannot be reached any
/// more ends a statement after about 30 seconds with `connectionLost`, and a COPY after 5 minutes; a statement that
/// merely runs long has no limit.
package final class PostgresConnection {
    /// The address.
    package let address: PostgresAddress
    /// Ends the current statement from another thread.
    package let canceller: PostgresCanceller
    /// Receives the text of each statement before it runs.
    package var trace: ((String) -> Void)?
    /// The version of the server, such as 150018.
    package let serverVersion: Int
    /// The number of the server process.
    package let processID: Int32
    /// nil after `close`.
    private var base: LibPQConnection?
    private var isCopying = false

    /// For how long sent bytes may wait for the server.
    private static let sendTimeout: Int32 = 30_000
    /// The same during a COPY.
    ///
    /// A server that does not read, because it waits for a lock or a disk, looks to the system
    /// like one that cannot be reached, so this is longer.
    private static let copyTimeout: Int32 = 300_000

    /// Connects; the views of the server name the connection `tributary ROLE`.
    package init(_ address: PostgresAddress, role: String) throws {
        self.address = address
        let defaults = [
            "fallback_application_name": "tributary \(role)", "client_encoding": "UTF8", "keepalives_idle": "10",
            "keepalives_interval": "5", "keepalives_count": "4",
            "tcp_user_timeout": "\(PostgresConnection.sendTimeout)",
        ]
        let parameters = defaults.merging(address.parameters) { _, given in given }
        let base = try LibPQConnection(parameters.map { (name: $0, value: $1) }, address: address.description)
        self.base = base
        canceller = base.canceller
        serverVersion = base.serverVersion
        processID = base.processID
        try configure()
    }

    /// Sets what the texts of values depend on, and what the address does not say.
    private func configure() throws {
        let fixed = [
            ("client_encoding", "UTF8"), ("standard_conforming_strings", "on"), ("DateStyle", "ISO, YMD"),
            ("IntervalStyle", "postgres"), ("TimeZone", "UTC"), ("bytea_output", "hex"), ("extra_float_digits", "3"),
        ]
        let others = [
            ("client_min_messages", "warning"), ("idle_in_transaction_session_timeout", "60s"),
            // A server that is asked to keeps no locks for a machine that is gone.
            ("tcp_keepalives_idle", "10"), ("tcp_keepalives_interval", "5"), ("tcp_keepalives_count", "4"),
        ]
        let settings = fixed + others.filter { !address.hasSetting($0.0) }
        try execute(
            "SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) settings (name, value)",
            [.array(settings.map(\.0)), .array(settings.map(\.1))])
    }

    // MARK: State

    /// Whether the connection is lost or closed.
    package var isBroken: Bool { base?.isBroken ?? true }
    /// Whether a transaction is open, failed or not.
    package var isInTransaction: Bool { base?.isInTransaction ?? false }

    /// Closes the connection; the server rolls an open transaction back.
    package func close() { base = nil }

    private func open() throws -> LibPQConnection {
        guard let base else { throw PostgresError(.misuse, "the connection to \(address) is closed") }
        return base
    }

    // MARK: Statements

    /// Runs one statement, with `$1` for the first value.
    @discardableResult
    package func execute(_ sql: PostgresSQL, _ values: [PostgresValue] = []) throws -> PostgresResult {
        let result = try start(sql, values)
        guard !result.isCopyIn, !result.isCopyOut else {
            if result.isCopyIn { _ = try? open().endCopy("COPY needs another function") } else { try drainCopy() }
            throw PostgresError(.misuse, "execute cannot run a COPY", hint: "call beginCopy or copyOut")
        }
        return result
    }

    private func start(_ sql: PostgresSQL, _ values: [PostgresValue] = []) throws -> PostgresResult {
        if let failure = sql.failure { throw failure }
        let base = try open()
        guard !isCopying else {
            throw PostgresError(.misuse, "a COPY is in progress", hint: "call endCopy or abandonCopy first")
        }
        trace?(sql.text)
        return try base.execute(cText(sql.text, "a statement"), values)
    }

    // MARK: COPY

    /// Begins a `COPY … FROM STDIN`, whose data `copy` sends.
    package func beginCopy(_ sql: PostgresSQL) throws {
        let result = try start(sql)
        isCopying = result.isCopyIn
        guard isCopying else {
            if result.isCopyOut { try drainCopy() }
            throw PostgresError(.misuse, "beginCopy needs a COPY FROM STDIN")
        }
        setSendTimeout(PostgresConnection.copyTimeout)
    }

    private func setSendTimeout(_ milliseconds: Int32) {
        if address.parameters["tcp_user_timeout"] == nil { base?.setSendTimeout(milliseconds: milliseconds) }
    }

    /// Sends data of a COPY; waits while the server is slower.
    ///
    /// The pieces need not end where rows end. An error of the server in the data appears in `endCopy`.
    package func copy(_ bytes: UnsafeRawBufferPointer) throws { try copying().putCopy(bytes) }

    private func copying() throws -> LibPQConnection {
        let base = try open()
        guard isCopying else { throw PostgresError(.misuse, "no COPY is in progress", hint: "call beginCopy first") }
        return base
    }

    /// Ends a COPY; returns the number of copied rows.
    package func endCopy() throws -> Int {
        let base = try copying()
        isCopying = false
        defer { setSendTimeout(PostgresConnection.sendTimeout) }
        return try base.endCopy(nil).affectedRows
    }

    /// Ends a COPY so that it copies nothing, with a reason for the log of the server; the open transaction has then failed.
    package func abandonCopy(_ reason: String) {
        guard isCopying, let base else { return }
        isCopying = false
        // The server answers with the error that this asks for.
        _ = try? base.endCopy(reason.filter { $0 != "\0" })
        setSendTimeout(PostgresConnection.sendTimeout)
    }

    /// Runs a `COPY … TO STDOUT` and calls `body` with each row, or piece, of its data.
    package func copyOut(_ sql: PostgresSQL, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let result = try start(sql)
        let base = try open()
        guard result.isCopyOut else {
            if result.isCopyIn { _ = try? base.endCopy("copyOut needs another COPY") }
            throw PostgresError(.misuse, "copyOut needs a COPY TO STDOUT")
        }
        do {
            while try base.getCopy(body) {}
        } catch {
            // The rest is of no use, but libpq must read it.
            canceller.cancel()
            try? drainCopy()
            throw error
        }
        _ = try base.finish()
    }

    private func drainCopy() throws {
        let base = try open()
        while try base.getCopy({ _ in }) {}
        _ = try base.finish()
    }
}
