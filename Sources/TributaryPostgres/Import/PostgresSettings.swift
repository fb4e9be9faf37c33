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

    /// One connection, and no other process.
    public init() {}
}
