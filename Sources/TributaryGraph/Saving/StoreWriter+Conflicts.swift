import TributarySQLite

/// Resolving conflicts with changed rows by the merge policy.
extension StoreWriter {
    /// Resolves that the row of an object was changed or deleted since the object was loaded.
    mutating func resolveConflict(_ object: ManagedObject) throws {
        guard let (_, fresh, version) = try row(of: object.entity, key: object.key) else {
            if context.mergePolicy == .error {
                throw SaveError(.conflict, conflicts: [try conflict(object, version: 0)])
            }
            // A deleted row stays deleted.
            return keepStored(object, nil)
        }
        if version == object.version { throw ignored(object) }
        let values: OwnedRow
        switch context.mergePolicy {
        case .error: throw SaveError(.conflict, conflicts: [try conflict(object, version: version)])
        case .rollback: return acceptValues(object, fresh, version: version)
        case .overwrite: values = OwnedRow(object.row.copy())
        case .objectTrump, .storeTrump: values = merged(fresh.row, object)
        }
        try writeMerged(
            values, of: object, version: version,
            "merged with the changes of another context, it would repeat a unique value of another row")
        acceptValues(object, values, version: version + 1)
    }

    /// The values of an object, merged with changed values of the store where the object has not changed them or the
    /// store wins.
    private func merged(_ fresh: Row, _ object: ManagedObject) -> OwnedRow {
        let storeWins = context.mergePolicy == .storeTrump
        let values = object.row.copy()
        if let committed = object.committed {
            for slot in object.valueSlots {
                let isChangedHere = !object.row.isEqual(committed, slot)
                let isChangedInStore = !fresh.isEqual(committed, slot)
                if isChangedInStore, !isChangedHere || storeWins { values.assign(fresh, slot) }
            }
        }
        return OwnedRow(values)
    }

    /// Computes the derived attributes of merged rows again; each side had computed them from the objects it knew.
    ///
    /// A context of its own reads the rows as this transaction has written them.
    mutating func deriveMerged() throws {
        let objects = (outcome.accepted.map(\.object) + outcome.merged.map(\.object)).filter { object in
            object.registry?.derived != nil
        }
        if objects.isEmpty { return }
        let reader = ManagedObjectContext(context.stores, context.isolation, name: context.name, mergesSaves: false)
        // Its changed objects retain it otherwise.
        defer { reader.abandon(droppingChanges: true) }
        try store.within(connection) {
            try reader.throwingReadFailures {
                for object in objects { try deriveMerged(object, reader) }
            }
        }
    }

    private mutating func deriveMerged(_ object: ManagedObject, _ reader: ManagedObjectContext) throws {
        guard let derived = object.registry?.derived else { return }
        let stored = try reader.existingObject(with: object.objectID)
        // The store has no transient attributes, from which others may be derived.
        for attribute in object.entity.attributes where attribute.isTransient {
            stored.row.assign(object.row, attribute.slot)
        }
        try reader.derive([stored])
        guard let (_, values, version) = try row(of: object.entity, key: object.key) else { return }
        let slots = derived.attributes.filter { !$0.attribute.isTransient }.map(\.attribute.slot)
        let changed = slots.filter { !values.row.isEqual(stored.row, $0) }
        guard !changed.isEmpty else { return acceptValues(object, values, version: version) }
        for slot in changed { values.row.assign(stored.row, slot) }
        try writeMerged(
            values, of: object, version: version,
            "merged with its row, it would repeat a unique derived value of another row")
        acceptValues(object, values, version: version + 1)
    }

    /// Writes merged values into the row of an object; `reason` says why they may be refused.
    private func writeMerged(
        _ values: OwnedRow, of object: ManagedObject, version: Int64, _ reason: String
    ) throws {
        do {
            guard try writeRow(values.row, of: object, version: version) else {
                throw SaveError(.conflict, conflicts: [try conflict(object, version: version)])
            }
        } catch let refusal as SQLiteError where refusal.isUniqueViolation {
            throw SaveError(.uniqueness, conflicts: [try conflict(object, version: version)], reason: reason)
        }
    }

    /// The current row of a key: its entity, its values as an object of `entity`, and its version.
    func row(of entity: Entity, key: Int64) throws -> (entity: Entity, values: OwnedRow, version: Int64)? {
        let query = FetchCompiler(schema: store.schema, model: context.model).rows(of: entity, keys: [key])
        let reader = RowReader(query.layout, of: entity, store: store.name)
        var found: (Entity, OwnedRow, Int64)?
        try query.forEachRow(on: connection) { statement in
            let kept = OwnedRow(Row.allocate(entity.properties.count))
            try reader.read(copy statement, as: entity, into: kept.row)
            found = (try reader.entity(copy statement), kept, reader.version(copy statement))
        }
        return found
    }

