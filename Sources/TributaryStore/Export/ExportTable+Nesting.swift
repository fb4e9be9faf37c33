import TributaryModel
import TributarySQLite

/// Objects inside of others.
extension ExportTable {
    /// The member with the objects of a relationship of an entity.
    static func nested(
        _ relationship: RelationshipProperty, _ name: String, _ owner: Entity, _ ownerLayout: TableLayout,
        _ context: Context
    ) throws -> Part? {
        guard let entity = relationship.destination.concreteEntities.first,
            let layout = context.schema.table(of: entity)
        else { return nil }
        let table = try ExportTable(entity, layout, context, leavingOutNested: false)
        let values = table.values + ["t.\"_pk\""]
        let query: SQLFragment
        if let column = ownerLayout.column(.relationship(relationship), of: owner) {
            query = """
                SELECT \(values) FROM \(identifier: layout.name) AS t WHERE t."_pk" = (SELECT p.\(identifier: column.name) \
                FROM \(identifier: ownerLayout.name) AS p WHERE p."_pk" = \(Int64(0)))
                """
        } else if let storage = PairStorage(relationship, in: context.schema) {
            query = ExportTable.query(of: relationship, storage, layout.name, values)
        } else {
            return nil
        }
        return Part(
            name: name, isToMany: relationship.isToMany, meaning: .plain, table: table, query: query,
            width: values.count)
    }

    /// The conditions that an object `t` is in no other one.
    static func hasNoOwner(_ entity: Entity, _ context: Context) -> [SQLFragment] {
        context.nesting.relationships.compactMap { relationship in
            guard relationship.destination.concreteEntities.contains(entity) else { return nil }
            let owner = relationship.entity
            if let layout = context.schema.table(of: owner),
                let column = layout.column(.relationship(relationship), of: owner)
            {
                return """
                    NOT EXISTS (SELECT 1 FROM \(identifier: layout.name) AS p WHERE p.\(identifier: column.name) = t."_pk")
                    """
            }
            guard let storage = PairStorage(relationship, in: context.schema) else { return nil }
            let isForward = storage.relationship == relationship
            let (own, other) = isForward ? (storage.source, storage.target) : (storage.target, storage.source)
            return """
                NOT EXISTS (SELECT 1 FROM \(identifier: storage.table) AS p WHERE p.\(identifier: other) = t."_pk" \
                AND p.\(identifier: own) IS NOT NULL)
                """
        }
    }
}
