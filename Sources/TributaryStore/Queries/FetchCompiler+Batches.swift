package import TributarySQLite

/// Translates batch requests to SQL and executes them on the writing connection, completely or not at all.
///
///     let result = try store.write { try execute(update, on: $0) }
///     // result.updated, result.deleted: for contexts to merge
extension FetchCompiler {
    /// Writes the values into the rows that do not have them yet.
    package func execute(_ update: BatchUpdate, on connection: Connection) throws -> BatchResult {
        let query = try query(update)
        let entity = try entity(named: update.entityName)
        do {
            // A new function has SQLite prepare all statements again.
            if query.sql.text.contains("_store(") { try StoredValue.define(for: entity, on: connection) }
            return try connection.transaction { BatchResult(updated: try query.keys(on: connection)) }
        } catch {
            throw StoredValue.unwrapped(error)
        }
    }

    /// Deletes the objects and applies the delete rules of the model.
    package func execute(_ delete: BatchDelete, on connection: Connection) throws -> BatchResult {
        try connection.transaction {
            var deletion = try BatchDeletion(self, derivesLater: false, on: connection)
            return try deletion.run(delete)
        }
    }

    // MARK: Updates

    /// The statement of an update, which returns the changed rows; `keys` are the primary keys of the rows, nil for all.
    ///
    /// A subquery computes the new values, so that all of them are known before the first is written. Derived attributes
    /// are set only if `isDerivation`.
    package func query(
        _ update: BatchUpdate, isDerivation: Bool = false, among keys: [Int64]? = nil
    ) throws -> RowQuery {
        let entity = try entity(named: update.entityName)
        guard !update.values.isEmpty else { throw FetchError(.value, "the update of \(entity.name) sets nothing") }
        var translator = FilterTranslator(schema, entity)
        var sets: [SQLFragment] = []
        var changes: [SQLFragment] = []
        var list: [SQLFragment] = ["\(column("_pk")) AS \"_k\""]
        for (index, key) in update.values.keys.sorted().enumerated() {
            guard let value = try update.values[key]?.substituting(update.variables) else { continue }
            let column = try settable(key, of: entity, isDerivation)
            let new: SQLFragment = "\"_n\".\(identifier: "_v\(index)")"
            sets.append("\(identifier: column.name) = \(new)")
            changes.append("\"_t\".\(identifier: column.name) IS NOT \(new)")
            let stored: SQLFragment
            if case .constant(let constant) = value, case .attribute(let attribute) = column.property {
                stored = try self.stored(constant, in: attribute)
            } else if case .term(let term) = try translator.side(value) {
                stored = try self.stored(term, in: column.property, "\(entity.name).\(key)")
            } else {
                throw FetchError(.toMany, "\(entity.name).\(key) is set to several values and holds only one")
            }
            list.append("\(stored) AS \(identifier: "_v\(index)")")
        }
        let conditions = try conditions(
            entity, update.filter, update.variables, includesSubentities: update.includesSubentities, among: keys,
            &translator)
        let layout = layout(.keys, of: entity, includesSubentities: update.includesSubentities)
        sets.append("\"_version\" = \"_t\".\"_version\" + 1")
        var sql: SQLFragment = "UPDATE \(identifier: entity.root.name) AS \"_t\" SET \(sets)"
        sql += " FROM (SELECT \(list) FROM \(table(of: entity))\(FetchCompiler.clause(conditions))) AS \"_n\""
        sql += " WHERE \"_t\".\"_pk\" = \"_n\".\"_k\" AND \(FilterTranslator.tree(changes[...], " OR ", empty: "0"))"
        sql += " RETURNING \(layout.names.map { name -> SQLFragment in "\(identifier: name)" })"
        return RowQuery(sql: sql, layout: layout)
    }

    /// The column of a property that a batch can set; throws for any other property.
    private func settable(
        _ key: String, of entity: Entity, _ isDerivation: Bool
    ) throws(FetchError) -> (name: String, property: Property) {
        let name = "\(entity.name).\(key)"
        guard let property = entity[key] else { throw FetchError(.key, "\(entity.name) has no property \(key)") }
        if let relationship = property.relationship {
            if relationship.isToMany {
                throw FetchError(.toMany, "\(name) is to-many, which a batch cannot set; set its inverse")
            }
            if let inverse = relationship.inverse, !inverse.isToMany || inverse.isOrdered {
                let reason = inverse.isToMany ? "is ordered" : "is to-one"
                throw FetchError(
                    .unsupported,
                    "a batch cannot set \(name), since \(inverse.entity.name).\(inverse.name) \(reason) and would have to change too; change the objects instead"
                )
            }
        }
        guard let column = schema.table(of: entity)?.column(property, of: entity) else {
            throw FetchError(.unsupported, "\(name) is not stored")
        }
        if isDerivation { return (column.name, property) }
        if property.attribute?.declaration.derivation != nil {
            throw FetchError(.unsupported, "\(name) is derived from other properties; set those")
        }
        for other in model.entities {
            for attribute in other.attributes where attribute.isDerived(from: key) {
                throw FetchError(
                    .unsupported,
                    "a batch cannot set \(name), since \(other.name).\(attribute.name) is derived from it; change the objects instead"
                )
            }
        }
        return (column.name, property)
    }

    private func stored(_ value: FilterValue, in attribute: AttributeProperty) throws(FetchError) -> SQLFragment {
        SQLFragment(try StoredValue.encode(value, for: attribute, AttributeBounds(attribute)))
    }

    /// The value as the column stores it.
    private func stored(_ term: FilterTerm, in property: Property, _ name: String) throws(FetchError) -> SQLFragment {
        switch property {
        case .attribute(let attribute):
            if let constant = term.constant { return try stored(constant, in: attribute) }
            return "_store(\(attribute.slot), \(term.arguments))"
        case .relationship(let relationship):
            if term.isNull {
                if !relationship.isOptional { throw StoredValue.missing(name) }
                return "NULL"
            }
            guard let entity = term.entity, entity.isKind(of: relationship.destination) else {
                throw FetchError(
                    .value, "\(name) refers to \(relationship.destination.name), and the new value is of another type")
            }
            if let constant = term.constant {
                guard constant != .integer(0) else {
                    throw FetchError(.value, "\(name) is set to an unsaved object; save the object first")
                }
                return term.sql
            }
            return relationship.isOptional ? term.sql : "_store(\(relationship.slot), \(term.arguments))"
        }
    }
}
