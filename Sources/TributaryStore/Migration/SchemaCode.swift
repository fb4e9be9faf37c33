import TributarySQLite

/// A view or a trigger that another program has made.
struct SchemaCode {
    let kind: String
    let name: String

    /// The views and triggers that can be used.
    static func working(on connection: Connection) throws -> [SchemaCode] {
        try connection.rows(
            of: """
                SELECT "type", "name" FROM sqlite_master WHERE "type" IN ('view', 'trigger')
                ORDER BY "type", "name"
                """
        ) { SchemaCode(kind: $0.text(at: 0), name: $0.text(at: 1)) }.filter { $0.failure(on: connection) == nil }
    }

    /// The error of using it; nil if it works.
    ///
    /// Statements that would use it are compiled, and not executed.
    func failure(on connection: Connection) -> SQLiteError? {
        connection.setUsesSchemaCode(true)
        defer { connection.setUsesSchemaCode(false) }
        do {
            for statement in try statements(on: connection) { _ = try connection.prepare(statement) }
            return nil
        } catch let error as SQLiteError {
            return error
        } catch {
            return SQLiteError(.error, "\(error)", database: connection.name)
        }
    }

    private func statements(on connection: Connection) throws -> [String] {
        guard kind == "trigger" else { return ["SELECT * FROM \(SQLIdentifier(name).quoted)"] }
        // The table may have another name by now.
        let value = try connection.value(
            of: "SELECT \"tbl_name\" FROM sqlite_master WHERE \"type\" = 'trigger' AND \"name\" = \(name)")
        guard case .text(let table)? = value else { return [] }
        let quoted = SQLIdentifier(table).quoted
        let columns = try connection.texts(of: "SELECT \"name\" FROM pragma_table_info(\(table))")
        let assignments = columns.map { SQLIdentifier($0).quoted }.map { "\($0) = \($0)" }.joined(separator: ", ")
        return [
            "INSERT INTO \(quoted) DEFAULT VALUES", "DELETE FROM \(quoted)", "UPDATE \(quoted) SET \(assignments)",
        ]
    }
}
