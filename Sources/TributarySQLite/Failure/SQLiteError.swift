import CTributarySQLite

/// An error of SQLite, with the SQL of the statement but without the bound values.
public struct SQLiteError: Error, Sendable, Hashable {
    /// The result code.
    public let code: Code
    /// The message of SQLite.
    public let message: String
    /// The statement, if there was one.
    public let sql: String?
    /// The name of the database.
    public let database: String
    /// A remedy, if there is one.
    public var hint: String?

    /// Whether the message is of SQLite, whose result codes say more than it; one of this library says all.
    private let showsCode: Bool

    /// Makes an error of this library.
    public init(_ code: Code, _ message: String, sql: String? = nil, database: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
        self.database = database
        self.hint = hint ?? code.hint
        showsCode = false
    }

    /// Makes an error from the latest error of `handle`.
    init(_ result: Int32, of handle: OpaquePointer?, sql: String?, database: String) {
        // The extended code names the constraint, or the operation on the file.
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? result
        let code = Code(rawValue: extended & 0xFF == result & 0xFF ? extended : result)
        let text = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
        self.code = code
        message = text.map { String(cString: $0) } ?? "unknown"
        self.sql = sql
        self.database = database
        hint = code.hint
        showsCode = true
    }
}

extension SQLiteError: CustomStringConvertible {
    /// One line: database, message, the result code of SQLite, SQL, hint.
    public var description: String {
        var text = "\(database): \(message)"
        if showsCode { text += " (\(code.rawValue))" }
        if let sql { text += "; in \(sql.count > 500 ? sql.prefix(500) + "…" : sql[...])" }
        if let hint { text += "; \(hint)" }
        return text
    }
}

/// The meaning of result codes, for callers that handle an error.
extension SQLiteError {
    /// Whether a row would repeat the values of a unique constraint.
    package var isUniqueViolation: Bool { code == .uniqueConstraint }

    /// Whether a constraint or a trigger of a table refuses a row.
    package var isRefusal: Bool { code.primary == .constraint || code.primary == .mismatch }
}
