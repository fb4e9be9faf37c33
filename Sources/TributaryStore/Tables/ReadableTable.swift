package import TributaryModel
import TributarySQLite

/// A table or view of any database, with the query that reads its rows.
///
/// Of a table of this library, only the columns of properties are read, and a link is the key of the object it leads to.
///
///     "users"    id → inferred     born → Date     city → that of the key of "City"
package struct ReadableTable: Sendable {
    /// What the values of a column are.
    package enum Meaning: Sendable, Hashable {
        /// What SQLite has, in a table of another program.
        case plain
        /// Values of records, of which arrays and objects are text.
        case inferred
        /// The members of records without a column of their own, as one JSON object.
        case rest
        /// Values of a type.
        case attribute(AttributeType)
    }

    /// A column that is read.
    package struct Column: Sendable, Hashable {
        /// The name.
        package let name: String
        /// What its values are.
        package let meaning: Meaning
    }

    /// The name.
    package let name: String
    /// The columns, in the order in which the query has them.
    package let columns: [Column]
    /// The query of all rows.
    let query: SQLFragment

    /// Columns with the query that reads them.
    init(name: String, columns: [Column], query: SQLFragment) {
        (self.name, self.columns, self.query) = (name, columns, query)
    }

    /// The table of a root entity.
    private init(of layout: TableLayout, in schema: Schema) {
        var (columns, values): ([Column], [SQLFragment]) = ([], [])
        var seen: Set<String> = []
        let entities = [layout.root] + layout.root.descendants
        for entity in entities {
            for property in entity.properties {
                guard let column = layout.column(property, of: entity), seen.insert(column.name).inserted else {
                    continue
                }
                switch property {
                case .attribute(let attribute):
                    columns.append(Column(name: column.name, meaning: Meaning(attribute)))
                    values.append("t.\(identifier: column.name)")
                case .relationship(let relationship):
                    let key = ReadableTable.key(of: relationship.destination, in: schema)
                    columns.append(Column(name: column.name, meaning: key.map { Meaning($0.attribute) } ?? .plain))
                    values.append(ReadableTable.link(column.name, key))
                }
            }
        }
        name = layout.name
        self.columns = columns
        query = "SELECT \(values.isEmpty ? ["1"] : values) FROM \(identifier: layout.name) AS t ORDER BY t.\"_pk\""
    }

    /// A table or view of another program, or its rows, named `t`, with a condition.
    init(_ name: String, where condition: SQLFragment? = nil, on connection: Connection) throws {
        let names = try connection.texts(
            of: "SELECT \"name\" FROM pragma_table_xinfo(\(name)) WHERE \"hidden\" <> 1")
        self.name = name
        columns = names.map { Column(name: $0, meaning: .plain) }
        let values = names.map { name -> SQLFragment in "t.\(identifier: name)" }
        let rows: SQLFragment = condition.map { " WHERE " + $0 } ?? ""
        query = "SELECT \(values.isEmpty ? ["1"] : values) FROM \(identifier: name) AS t\(rows)"
    }

    /// The only attribute of a key, with its table and its column.
    static func key(
        of entity: Entity, in schema: Schema
    ) -> (attribute: AttributeProperty, table: String, column: String)? {
        for constraint in entity.uniquenessConstraints where constraint.properties.count == 1 {
            guard let attribute = constraint.properties[0].attribute, let table = schema.table(of: entity),
                let column = table.column(.attribute(attribute), of: entity)
            else { continue }
            return (attribute, table.name, column.name)
        }
        return nil
    }

    /// The key of the row that a column leads to, or its number.
    private static func link(
        _ column: String, _ key: (attribute: AttributeProperty, table: String, column: String)?
    ) -> SQLFragment {
        guard let key else { return "t.\(identifier: column)" }
        return """
            (SELECT r.\(identifier: key.column) FROM \(identifier: key.table) AS r \
            WHERE r."_pk" = t.\(identifier: column))
            """
    }
}

extension ReadableTable {
    /// The names of the tables and of the views in a database, those of SQLite and of this library aside.
    package typealias Names = (tables: [String], views: [String])

    /// The tables or views of a database that `choose` names; nil if the file does not exist.
    package static func read(_ path: String, _ choose: (Names) throws -> [String]) throws -> [ReadableTable]? {
        try StoreInspection.readDatabase(path) { connection in
            connection.allowViews()
            let schema = try StoredModel.read(on: connection).map { Schema(try Model($0)) }
            return try choose(names(on: connection, isOwn: schema != nil)).map { name in
                let own = schema?.tables.first { $0.name == name }
                guard let own, let schema else { return try ReadableTable(name, on: connection) }
                let table = ReadableTable(of: own, in: schema)
                // Another program may have changed the columns.
                let isReadable = (try? connection.statement(of: table.query)) != nil
                return isReadable ? table : try ReadableTable(name, on: connection)
            }
        }
    }

    /// The names in the database of a connection, in which this library may have tables; full-text indexes of other
    /// tables are left out.
    static func names(on connection: Connection, isOwn: Bool) throws -> Names {
        let all = try connection.rows(
            of: """
                SELECT l."name", l."type", m."sql" FROM pragma_table_list AS l JOIN sqlite_master AS m ON m."name" = l."name"
                AND m."type" IN ('table', 'view') WHERE l."schema" = 'main' AND l."type" <> 'shadow' ORDER BY m.rowid
                """
        ) { (name: $0.text(at: 0), kind: $0.text(at: 1), sql: $0.text(at: 2)) }
        .filter { $0.kind != "virtual" || !SearchIndex.isIndex($0.sql) }
        .filter { !(isOwn && $0.name.hasPrefix("_")) && !$0.name.lowercased().hasPrefix("sqlite_") }
        // A virtual table whose module is missing cannot be read.
        let tables = all.filter { table in
            table.kind == "table"
                || table.kind == "virtual"
                    && (try? connection.hasRows("SELECT 1 FROM \(identifier: table.name) LIMIT 1")) != nil
        }
        return (tables.map(\.name), all.filter { $0.kind == "view" }.map(\.name))
    }
}

extension ReadableTable.Meaning {
    /// What the column of an attribute has.
    init(_ attribute: AttributeProperty) {
        self =
            attribute.name == "_rest" ? .rest : attribute.type == .undefined ? .inferred : .attribute(attribute.type)
    }
}
