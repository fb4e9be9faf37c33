/// The meaning of an error, for callers that handle it.
extension PostgresError {
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
    public var isConstraintViolation: Bool { code == .constraint }

    /// Whether a row would repeat the values of a unique constraint.
    public var isUniqueViolation: Bool { sqlState == "23505" }

    /// Whether a value does not fit its type, or the text of the server.
    public var isDataException: Bool { code == .data }

    /// The SQLSTATE of a command that would write a row twice, since keys are equal only for the server.
    static let repeatedRow = "21000"
    /// A row written twice, one that is too large for a page or an index, one that a trigger or a view refuses.
    private static let rowStates: Set<String> = [repeatedRow, "54000", "P0001", "44000"]

    /// Whether some rows of a statement are the cause, so that it may succeed with fewer of them.
    var isOfRows: Bool {
        isConstraintViolation || isDataException || sqlState.map(PostgresError.rowStates.contains) ?? false
    }
}
