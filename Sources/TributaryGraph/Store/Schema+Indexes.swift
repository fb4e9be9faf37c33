import TributarySQLite

extension Schema {
    /// The statements that make all indexes.
    func indexes() -> [SQLFragment] {
        var statements: [SQLFragment] = []
        var names: Set<String> = []
        /// An index over columns is made once.
        func add(
            _ table: TableLayout, _ columns: [(column: ColumnLayout, isAscending: Bool)], only entity: Entity?,
            isUnique: Bool
        ) {
            let parts = columns.map { part in
                // A name that could be read as two, or as one with a direction, stands in quotes.
                let name = part.column.name
                let isPlain = !name.unicodeScalars.contains { ", \"".unicodeScalars.contains($0) }
                return (isPlain ? name : SQLIdentifier(name).quoted) + (part.isAscending ? "" : " desc")
            }.joined(separator: ",")
            let owner = entity?.name ?? table.name
            let name = "_\(isUnique ? "unique" : "index").\(owner).\(parts)"
            guard !columns.isEmpty, names.insert(name.lowercasedASCII).inserted else { return }
            let list = columns.map { part -> SQLFragment in
                part.isAscending ? "\(identifier: part.column.name)" : "\(identifier: part.column.name) DESC"
            }
            let kind: SQLFragment = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
            var statement: SQLFragment = "\(kind) \(identifier: name) ON \(identifier: table.name) (\(list))"
            if let entity { statement += " WHERE \"_entity\" IN (\(Schema.literals([entity] + entity.descendants)))" }
            statements.append(statement)
        }
        for table in tables {
            for entity in [table.root] + table.root.descendants {
                let own = entity == table.root ? nil : entity
                for constraint in entity.uniquenessConstraints where constraint.entityName == entity.name {
                    let columns = constraint.properties.compactMap { table.column($0, of: entity) }
                    add(table, columns.map { ($0, true) }, only: own, isUnique: true)
                }
                for index in entity.indexes where index.entityName == entity.name {
                    let columns = index.elements.compactMap { element in
                        table.column(element.property, of: entity).map { ($0, element.isAscending) }
                    }
                    add(table, columns, only: nil, isUnique: false)
                }
                for relationship in entity.relationships where relationship.entity == entity {
                    guard let column = table.column(.relationship(relationship), of: entity) else { continue }
                    add(table, [(column, true)], only: nil, isUnique: false)
                }
            }
        }
        statements += joins.map { join in
            "CREATE INDEX \(identifier: "_index.\(join.name)") ON \(identifier: join.name) (\(identifier: join.target))"
        }
        return statements
    }

    /// Names of entities as literals: the condition of an index cannot have values bound.
    private static func literals(_ entities: [Entity]) -> [SQLFragment] {
        entities.map { entity in
            var text = "'"
            for scalar in entity.name.unicodeScalars {
                if scalar == "'" { text += "'" }
                text.unicodeScalars.append(scalar)
            }
            return SQLFragment(stringLiteral: text + "'")
        }
    }
}
