import TributarySQLite

/// Taking rows from the store.
extension ManagedObjectContext {
    /// Loads the rows of `keys` of a table; gives back the objects that have one.
    @discardableResult
    func loadRows(_ entity: Entity, _ keys: [Int64], refreshing: Bool = false) throws -> [ManagedObject] {
        if let parent { return try loadRowsFromParent(parent, entity, keys, refreshing: refreshing) }
        let stored = keys.filter { $0 > 0 }
        guard !stored.isEmpty else { return [] }
        let query = FetchCompiler(schema: stores.store(of: entity).schema, model: model).rows(of: entity, keys: stored)
        return try read(query, entity, refreshing: refreshing)
    }

    /// Runs a query for rows of an entity, and gives back the objects in turn.
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
                        // Inside of an import, what `awakeFromFetch` reads goes through this very connection.
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

    /// The object of the row at hand.
    ///
    /// One that is loaded keeps its values: what the user sees does not change by somebody's fetch.
    @inline(__always)
    func object(_ source: some RowSource, _ reader: RowReader, refreshing: Bool) throws -> ManagedObject {
        let key = reader.key(source)
        let registry = registries[try reader.entity(source).index]
        if let known = registry.map.find(key) {
            if known.accessFlags.contains(.fault) {
                // A fault made as an entity further up keeps its class; its row is read as what it is.
                try reader.read(source, as: known.entity, into: known.row)
                known.version = reader.version(source)
                known.accessFlags = .notes
                known.awakeFromFetch()
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
        object.accessFlags = .notes
        registry.map.insert(object)
        object.awakeFromFetch()
        return object
    }

    /// Takes the values of the store, and keeps what was changed here on top.
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

    /// Makes `fresh` the values that the store has for `object`; takes over the memory.
    func acceptValues(_ fresh: Row, version: Int64, for object: ManagedObject) {
        for property in object.entity.properties {
            let slot = property.slot
            if property.relationship?.isToMany ?? false { continue }
            if property.attribute?.isTransient ?? property.relationship?.isTransient ?? false { continue }
            if let committed = object.committed, !object.row.isEqual(committed, slot) { continue }
            if object.row.isEqual(fresh, slot) { continue }
            if let relationship = property.relationship { unloadEnds([object.row, fresh], relationship) }
            object.row.assign(fresh, slot)
        }
        if let committed = object.committed {
            committed.deallocate()
            object.committed = fresh
        } else {
            fresh.deallocate()
        }
        object.version = version
    }

    /// Makes `fresh` the values of `object`, whatever was changed in it; lists that it has left or come to are read anew.
    func take(_ fresh: Row, for object: ManagedObject) {
        for property in object.entity.properties {
            let slot = property.slot
            if property.attribute?.isTransient ?? property.relationship?.isTransient ?? false { continue }
            guard let relationship = property.relationship else {
                if !object.row.isEqual(fresh, slot) { object.row.assign(fresh, slot) }
                continue
            }
            if relationship.isToMany || object.row.isEqual(fresh, slot) { continue }
            unloadEnds([object.row, fresh], relationship)
            object.row.assign(fresh, slot)
        }
        unloadStored(object)
        object.committed?.deallocate()
        object.committed = nil
    }

    /// Lets the lists of those be read anew that an object leads to, has led to, or leads to in the store.
    func unloadInverses(of object: ManagedObject, _ stored: Row?) {
        let rows = [object.row, object.committed, stored].compactMap(\.self)
        for relationship in object.entity.relationships where !relationship.isToMany { unloadEnds(rows, relationship) }
    }

    private func unloadEnds(_ rows: [Row], _ relationship: RelationshipProperty) {
        guard let inverse = relationship.inverse, inverse.isToMany else { return }
        let (registry, slot) = (registry(relationship.destination), relationship.slot)
        for row in rows {
            let end: ManagedObject? =
                switch row.kind(slot) {
                case .integer: find(registry, row.integer(slot))
                case .boxed: row.boxed(slot) as? ManagedObject
                default: nil
                }
            end?.manyObjects(inverse.slot)?.unload()
        }
    }

    func loadManyFromStore(
        _ relationship: RelationshipProperty, _ owners: [ManagedObject], _ found: inout [Int64: [ManagedObject]]
    ) throws {
        let destination = relationship.destination
        let store = stores.store(of: destination)
        let keys = owners.map(\.key).filter { $0 > 0 }
        guard !keys.isEmpty else { return }
        let query = try FetchCompiler(schema: store.schema, model: model).children(of: relationship, owners: keys)
        let reader = RowReader(query.layout, of: destination, store: store.name)
        try store.read { connection in
            try query.forEachRow(on: connection) { row in
                found[row.integer(at: 0), default: []].append(try object(copy row, reader, refreshing: false))
            }
        }
    }

    /// Whether the row of an object is there.
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
