/// An error of a PostgreSQL server, or of the connection to it.
///
/// It never contains a password or a bound value of a statement. A server may name a value of a row in `detail`.
public struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind.
    public let code: Code
    /// The SQLSTATE of the server; nil if the error is from this side of the connection.
    public let sqlState: String?
    /// What happened.
    public let reason: String
    /// More about the error, from the server.
    public internal(set) var detail: String?
    /// How to continue.
    public let hint: String?
    /// The constraint that a row violates.
    public internal(set) var constraint: String?
    /// The table that the error is about.
    public internal(set) var table: String?
    /// The column that the error is about.
    public internal(set) var column: String?

    /// Makes an error of this library; its own hint replaces that of its kind.
    package init(_ code: Code, _ reason: String, sqlState: String? = nil, hint: String? = nil) {
        (self.code, self.reason, self.sqlState, self.hint) = (code, reason, sqlState, hint ?? code.hint)
    }

    /// The same error as another kind, with the hint of that kind.
    func with(_ code: Code, reason: String? = nil) -> PostgresError {
        var error = PostgresError(code, reason ?? self.reason, sqlState: sqlState)
        (error.detail, error.constraint, error.table, error.column) = (detail, constraint, table, column)
        return error
    }

    /// One line: the reason, the SQLSTATE, the detail and the hint.
    public var description: String {
        var text = reason
        if let sqlState { text += " (\(sqlState))" }
        if let detail { text += "; \(detail)" }
        if let hint { text += "; \(hint)" }
        return text
    }
}
