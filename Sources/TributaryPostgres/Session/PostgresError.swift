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
    public let detail: String?
    /// How to continue.
    public let hint: String?
    /// The constraint that a row violates.
    public let constraint: String?
    /// The table that the error is about.
    public let table: String?
    /// The column that the error is about.
    public let column: String?

    /// Makes an error of this library; its own hint replaces that of its kind.
    package init(_ code: Code, _ reason: String, sqlState: String? = nil, hint: String? = nil) {
        self.init(code, Report(sqlState: sqlState, message: reason), hint: hint)
    }

    /// Makes an error from what the server or libpq reports; the kind is that of the SQLSTATE if `code` is nil.
    init(_ code: Code? = nil, _ report: Report, hint ownHint: String? = nil) {
        self.code = code ?? report.sqlState.map(Code.init(sqlState:)) ?? .server
        sqlState = report.sqlState
        reason = report.message
        detail = report.detail
        hint = ownHint ?? self.code.hint ?? report.hint
        constraint = report.constraint
        table = report.table
        column = report.column
    }

    /// The same error as another kind, with the hint of that kind.
    func with(_ code: Code, reason: String? = nil) -> PostgresError {
        PostgresError(
            code,
            Report(
                sqlState: sqlState, message: reason ?? self.reason, detail: detail, hint: nil, constraint: constraint,
                table: table, column: column))
    }

    /// One line: the reason, the SQLSTATE, the detail and the hint.
    public var description: String {
        var text = reason
        if let sqlState { text += " (\(sqlState))" }
        if let detail { text += "; \(detail)" }
        if let hint { text += "; \(hint)" }
        return text
    }

    /// The fields of an error.
    struct Report {
        var sqlState: String?
        var message: String
        var detail: String?
        var hint: String?
        var constraint: String?
        var table: String?
        var column: String?
    }
}
