import TributarySQLite

/// What a table or view has: its columns, keys, indexes and relations, and how much of each.
package struct TableSummary: Sendable {
    /// A column.
    package struct Column: Sendable {
        /// The name.
        package let name: String
        /// The type that its schema declares, or that its values have; empty if there is none.
        package let type: String
        /// Whether it must have a value.
        package let isRequired: Bool
    }

    /// An index.
    package struct Index: Sendable {
        /// The name.
        package let name: String
        /// The columns; nil in the place of an expression.
        package let columns: [String?]
        /// Whether values must be different.
        package let isUnique: Bool
        /// The bytes of its pages; nil if they were not added up.
        package let bytes: Int?
    }

    /// A relation to another table.
    package struct Relation: Sendable {
        /// The columns, or the relationship.
        package let name: String
        /// The other table or entity.
        package let destination: String
        /// Whether it leads to several rows.
        package let isToMany: Bool
    }

    /// The name.
    package let name: String
    /// Whether it is a view.
    package let isView: Bool
    /// The number of rows, at most `mostRows`; nil for a view, which is not counted.
    package let rows: Int?
    /// The bytes of its pages, those of its indexes aside; nil if they were not added up.
    package let bytes: Int?
    /// The columns.
    package let columns: [Column]
    /// The keys, each with its columns, the primary key first.
    package let keys: [[String]]
    /// The indexes, those of keys too.
    package let indexes: [Index]
    /// The relations.
    package let relations: [Relation]

    /// The rows that are counted of a table.
    package static let mostRows = 10_000_000
}

extension QueryableDatabase {
    /// The bytes of a database beyond which those of its tables are not added up, since all its pages are read for it.
    package static let mostBytes = 1 << 30

    /// What the tables and views have, those of this library aside.
    package func summaries() throws -> [TableSummary] {
        let sizes = try sizes()
        return try (names.tables + names.views).map { name in
            let own = model.map { Schema($0) }?.tables.first { $0.name == name }
            let isView = names.views.contains(name)
            // A view of what does not exist any more is listed without columns.
            if isView, (try? connection.statement(of: "SELECT 1 FROM \(identifier: name)")) == nil {
                return TableSummary(
                    name: name, isView: true, rows: nil, bytes: nil, columns: [], keys: [], indexes: [], relations: [])
            }
            let keys = try own.map { $0.keys } ?? primaryKey(of: name)
            let indexes = try indexes(of: name, sizes)
            return TableSummary(
                name: name, isView: isView, rows: isView ? nil : try rowCount(of: name), bytes: sizes[name],
                columns: try columns(of: name, own),
                keys: own == nil ? keys + indexes.filter(\.isUnique).map { $0.columns.compactMap(\.self) } : keys,
                indexes: indexes, relations: try own.map { $0.relations } ?? foreignKeys(of: name))
        }
    }

    /// The bytes of the pages of each table and index; empty for a large database, or where SQLite cannot tell.
    private func sizes() throws -> [String: Int] {
        let bytes = try connection.integer(
            of: "SELECT \"page_count\" * \"page_size\" FROM pragma_page_count, pragma_page_size")
        guard let bytes, bytes <= QueryableDatabase.mostBytes else { return [:] }
        let query: SQLFragment = "SELECT \"name\", SUM(\"pgsize\") FROM dbstat GROUP BY \"name\""
        guard (try? connection.statement(of: query)) != nil else { return [:] }
        let sizes = try connection.rows(of: query) { ($0.text(at: 0), Int($0.integer(at: 1))) }
        return Dictionary(sizes) { first, _ in first }
    }

    private func rowCount(of name: String) throws -> Int {
        let rows: SQLFragment = "SELECT 1 FROM \(identifier: name) LIMIT \(TableSummary.mostRows)"
        return Int(try connection.integer(of: "SELECT COUNT(*) FROM (\(rows))") ?? 0)
    }

    private func columns(of name: String, _ own: TableLayout?) throws -> [TableSummary.Column] {
        let declared = try connection.rows(
            of: "SELECT \"name\", \"type\", \"notnull\" FROM pragma_table_xinfo(\(name)) WHERE \"hidden\" <> 1"
        ) { TableSummary.Column(name: $0.text(at: 0), type: $0.text(at: 1), isRequired: $0.integer(at: 2) != 0) }
        guard let own else { return declared }
        return declared.compactMap { column in
            guard !ReservedNames.isColumn(column.name) else { return nil }
            let property = own.property(of: column.name)
            let type = property?.attribute?.declaration.typeName ?? property?.relationship?.destination.name
            let isRequired = property?.attribute.map { !$0.isOptional } ?? property?.relationship.map { !$0.isOptional }
            return TableSummary.Column(
                name: column.name, type: type ?? column.type, isRequired: isRequired ?? column.isRequired)
        }
    }

    func primaryKey(of name: String) throws -> [[String]] {
        let key = try connection.texts(
            of: "SELECT \"name\" FROM pragma_table_info(\(name), 'main') WHERE \"pk\" > 0 ORDER BY \"pk\"")
        return key.isEmpty ? [] : [key]
    }

    private func indexes(of name: String, _ sizes: [String: Int]) throws -> [TableSummary.Index] {
        let indexes = try connection.rows(
            of: """
                SELECT "name", "unique" AND NOT "partial" FROM pragma_index_list(\(name))
                WHERE "origin" <> 'pk' ORDER BY "seq" DESC
                """
        ) { (name: $0.text(at: 0), isUnique: $0.integer(at: 1) != 0) }
        return try indexes.map { index in
            let columns = try connection.rows(
                of: "SELECT \"name\" FROM pragma_index_info(\(index.name)) ORDER BY \"seqno\""
            ) { $0.isNull(at: 0) ? nil : $0.text(at: 0) }
            return TableSummary.Index(
                name: index.name, columns: columns, isUnique: index.isUnique && !columns.contains(nil),
                bytes: sizes[index.name])
        }
    }

    private func foreignKeys(of name: String) throws -> [TableSummary.Relation] {
        try connection.rows(
            of: """
                SELECT group_concat("from", ', '), "table" FROM
                (SELECT "id", "from", "table" FROM pragma_foreign_key_list(\(name)) ORDER BY "id", "seq")
                GROUP BY "id" ORDER BY "id" DESC
                """
        ) { TableSummary.Relation(name: $0.text(at: 0), destination: $0.text(at: 1), isToMany: false) }
    }
}

extension TableLayout {
    /// The root entity and those below it.
    private var entities: [Entity] { [root] + root.descendants }

    /// The property that a column belongs to.
    fileprivate func property(of name: String) -> Property? {
        for entity in entities {
            if let found = entity.properties.first(where: { column($0, of: entity)?.name == name }) { return found }
        }
        return nil
    }

    /// The properties of each uniqueness constraint.
    fileprivate var keys: [[String]] {
        var keys: [[String]] = []
        for constraint in entities.flatMap(\.uniquenessConstraints) {
            let names = constraint.properties.map(\.name)
            if !keys.contains(names) { keys.append(names) }
        }
        return keys
    }

    /// The relationships, each once.
    fileprivate var relations: [TableSummary.Relation] {
        var seen: Set<String> = []
        return entities.flatMap(\.relationships).filter { seen.insert("\($0.entity.name).\($0.name)").inserted }.map {
            TableSummary.Relation(name: $0.name, destination: $0.destination.name, isToMany: $0.isToMany)
        }
    }
}
