import TributarySQLite

/// What the merge policy makes of rows that somebody else has changed.
extension StoreWriter {
    /// The row of an object has another version than it was loaded with, or is gone.
    mutating func settleConflict(_ object: ManagedObject) throws {
        guard let (fresh, version) = try row(of: object.entity, key: object.key) else {
            switch context.mergePolicy {
            case .error: throw SaveError(.conflict, conflicts: [try conflict(object, version: 0)])
            // What was deleted stays deleted.
            case .storeTrump, .rollback, .objectTrump, .overwrite:
                spare(object)
                return
            }
        }
        switch context.mergePolicy {
        case .error:
            fresh.deallocate()
            throw SaveError(.conflict, conflicts: [try conflict(object, version: version)])
        case .rollback:
            object.committed?.deallocate()
            object.committed = object.row.copy()
            adopt(object, fresh, version: version)
            return
        case .overwrite:
            fresh.deallocate()
        case .objectTrump, .storeTrump:
            merge(fresh, into: object, storeWins: context.mergePolicy == .storeTrump)
            fresh.deallocate()
        }
        guard try put(object, version: version) else {
            throw SaveError(.conflict, conflicts: [try conflict(object, version: version)])
        }
        note(object, version: version + 1)
    }

    /// Takes values of the store where the object has not changed them, or, if the store wins, where the store has.
    private func merge(_ fresh: Row, into object: ManagedObject, storeWins: Bool) {
        guard let committed = object.committed else { return }
        for property in object.entity.properties where !(property.relationship?.isToMany ?? false) {
            let slot = property.slot
            let isMine = !object.row.isEqual(committed, slot)
            let isTheirs = !fresh.isEqual(committed, slot)
            if isTheirs, !isMine || storeWins { object.row.assign(fresh, slot) }
        }
    }

    /// The row of a number as the store has it now, and its version.
    private func row(of entity: Entity, key: Int64) throws -> (Row, Int64)? {
        let query = FetchCompiler(schema: store.schema, model: context.model).rows(of: entity, keys: [key])
        let reader = RowReader(query.layout, of: entity, store: store.name)
        var found: (Row, Int64)?
        try query.forEachRow(on: connection) { statement in
            let row = Row.allocate(entity.properties.count)
            try reader.read(copy statement, as: try reader.entity(copy statement), into: row)
            found = (row, reader.version(copy statement))
        }
        return found
    }

    /// What is to be said about an object whose row has the version `version` now, or 0 if it is gone.
    func conflict(_ object: ManagedObject, version: Int64, unique: [String] = []) throws -> SaveConflict {
        var stored: [String: FilterValue]?
        if version > 0, let (row, _) = try row(of: object.entity, key: object.key) {
            stored = [:]
            for property in object.entity.properties {
                if let value = object.value(of: property, in: row) { stored?[property.name] = value }
            }
            row.deallocate()
        }
        return SaveConflict(
            objectID: object.objectID, oldVersion: object.version, newVersion: version,
            loadedValues: object.committedValues,
            storedValues: stored, uniqueProperties: unique)
    }

    // MARK: Unique values

    /// A value of an object that must be unique is taken.
    mutating func settle(_ object: ManagedObject, taken error: SQLiteError) throws {
        guard let (constraint, key) = try holder(of: object) else { throw error }
        let names = constraint.properties.map(\.name)
        let isNew = object.version == 0
        switch context.mergePolicy {
        case .error:
            throw SaveError(.uniqueness, conflicts: [try conflict(object, version: 0, unique: names)])
        case .objectTrump, .overwrite:
            // An object that was saved before cannot become another one.
            guard isNew, let (row, version) = try row(of: object.entity, key: key) else {
                throw SaveError(.uniqueness, conflicts: [try conflict(object, version: 0, unique: names)])
            }
            row.deallocate()
            merge(object, into: key)
            object.key = key
            guard try put(object, version: version) else {
                throw SaveError(.uniqueness, conflicts: [try conflict(object, version: 0, unique: names)])
            }
            note(object, version: version + 1)
        case .storeTrump, .rollback:
            if isNew {
                guard let (row, version) = try row(of: object.entity, key: key) else { throw error }
                merge(object, into: key)
                object.key = key
                object.committed?.deallocate()
                object.committed = object.row.copy()
                adopt(object, row, version: version)
            } else {
                guard let (row, version) = try row(of: object.entity, key: object.key) else { throw error }
                object.committed?.deallocate()
                object.committed = object.row.copy()
                adopt(object, row, version: version)
            }
        }
    }

    /// Which constraint an object breaks, and the row that has its values.
    private func holder(of object: ManagedObject) throws -> (UniquenessConstraint, Int64)? {
        guard let table = store.schema.table(of: object.entity) else { return nil }
        for constraint in object.entity.uniquenessConstraints {
            let columns = constraint.properties.compactMap { table.column($0, of: object.entity)?.name }
            guard columns.count == constraint.properties.count else { continue }
            let conditions = columns.map { name -> SQLFragment in "\(identifier: name) = ?" }
            let sql: SQLFragment =
                "SELECT \"_pk\" FROM \(identifier: table.name) WHERE \(conditions, separator: " AND ") AND \"_pk\" <> ?"
            let statement = try connection.prepare(sql.text)
            let values = RowBlock()
            for property in constraint.properties {
                EntityCodec.flatten(
                    property.slot, of: object.row, isReference: property.relationship != nil, into: values)
            }
            values.append(object.key)
            let key: Int64? = try withExtendedLifetime(values) {
                try values.bind(0, values.count, to: statement)
                return try statement.step() ? statement.integer(at: 0) : nil
            }
            if let key { return (constraint, key) }
        }
        return nil
    }
}
