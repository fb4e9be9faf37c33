package import TributaryModel
import TributarySQLite

/// The objects of an entity, or the rows of a table of another program, as an export writes them.
package struct ExportTable: Sendable {
    /// A to-many relationship, whose keys are an array.
    package struct List: Sendable {
        /// The member.
        package let name: String
        /// What the keys are.
        package let meaning: ReadableTable.Meaning
        /// The query of the keys of the objects of one row, in their order.
        let query: SQLFragment
    }

    /// The name of the entity or table.
    package let name: String
    /// The entity; nil for a table of another program.
    package let entity: Entity?
    /// The columns that are members, and after them the primary key of the row.
    package let rows: ReadableTable
    /// The indexes of the columns that identify an object.
    package let keys: [Int]
    /// The to-many relationships.
    package let lists: [List]
    /// The members of relationships that are written.
    package let links: [String: String]

    /// A table of another program.
    init(_ table: ReadableTable) {
        (name, entity, rows, keys, lists, links) = (table.name, nil, table, [], [], [:])
    }

    /// The objects of an entity; `member` names the member of a relationship.
    ///
    /// - Throws: `StoreError` if one of its relationships cannot be written.
    init(
        _ entity: Entity, _ layout: TableLayout, _ links: ExportLinks, in schema: Schema, of store: String,
        member: (RelationshipProperty) throws -> String
    ) throws {
        var columns: [ReadableTable.Column] = []
        var values: [SQLFragment] = []
        var (lists, members): ([List], [String: String]) = ([], [:])
        let key = entity.exportKey.map(\.name)
        var keys: [Int] = []
        for attribute in entity.attributes where attribute.declaration.derivation == nil {
            guard let column = layout.column(.attribute(attribute), of: entity) else { continue }
            let isKey = key.contains(attribute.name)
            if isKey { keys.append(columns.count) }
            columns.append(.init(name: attribute.name, meaning: ExportTable.meaning(of: attribute, isKey: isKey)))
            values.append("t.\(identifier: column.name)")
        }
        for relationship in entity.relationships {
            if let fault = links.faults[relationship] ?? relationship.inverse.flatMap({ links.faults[$0] }) {
                throw StoreError(
                    .incompatibleModel, store, fault,
                    hint: "change the model, or name the entities to export")
            }
            guard links.written.contains(relationship), let target = ExportTable.key(of: relationship, in: schema)
            else { continue }
            let name = try member(relationship)
            members[relationship.name] = name
            if let column = layout.column(.relationship(relationship), of: entity) {
                columns.append(.init(name: name, meaning: target.meaning))
                values.append(
                    """
                    (SELECT r.\(identifier: target.column) FROM \(identifier: target.table) AS r \
                    WHERE r."_pk" = t.\(identifier: column.name))
                    """)
            } else if let query = ExportTable.query(of: relationship, target.table, target.column, in: schema) {
                lists.append(List(name: name, meaning: target.meaning, query: query))
            }
        }
        var order: SQLFragment = "t.\"_pk\""
        if let list = links.orders[entity], let storage = PairStorage(list, in: schema), let place = storage.targetOrder
        {
            order = "t.\(identifier: storage.source), t.\(identifier: place), t.\"_pk\""
        }
        let own: SQLFragment = layout.hasSubentities ? " WHERE t.\"_entity\" = \(entity.name)" : ""
        rows = ReadableTable(
            name: entity.name, columns: columns,
            query: "SELECT \(values + ["t.\"_pk\""]) FROM \(identifier: layout.name) AS t\(own) ORDER BY \(order)")
        (name, self.entity, self.keys, self.lists, self.links) = (entity.name, entity, keys, lists, members)
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

    /// The query of the keys of a to-many relationship, whose value is the primary key of the owner.
    private static func query(
        of relationship: RelationshipProperty, _ table: String, _ key: String, in schema: Schema
    ) -> SQLFragment? {
        guard let storage = PairStorage(relationship, in: schema) else { return nil }
        let isForward = storage.relationship == relationship
        let (own, other) = isForward ? (storage.source, storage.target) : (storage.target, storage.source)
        let place = isForward ? storage.targetOrder : storage.sourceOrder
        let order: SQLFragment = place.map { "p.\(identifier: $0), r.\"_pk\"" } ?? "r.\"_pk\""
        let pairs: SQLFragment = "\(identifier: storage.table) AS p JOIN \(identifier: table) AS r"
        let owner = SQLFragment(Int64(0))
        guard storage.isSymmetric else {
            return """
                SELECT r.\(identifier: key) FROM \(pairs) ON r."_pk" = p.\(identifier: other) \
                WHERE p.\(identifier: own) = \(owner) ORDER BY \(order)
                """
        }
        // A pair is stored in one direction.
        return """
            SELECT r.\(identifier: key) FROM \(identifier: table) AS r WHERE r."_pk" IN (SELECT p.\(identifier: other) \
            FROM \(identifier: storage.table) AS p WHERE p.\(identifier: own) = \(owner) UNION SELECT \
            p.\(identifier: own) FROM \(identifier: storage.table) AS p WHERE p.\(identifier: other) = \(owner)) \
            ORDER BY r."_pk"
            """
    }
}
