package import TributarySQLite

/// The tables of which an import may make indexes, by the names that are used for them.
package struct SearchableTables: Sendable {
    private let tables: [SearchableTable]

    /// The tables of a database, or the one of another program with this name; none if it has neither.
    package init(of foreign: String?, on connection: Connection) throws {
        if let foreign {
            self.init(tables: try ForeignTable(foreign, on: connection).map { [SearchableTable($0)] } ?? [])
        } else {
            self = try StoredModel.read(on: connection).map { SearchableTables(try Model($0)) } ?? SearchableTables()
        }
    }

    private init(tables: [SearchableTable] = []) { self.tables = tables }

    /// The tables of a model.
    package init(_ model: Model) {
        let schema = Schema(model)
        tables = model.entities.compactMap { SearchableTable($0, in: schema) }
    }

    /// One table of another program.
    package init(_ foreign: ForeignTable) { tables = [SearchableTable(foreign)] }

    private func table(_ name: String) -> SearchableTable? {
        tables.first { $0.name == name } ?? tables.first { $0.name.lowercasedASCII == name.lowercasedASCII }
    }

    /// The table and the column of a name, which is one of `main`, or has a table before a point; nil if there is none.
    ///
    ///     "title" → books, title     "authors.name" → authors, name
    ///
    /// The longest table counts. A name that `isAlone` has no table.
    package func column(
        _ name: String, of main: String?, isAlone: Bool = false
    ) -> (table: String, column: String)? {
        if let main = main.flatMap(table), let column = main.column(name) { return (main.table, column) }
        for point in name.indices.reversed() where name[point] == "." && !isAlone {
            guard let other = table(String(name[..<point])),
                let column = other.column(String(name[name.index(after: point)...]))
            else { continue }
            return (other.table, column)
        }
        return nil
    }

    /// The names of the columns of `main`, or those of all tables, with these.
    package func names(of main: String?) -> [String] {
        if let main = main.flatMap(table) { return main.names }
        return tables.flatMap { table in table.names.map { "\(table.name).\($0)" } }
    }
}
