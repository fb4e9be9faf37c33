import TributarySQLite

/// The columns of a table that a full-text index can have, by the names that are used for them.
package struct SearchableTable: Sendable {
    /// The entity or table.
    package let name: String
    /// The table.
    package let table: String
    private let columns: [(name: String, column: String)]

    /// The attributes of an entity.
    package init?(_ entity: Entity, in schema: Schema) {
        guard let layout = schema.table(of: entity) else { return nil }
        (name, table) = (entity.name, layout.name)
        columns = entity.attributes.compactMap { attribute in
            layout.column(.attribute(attribute), of: entity).map { (attribute.name, $0.name) }
        }
    }

    /// The columns of a table of another program.
    package init(_ foreign: ForeignTable) {
        (name, table) = (foreign.name, foreign.name)
        columns = foreign.columns.map { ($0.name, $0.name) }
    }

    /// The names of the columns.
    package var names: [String] { columns.map(\.name) }

    /// The column of a name, in any case of its letters if no other column has it in this one; nil if there is none.
    package func column(_ name: String) -> String? {
        let found =
            columns.first { $0.name == name } ?? columns.first { $0.name.lowercasedASCII == name.lowercasedASCII }
        return found?.column
    }
}
