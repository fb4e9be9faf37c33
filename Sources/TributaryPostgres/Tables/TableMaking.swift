import TributaryStore
import TributaryModel

/// The statements that make and change tables for imports.
enum TableMaking {
    /// The name of the unique index of a key is that of the primary key, which PostgreSQL chooses.
    static func key(_ target: TargetTable) -> PostgresSQL {
        "ALTER TABLE \(target.reference) ADD PRIMARY KEY (\(names: target.key.map { target.columns[$0].name }))"
    }

    /// Creates the table of an entity; the index of its key is made later.
    static func creation(_ target: TargetTable) -> [PostgresSQL] {
        let list = target.columns.enumerated().map { index, column -> PostgresSQL in
            let text: PostgresSQL = "\(name: column.name) \(PostgresSQL(catalogue: column.type.name))"
            return target.isMandatory(index) ? text + " NOT NULL" : text
        }
        return [
            "CREATE TABLE \(target.reference) (\(list))",
            "COMMENT ON TABLE \(target.reference) IS \(PostgresTable.comment)",
        ]
    }

    /// Adds a column.
    static func addition(_ column: String, _ type: PostgresType, to table: PostgresTable) -> PostgresSQL {
        "ALTER TABLE \(table.reference) ADD COLUMN \(name: column) \(PostgresSQL(catalogue: type.name))"
    }

    /// Gives a column a type that holds its values and others.
    static func widening(_ column: String, to type: PostgresType, in table: PostgresTable) -> PostgresSQL {
        let value: PostgresSQL =
            switch type.form {
            case .jsonb: "to_jsonb(\(name: column))"
            // The direct cast keeps 15 digits only.
            case .numeric: "\(name: column)::text::numeric"
            default: "\(name: column)::\(PostgresSQL(catalogue: type.name))"
            }
        return """
            ALTER TABLE \(table.reference) ALTER COLUMN \(name: column) TYPE \(PostgresSQL(catalogue: type.name)) USING \(value)
            """
    }
}
