package import TributaryModel
import TributarySQLite

/// The objects of an entity, or the rows of a table of another program, as an export writes them.
package struct ExportTable: Sendable {
    /// A relationship that a query of its own reads: an array of keys, or nested objects.
    package struct Part: Sendable {
        /// The member.
        package let name: String
        /// Whether the member is an array.
        package let isToMany: Bool
        /// What the keys are.
        package let meaning: ReadableTable.Meaning
        /// The nested objects; nil for keys.
        package let table: ExportTable?
        /// The query of the keys or objects of one row, in their order.
        let query: SQLFragment
        /// The number of its columns.
        let width: Int
    }

    /// The name of the entity or table.
    package let name: String
    /// The entity; nil for a table of another program.
    package let entity: Entity?
    /// The columns that are members, and after them the primary key of the row.
    package let rows: ReadableTable
    /// The indexes of the columns that identify an object.
    package let keys: [Int]
    /// The to-many relationships, and those with nested objects.
    package let parts: [Part]
    /// The members of relationships that are written.
    package let links: [String: String]
    /// The values of the columns of a row `t`.
    let values: [SQLFragment]
    /// The keys of deleted rows; nil if no changes are exported, or none are kept of the table.
    package let deleted: ReadableTable?
    /// The ordered relationship whose order is that of the rows, as `author.books`; nil if there is none.
    package let order: String?

    /// A table of another program.
    init(_ table: ReadableTable, deleted: ReadableTable?) {
        (name, entity, rows, keys, parts, links) = (table.name, nil, table, [], [], [:])
        (values, self.deleted, order) = ([], deleted, nil)
    }

    /// The tables whose objects are nested in this one, and itself.
    package var all: [ExportTable] { [self] + parts.flatMap { $0.table?.all ?? [] } }

    /// What an export of entities has in common.
    struct Context {
        let schema: Schema
        let links: ExportLinks
        let nesting: ExportNesting
        let changes: ExportChanges?
        /// The path of the database.
        let store: String
        /// The member of a relationship of an entity.
        let member: (RelationshipProperty, Entity, TableLayout) throws -> String
    }

    /// The objects of an entity, those aside that are in others.
    ///
    /// - Throws: `StoreError` if one of its relationships cannot be written.
    init(_ entity: Entity, _ layout: TableLayout, _ context: Context, leavingOutNested: Bool) throws {
        let (links, schema) = (context.links, context.schema)
        var columns: [ReadableTable.Column] = []
        var values: [SQLFragment] = []
        var (parts, members): ([Part], [String: String]) = ([], [:])
        var storages: [(PairStorage, isForward: Bool)] = []
        let key = entity.exportKey.map(\.name)
        var keys: [Int] = []
        var keyColumns: [(String, ReadableTable.Column)] = []
        for attribute in entity.attributes where attribute.declaration.derivation == nil {
            guard let column = layout.column(.attribute(attribute), of: entity) else { continue }
            let isKey = key.contains(attribute.name)
            if isKey { keys.append(columns.count) }
            columns.append(.init(name: attribute.name, meaning: ExportTable.meaning(of: attribute, isKey: isKey)))
            if let last = columns.last, isKey { keyColumns.append((column.name, last)) }
            values.append("t.\(identifier: column.name)")
        }
        for relationship in entity.relationships {
            if let fault = links.faults[relationship] ?? relationship.inverse.flatMap({ links.faults[$0] }) {
                throw StoreError(
                    .incompatibleModel, context.store, fault,
                    hint: "change the model, or name the entities to export")
            }
            guard links.written.contains(relationship) else { continue }
            if context.nesting.relationships.contains(relationship) {
                let name = try context.member(relationship, entity, layout)
                members[relationship.name] = name
                if let part = try ExportTable.nested(relationship, name, entity, layout, context) { parts.append(part) }
                continue
            }
            guard let target = ExportTable.key(of: relationship, in: schema) else { continue }
            let name = try context.member(relationship, entity, layout)
            members[relationship.name] = name
            if let column = layout.column(.relationship(relationship), of: entity) {
                columns.append(.init(name: name, meaning: target.meaning))
                values.append(
                    """
                    (SELECT r.\(identifier: target.column) FROM \(identifier: target.table) AS r \
                    WHERE r."_pk" = t.\(identifier: column.name))
                    """)
            } else if let storage = PairStorage(relationship, in: schema) {
                storages.append((storage, storage.relationship == relationship))
                let query = ExportTable.query(
                    of: relationship, storage, target.table, ["t.\(identifier: target.column)"])
                parts.append(
                    Part(name: name, isToMany: true, meaning: target.meaning, table: nil, query: query, width: 1))
            }
        }
        var order: SQLFragment = "t.\"_pk\""
        if let list = links.orders[entity], let storage = PairStorage(list, in: schema), let place = storage.targetOrder
        {
            order = "t.\(identifier: storage.source), t.\(identifier: place), t.\"_pk\""
        }
        let only = layout.hasSubentities ? entity : nil
        var conditions = only.map { entity -> [SQLFragment] in ["t.\"_entity\" = \(entity.name)"] } ?? []
        if leavingOutNested { conditions += ExportTable.hasNoOwner(entity, context) }
        if let changes = context.changes { conditions.append(changes.condition(of: layout.name, lists: storages)) }
        let rows: SQLFragment = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        self.rows = ReadableTable(
            name: entity.name, columns: columns,
            query: "SELECT \(values + ["t.\"_pk\""]) FROM \(identifier: layout.name) AS t\(rows) ORDER BY \(order)")
        (name, self.entity, self.keys, self.parts, self.links) = (entity.name, entity, keys, parts, members)
        self.values = values
        self.order = links.orders[entity].map { "\($0.entity.name).\($0.name)" }
        deleted = context.changes?.deleted(of: layout.name, keyColumns, entity: only)
    }

    /// Where the key of the objects of a relationship is, and what it is.
    private static func key(
        of relationship: RelationshipProperty, in schema: Schema
    ) -> (table: String, column: String, meaning: ReadableTable.Meaning)? {
        let entity = relationship.destination
        guard let attribute = entity.exportKey.first, let table = schema.table(of: entity),
            let column = table.column(.attribute(attribute), of: entity)
        else { return nil }
        return (table.name, column.name, meaning(of: attribute, isKey: true))
    }

    /// What the values of an attribute are; a key that looks like JSON is text.
    private static func meaning(of attribute: AttributeProperty, isKey: Bool) -> ReadableTable.Meaning {
        let meaning = ReadableTable.Meaning(attribute)
        return isKey && meaning == .inferred ? .plain : meaning
    }

    /// The query of values of the objects `t` of a to-many relationship; its value is the primary key of the owner.
    static func query(
        of relationship: RelationshipProperty, _ storage: PairStorage, _ table: String, _ values: [SQLFragment]
    ) -> SQLFragment {
        let isForward = storage.relationship == relationship
        let (own, other) = isForward ? (storage.source, storage.target) : (storage.target, storage.source)
        let place = isForward ? storage.targetOrder : storage.sourceOrder
        let order: SQLFragment = place.map { "p.\(identifier: $0), t.\"_pk\"" } ?? "t.\"_pk\""
        let pairs: SQLFragment = "\(identifier: storage.table) AS p JOIN \(identifier: table) AS t"
        let owner = SQLFragment(Int64(0))
        guard storage.isSymmetric else {
            return """
                SELECT \(values) FROM \(pairs) ON t."_pk" = p.\(identifier: other) \
                WHERE p.\(identifier: own) = \(owner) ORDER BY \(order)
                """
        }
        // A pair is stored in one direction.
        return """
            SELECT \(values) FROM \(identifier: table) AS t WHERE t."_pk" IN (SELECT p.\(identifier: other) \
            FROM \(identifier: storage.table) AS p WHERE p.\(identifier: own) = \(owner) UNION SELECT \
            p.\(identifier: own) FROM \(identifier: storage.table) AS p WHERE p.\(identifier: other) = \(owner)) \
            ORDER BY t."_pk"
            """
    }
}
