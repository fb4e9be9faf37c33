package import TributarySQLite

extension Schema {
    /// An index over columns of a table.
    private struct TableIndex {
        let table: TableLayout
        let columns: [(column: ColumnLayout, isAscending: Bool)]
        /// The entity whose rows the index contains; nil for all rows.
        var only: Entity?
        var isUnique = false

        var name: String {
            let parts = columns.map { part in
                // A name is quoted if it could be read as two names, or as a name with a direction.
                let name = part.column.name
                let isPlain = !name.unicodeScalars.contains { ", \"".unicodeScalars.contains($0) }
                return (isPlain ? name : SQLIdentifier(name).quoted) + (part.isAscending ? "" : " desc")
            }.joined(separator: ",")
            return "_\(isUnique ? "unique" : "index").\(only?.name ?? table.name).\(parts)"
        }

        var creation: SQLFragment {
            let list = columns.map { part -> SQLFragment in
                part.isAscending ? "\(identifier: part.column.name)" : "\(identifier: part.column.name) DESC"
            }
            let kind: SQLFragment = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
            var statement: SQLFragment = "\(kind) \(identifier: name) ON \(identifier: table.name) (\(list))"
            if let only { statement += " WHERE \(Schema.condition(of: only))" }
            return statement
        }
    }

    private func indexes(of table: TableLayout) -> [TableIndex] {
        ([table.root] + table.root.descendants).flatMap { entity in
            let own = entity == table.root ? nil : entity
            var indexes = entity.uniquenessConstraints.filter { $0.entityName == entity.name }.map { constraint in
                let columns = constraint.properties.compactMap { table.column($0, of: entity) }
                return TableIndex(table: table, columns: columns.map { ($0, true) }, only: own, isUnique: true)
            }
            indexes += entity.indexes.filter { $0.entityName == entity.name }.map { index in
                let columns = index.elements.compactMap { element in
                    table.column(element.property, of: entity).map { ($0, element.isAscending) }
                }
                return TableIndex(table: table, columns: columns)
            }
            indexes += entity.relationships.filter { $0.entity == entity }.compactMap { relationship in
                table.column(.relationship(relationship), of: entity).map {
                    TableIndex(table: table, columns: [($0, true)])
                }
            }
            return indexes
        }
    }

    /// The statements that create all indexes.
    func indexes() -> [SQLFragment] { namedIndexes().map(\.statement) }

    /// The names of all indexes, and the statements that create them.
    func namedIndexes() -> [(name: String, statement: SQLFragment)] {
        var names: Set<String> = []
        let own = tables.flatMap(indexes(of:)).filter { index in
            // Several properties may declare an index over the same columns.
            !index.columns.isEmpty && names.insert(index.name.lowercasedASCII).inserted
        }.map { ($0.name, $0.creation) }
        return own
            + joins.map { join in
                let name = "_index.\(join.name)"
                return (
                    name, "CREATE INDEX \(identifier: name) ON \(identifier: join.name) (\(identifier: join.target))"
                )
            }
    }

    /// The names of the indexes of the table of an entity.
    func indexNames(of entity: Entity) -> [String] { table(of: entity).map { indexes(of: $0).map(\.name) } ?? [] }

    /// Whether an index over all rows of a table begins with these columns, in any order.
    func isIndexed(_ table: TableLayout, by columns: [String]) -> Bool {
        indexes(of: table).contains { index in
            index.only == nil && index.columns.count >= columns.count
                && Set(index.columns.prefix(columns.count).map(\.column.name)) == Set(columns)
        }
    }

    /// Whether no two rows of a table have the same values in these columns.
    func isUnique(_ table: TableLayout, by columns: [String]) -> Bool {
        indexes(of: table).contains { index in
            index.isUnique && index.only == nil && index.columns.count == columns.count
                && Set(index.columns.map(\.column.name)) == Set(columns)
        }
    }

    /// The condition that a row is of `entity`, with the same text as in partial indexes, so that SQLite uses them.
    package static func condition(of entity: Entity, in table: SQLFragment = "") -> SQLFragment {
        "\(table)\"_entity\" IN (\(([entity] + entity.descendants).map { literal($0.name) }))"
    }

    /// The name of an entity as a literal, for statements that cannot have bound values, as the condition of an index.
    static func literal(_ name: String) -> SQLFragment {
        var text = "'"
        for scalar in name.unicodeScalars {
            if scalar == "'" { text += "'" }
            text.unicodeScalars.append(scalar)
        }
        return SQLFragment(trusted: text + "'")
    }
}
