/// How an import uses a database of PostgreSQL.
public struct PostgresSettings: Sendable {
    /// The number of connections that write at the same time.
    public var connections = 1
    /// Whether the same import in other processes, on any machine, shares the work.
    ///
    /// All of them set it. The first one divides the dump; each works on one part after the other.
    public var joins = false
    /// The number of records of a transaction, at most.
    package var groupRows = 100_000

    /// The number of bytes of a range that one process works on.
    package var rangeBytes = 64 << 20
    /// Called with each statement before it is sent, on any thread.
    package var onStatement: (@Sendable (String) -> Void)?

    /// Opens a connection of an import.
    func connect(_ address: PostgresAddress, role: String) throws -> PostgresConnection {
        let connection = try PostgresConnection(address, role: role)
        connection.trace = onStatement
        return connection
    }

    /// One connection, and no other process.
    public init() {}
}
