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

    // MARK: Meaning

    /// Whether the connection cannot be used any more.
    public var isConnectionLost: Bool { [.connectionLost, .commitUnknown, .shutdown, .idle].contains(code) }

    /// Whether the same transaction may succeed later, on a new connection if this one is lost.
    ///
    /// It is false after `commitUnknown`: only the caller can find out whether the transaction was committed.
    public var isRetryable: Bool {
        let codes: [Code] = [
            .connectionLost, .shutdown, .idle, .unreachable, .tooManyConnections, .deadlock, .serialization, .lock,
        ]
        return codes.contains(code)
    }

    /// Whether a row violates a constraint.
    package var isConstraintViolation: Bool { code == .constraint }

    /// Whether a row would repeat the values of a unique constraint.
    public var isUniqueViolation: Bool { sqlState == "23505" }

    /// Whether a value does not fit its type, or the text of the server.
    package var isDataException: Bool { code == .data }

    /// The SQLSTATE of a command that would write a row twice, since keys are equal only for the server.
    static let repeatedRow = "21000"
    /// A row written twice, one that is too large for a page or an index, one that a trigger or a view refuses.
    private static let rowStates: Set<String> = [repeatedRow, "54000", "P0001", "44000"]

    /// Whether some rows of a statement are the cause, so that it may succeed with fewer of them.
    var isOfRows: Bool {
        isConstraintViolation || isDataException || sqlState.map(PostgresError.rowStates.contains) ?? false
    }
}
