public import TributarySQLite

/// What a run has changed in a row.
public struct RowChange: Sendable, Hashable {
    /// How a row was changed.
    public enum Kind: String, Sendable {
        /// The run has made the row.
        case inserted
        /// The run has changed values of the row.
        case updated
        /// The run has deleted the row.
        case deleted
    }

    /// A column and a value.
    public struct Value: Sendable, Hashable {
        /// The name of the column.
        public let column: String
        /// The value.
        public let value: SQLValue

        init(_ column: String, _ value: SQLValue) { (self.column, self.value) = (column, value) }
    }

    /// The table.
    public let table: String
    /// How the row was changed.
    public let kind: Kind
    /// The values that identify the row: those of its key if it has one, and of its primary key.
    public let key: [Value]
    /// The earlier values of the changed columns; none for a new row.
    public let old: [Value]
    /// The new values of the changed columns; none for a deleted row.
    public let new: [Value]

    /// Whether the table has a row with the key of the changed one.
    package func hasRow(on connection: Connection) throws -> Bool {
        let conditions = key.map { part -> SQLFragment in "\(identifier: part.column) IS \(part.value)" }
        return try connection.hasRows(
            "SELECT 1 FROM \(identifier: table) WHERE " + conditions.joined(separator: " AND "))
    }

    /// Calls `body` for each kept change of a run, table by table; `keys` has the columns of the keys of tables.
    package static func forEach(
        of run: Int, keys: [String: [String]], on connection: Connection, _ body: (RowChange) throws -> Void
    ) throws {
        for table in try RecordedTable.all(on: connection) {
            let own = keys[table.name]?.filter(table.columns.contains) ?? []
            let olds = table.columns.map { "c." + table.old($0) }
            let news = table.columns.map { "c." + table.new($0) }
            let columns = table.key.map { name -> SQLFragment in "c.\(identifier: name)" } + olds + news
            try connection.forEachRow(
                of: """
                    SELECT c."_kind", \(columns) FROM \(identifier: table.changes) AS c
                    WHERE c."_run" = \(run) AND c."_kind" <> 'x'
                    """
            ) { row in
                let first = 1 + table.key.count
                let kind: Kind =
                    switch row.text(at: 0) {
                    case "i": .inserted
                    case "u": .updated
                    default: .deleted
                    }
                var (old, new, key): ([Value], [Value], [Value]) = ([], [], [])
                for (index, column) in table.columns.enumerated() {
                    let (before, after) = (row.value(at: first + index), row.value(at: first + olds.count + index))
                    if own.contains(column) { key.append(Value(column, kind == .deleted ? before : after)) }
                    if before == after { continue }
                    if kind != .inserted { old.append(Value(column, before)) }
                    if kind != .deleted { new.append(Value(column, after)) }
                }
                // A record may have undone what an earlier one has changed.
                if kind == .updated, old.isEmpty { return }
                for (index, column) in table.key.enumerated() { key.append(Value(column, row.value(at: 1 + index))) }
                try body(RowChange(table: table.name, kind: kind, key: key, old: old, new: new))
            }
        }
    }
}
