import TributarySQLite

/// A view or a trigger that another program has made.
struct SchemaCode {
    let kind: String
    let name: String

    /// The views and triggers that can be used.
    static func working(on connection: Connection) throws -> [SchemaCode] {
        let rows = try connection.rows(
            of: """
                SELECT "type", "name" FROM sqlite_master WHERE "type" IN ('view', 'trigger')
                ORDER BY "type", "name"
                """)
        return rows.compactMap { row -> SchemaCode? in
            guard case .text(let kind) = row[0], case .text(let name) = row[1] else { return nil }
            return SchemaCode(kind: kind, name: name)
        }.filter { $0.failure(on: connection) == nil }
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
        var columns: [String] = []
        try connection.forEachRow(of: "SELECT \"name\" FROM pragma_table_info(\(table))") { row in
            columns.append(SQLIdentifier(row.text(at: 0)).quoted)
        }
        let assignments = columns.map { "\($0) = \($0)" }.joined(separator: ", ")
        return [
            "INSERT INTO \(quoted) DEFAULT VALUES", "DELETE FROM \(quoted)", "UPDATE \(quoted) SET \(assignments)",
        ]
    }
}
