import CTributarySQLite

/// What SQLite refuses, with the SQL it was asked; values that were bound stay out of it.
public struct SQLiteError: Error, Sendable, Hashable {
    /// What kind of refusal it is.
    public let code: Code
    /// What SQLite says.
    public let message: String
    /// The statement, if there was one.
    public let sql: String?
    /// The database.
    public let database: String
    /// How to go on, where that is known.
    public var hint: String?

    /// An error of this layer.
    public init(_ code: Code, _ message: String, sql: String? = nil, database: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
        self.database = database
        self.hint = hint ?? code.hint
    }

    /// The latest error of `handle`.
    init(_ result: Int32, of handle: OpaquePointer?, sql: String?, database: String) {
        // The extended code tells which constraint or which part of an input or output it was.
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? result
        let code = Code(rawValue: extended & 0xFF == result & 0xFF ? extended : result)
        let text = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
        self.init(code, text.map { String(cString: $0) } ?? "unknown", sql: sql, database: database)
    }
}

extension SQLiteError: CustomStringConvertible {
    /// The whole sentence: what, where, how to go on.
    public var description: String {
        var text = "\(database): \(message) (\(code.rawValue))"
        if let sql { text += "; in \(sql.count > 500 ? sql.prefix(500) + "…" : sql[...])" }
        if let hint { text += "; \(hint)" }
        return text
    }
}
