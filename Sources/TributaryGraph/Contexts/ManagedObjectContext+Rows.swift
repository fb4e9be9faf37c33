import TributarySQLite

/// Making objects from rows of the store.
extension ManagedObjectContext {
    /// Loads the rows of `keys` of a table, and returns the objects of existing rows.
    @discardableResult
    func loadRows(_ entity: Entity, _ keys: [Int64], refreshing: Bool = false) throws -> [ManagedObject] {
        if let parent { return try loadRowsFromParent(parent, entity, keys, refreshing: refreshing) }
        let stored = keys.filter { $0 > 0 }
        guard !stored.isEmpty else { return [] }
        let query = FetchCompiler(schema: stores.store(of: entity).schema, model: model).rows(of: entity, keys: stored)
        return try read(query, entity, refreshing: refreshing)
    }

    /// Runs a query for rows of an entity, and returns the objects in the order of the rows.
    func read(
        _ query: RowQuery, _ entity: Entity, refreshing: Bool = false,
        with setting: (Connection, () throws -> Void) throws -> Void = { try $1() }
    ) throws -> [ManagedObject] {
        let store = stores.store(of: entity)
        let reader = RowReader(query.layout, of: entity, store: store.name)
        var objects: [ManagedObject] = []
        try store.read { connection in
            try setting(connection) {
                try connection.withStatement(query.sql) { statement in
                    while try statement.step() {
                        objects.append(try object(copy statement, reader, refreshing: refreshing))
                        // During an import, `awakeFromFetch` reads through this connection as well.
                        guard objects.count == ReadingThread.threshold, StoreSession.current(of: store) == nil,
                            let thread = try? ReadingThread(copy statement)
                        else { continue }
                        return try thread.forEachRow { line in
                            objects.append(try object(line, reader, refreshing: refreshing))
                        }
                    }
                }
            }
        }
        return objects
    }

    /// The object of the current row.
    ///
    /// A loaded object keeps its values, so that a fetch does not change values in use.
    @inline(__always)
    func object(_ source: some RowSource, _ reader: RowReader, refreshing: Bool) throws -> ManagedObject {
        let key = reader.key(source)
        let registry = registries[try reader.entity(source).index]
        if let known = registry.map.find(key) {
            if known.accessFlags.contains(.fault) {
                // A fault that was made for a superentity keeps its class.
                try reader.read(source, as: known.entity, into: known.row)
                known.version = reader.version(source)
                known.accessFlags = .reportsChange
                awake(known)
            } else if refreshing {
                try refresh(known, source, reader)
            }
            return known
        }
        let row = registry.emptyRow()
        do {
            try reader.read(source, as: registry.entity, into: row)
        } catch {
            row.deallocate()
            throw error
        }
        let object = registry.make(row, key: key)
        object.version = reader.version(source)
        object.accessFlags = .reportsChange
        registry.map.insert(object)
        awake(object)
        return object
    }

    /// Calls the hook of a loaded object, whose changes are not those of a user, and cannot be undone.
    func awake(_ object: ManagedObject) {
        guard undoLog != nil else { return object.awakeFromFetch() }
        let log = undoLog
        undoLog = nil
        object.awakeFromFetch()
        undoLog = log
        object.accessFlags.insert(.reportsChange)
    }

    /// Gives an object the values of the store, and keeps its changes.
    func refresh(_ object: ManagedObject, _ source: some RowSource, _ reader: RowReader) throws {
        let fresh = Row.allocate(object.row.count)
        do {
            try reader.read(source, as: object.entity, into: fresh)
        } catch {
            fresh.deallocate()
            throw error
        }
        acceptValues(fresh, version: reader.version(source), for: object)
    }

    /// Makes `fresh` the stored values of `object`, keeps its changes, and takes ownership of `fresh`.
    func acceptValues(_ fresh: Row, version: Int64, for object: ManagedObject) {
        assign(fresh, to: object, keepingChanges: true)
        if let committed = object.committed {
            committed.deallocate()
            object.committed = fresh
        } else {
            fresh.deallocate()
        }
        object.version = version
    }

    /// Replaces the values and changes of `object` by `fresh`, and unloads the to-many relationships that this affects.
    func replaceValues(of object: ManagedObject, with fresh: Row) {
        assign(fresh, to: object, keepingChanges: false)
        unloadStored(object)
        object.forgetCommitted()
    }

    private func assign(_ fresh: Row, to object: ManagedObject, keepingChanges: Bool) {
        for property in object.entity.properties {
            let slot = property.slot
            if property.relationship?.isToMany ?? false { continue }
            if property.attribute?.isTransient ?? property.relationship?.isTransient ?? false { continue }
            if keepingChanges, let committed = object.committed, !object.row.isEqual(committed, slot) { continue }
            if object.row.isEqual(fresh, slot) { continue }
            if let relationship = property.relationship { unloadInverses([object.row, fresh], relationship) }
            object.row.assign(fresh, slot)
        }
    }

    /// Unloads the to-many inverses of all destinations of an object: current ones, committed ones and stored ones.
    func unloadInverses(of object: ManagedObject, _ stored: Row?) {
        let rows = [object.row, object.committed, stored].compactMap(\.self)
        for relationship in object.entity.relationships where !relationship.isToMany {
            unloadInverses(rows, relationship)
        }
    }

    private func unloadInverses(_ rows: [Row], _ relationship: RelationshipProperty) {
        guard let inverse = relationship.inverse, inverse.isToMany else { return }
        let (registry, slot) = (registry(relationship.destination), relationship.slot)
        for row in rows {
            let destination = row.kind(slot) == .integer ? find(registry, row.integer(slot)) : row.object(slot)
            destination?.manyObjects(inverse.slot)?.unload()
        }
    }

    /// The destinations of a to-many relationship in the store, by the keys of their owners.
    func loadManyFromStore(
        _ relationship: RelationshipProperty, _ owners: [ManagedObject]
    ) throws -> [Int64: [ManagedObject]] {
        let destination = relationship.destination
        let store = stores.store(of: destination)
        let keys = owners.map(\.key).filter { $0 > 0 }
        guard !keys.isEmpty else { return [:] }
        let query = try FetchCompiler(schema: store.schema, model: model).children(of: relationship, owners: keys)
        let reader = RowReader(query.layout, of: destination, store: store.name)
        var found: [Int64: [ManagedObject]] = [:]
        try store.read { connection in
            try query.forEachRow(on: connection) { row in
                found[row.integer(at: 0), default: []].append(try object(copy row, reader, refreshing: false))
            }
        }
        return found
    }

    func hasRow(_ object: ManagedObject) throws -> Bool {
        if let parent {
            let id = object.objectID
            return try parent.sync { try (try? $0.existingObject(with: id))?.exists() ?? false }
        }
        guard object.key > 0 else { return false }
        let table = object.entity.root.name
        return try stores.store(of: object.entity).read { connection in
            try connection.hasRows("SELECT 1 FROM \(identifier: table) WHERE \"_pk\" = \(object.key)")
        }
    }
}