    /// The conflict of an object whose row has the version `version` now, or 0 if it was deleted.
    func conflict(_ object: ManagedObject, version: Int64, unique: [String] = []) throws -> SaveConflict {
        let stored = version > 0 ? try row(of: object.entity, key: object.key)?.values : nil
        return SaveConflict(
            objectID: object.objectID, oldVersion: object.version, newVersion: version,
            loadedValues: object.committedValues, storedValues: stored.map { object.values(in: $0.row) },
            uniqueProperties: unique)
    }

    // MARK: Unique values

    /// Resolves that another row has a unique value of an object.
    mutating func resolveRefusal(_ object: ManagedObject, _ error: SQLiteError) throws {
        guard let (constraint, key) = try holder(of: object) else { throw error }
        func refusal(_ reason: String = "") throws -> SaveError {
            let names = constraint.properties.map(\.name)
            return SaveError(.uniqueness, conflicts: [try conflict(object, version: 0, unique: names)], reason: reason)
        }
        let isNew = object.version == 0
        let storeWins = [.storeTrump, .rollback].contains(context.mergePolicy)
        // A saved object has a row of its own, and cannot be merged into another one.
        guard context.mergePolicy != .error, isNew || storeWins else { throw try refusal() }
        if !isNew { do { try restoreUniqueValues(object) } catch { throw try refusal() } }
        // A new object cannot be merged into a row of another entity.
        guard let (entity, values, version) = try row(of: object.entity, key: isNew ? key : object.key),
            !isNew || entity == object.entity
        else { throw try refusal() }
        if isNew { merge(object, into: key) }
        guard !storeWins else { return acceptValues(object, values, version: version) }
        do {
            guard try writeRow(object.row, of: object, version: version) else { throw try refusal() }
        } catch let error as SQLiteError where error.isUniqueViolation {
            throw try refusal("another of its unique values exists in a third row")
        }
        outcome.written.append((object, version + 1))
    }

    /// Corrects references in rows that were written before a new object was merged into an existing row.
    func redirectReferences(_ changed: [ManagedObject], _ inserted: [ManagedObject]) throws {
        guard let latest = outcome.merged.last?.object else { return }
        let given = Dictionary(outcome.merged.map { (ObjectIdentifier($0.object), $0.given) }) { first, _ in first }
        for object in changed + inserted.prefix(while: { $0 !== latest }) {
            guard let table = store.schema.table(of: object.entity) else { continue }
            for property in object.entity.properties where property.relationship.map({ !$0.isToMany }) ?? false {
                guard let destination = object.row.object(property.slot),
                    let givenKey = given[ObjectIdentifier(destination)],
                    let column = table.column(property, of: object.entity)?.name
                else { continue }
                try connection.execute(
                    """
                    UPDATE \(identifier: table.name) SET \(identifier: column) = \(destination.key)
                    WHERE "_pk" = \(object.key) AND \(identifier: column) = \(givenKey)
                    """)
            }
        }
    }

    /// Restores the unique values of a row that `freeUniqueValues` has cleared.
    private func restoreUniqueValues(_ object: ManagedObject) throws {
        guard freed.contains(ObjectIdentifier(object)), let committed = object.committed else { return }
        let table = store.schema.table(of: object.entity)
        for property in Set(object.entity.uniquenessConstraints.flatMap(\.properties)) {
            guard let column = table?.column(property, of: object.entity)?.name else { continue }
            try connection.execute(
                """
                UPDATE \(identifier: object.entity.root.name) SET \(identifier: column) = \(stored(property, committed))
                WHERE "_pk" = \(object.key)
                """)
        }
    }

    /// The value of a property as its column has it.
    private func stored(_ property: Property, _ row: Row) -> SQLValue {
        if let attribute = property.attribute { return attribute.storedValue(in: row) }
        if row.kind(property.slot) == .integer { return .integer(row.integer(property.slot)) }
        return row.object(property.slot).flatMap { $0.mayHaveRow ? .integer($0.key) : nil } ?? .null
    }

    /// The uniqueness constraint that an object violates, and the key of the row that has its values.
    private func holder(of object: ManagedObject) throws -> (UniquenessConstraint, Int64)? {
        guard let table = store.schema.table(of: object.entity) else { return nil }
        for constraint in object.entity.uniquenessConstraints {
            let columns = constraint.properties.compactMap { table.column($0, of: object.entity)?.name }
            guard columns.count == constraint.properties.count else { continue }
            let conditions = zip(columns, constraint.properties).map { name, property -> SQLFragment in
                "\(identifier: name) = \(stored(property, object.row))"
            }
            let query: SQLFragment =
                """
                SELECT "_pk" FROM \(identifier: table.name) WHERE \(conditions, separator: " AND ")
                AND "_pk" <> \(object.key)
                """
            if let key = try connection.integer(of: query + scope(of: constraint, table)) { return (constraint, key) }
        }
        return nil
    }

    /// The condition for rows of the entity of a constraint; empty if these are the whole table.
    private func scope(of constraint: UniquenessConstraint, _ table: TableLayout) -> SQLFragment {
        guard constraint.entityName != table.root.name,
            let entity = table.root.descendants.first(where: { $0.name == constraint.entityName })
        else { return "" }
        return " AND \(Schema.condition(of: entity))"
    }
}
