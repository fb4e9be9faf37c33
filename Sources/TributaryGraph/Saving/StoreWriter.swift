import TributarySQLite

/// Writes the changes of a context into one store, in a transaction of the caller.
///
/// Deletions are written first, then updates, insertions and join tables, so that unique values are free before other
/// rows get them. References are checked at the commit.
struct StoreWriter {
    let context: ManagedObjectContext
    let store: SQLiteStore
    let connection: Connection
    private let batch = RowBatch(width: 0)
    /// The results for the objects, to be applied when the transaction is committed.
    var outcome = Outcome()

    /// Objects whose unique values were cleared in their rows before any row was written.
    private(set) var freed: Set<ObjectIdentifier> = []

    /// The effects of the save on objects, which are applied after the commit.
    struct Outcome {
        /// Objects whose rows were written, with their new versions.
        var written: [(object: ManagedObject, version: Int64)] = []
        /// Objects that get the values of the stored row, or the merged values.
        var accepted: [(object: ManagedObject, row: OwnedRow, version: Int64)] = []
        /// Objects whose changes or deletions are discarded, with their stored rows; nil for a row that was deleted.
        var keptStored: [(object: ManagedObject, row: OwnedRow?)] = []
        /// New objects that were merged into existing rows, with the keys assigned before and the keys of the rows.
        var merged: [(object: ManagedObject, given: Int64, key: Int64)] = []
    }

    mutating func write(deleted: [ManagedObject], updated: [ManagedObject], inserted: [ManagedObject]) throws {
        for object in deleted { try delete(object) }
        let changed = updated.filter(\.differsFromRow)
        try freeUniqueValues(changed)
        try update(changed)
        try insert(inserted)
        try redirectReferences(changed, inserted)
        if context.registries.contains(where: { !$0.manySlots.isEmpty }) {
            let keptStored = Set(outcome.keptStored.map { ObjectIdentifier($0.object) })
            for object in updated where !keptStored.contains(ObjectIdentifier(object)) { try writeLinks(object) }
            for object in inserted where !keptStored.contains(ObjectIdentifier(object)) { try writeLinks(object) }
        }
        try deriveMerged()
        let tables = try connection.tablesWithTriggers()
        if !tables.isEmpty { try acceptTriggered(updated + inserted, tables) }
    }

    /// Gives objects the values that triggers have changed in their rows, which the next save would overwrite.
    private mutating func acceptTriggered(_ objects: [ManagedObject], _ tables: Set<String>) throws {
        let kept = Set(outcome.keptStored.map { ObjectIdentifier($0.object) })
        for object in objects
        where tables.contains(object.entity.root.name) && !kept.contains(ObjectIdentifier(object)) {
            guard let (_, values, version) = try row(of: object.entity, key: object.key) else { continue }
            acceptValues(object, values, version: version)
        }
    }

    /// The error of a trigger that has ignored the change of a row that is as it was loaded.
    func ignored(_ object: ManagedObject) -> SQLiteError {
        SQLiteError(
            .constraint, "a trigger has ignored the change of a row of \(object.entity.root.name)",
            database: connection.name)
    }

    // MARK: Rows

    /// Inserts objects, each run of one entity through one statement.
    private mutating func insert(_ objects: [ManagedObject]) throws {
        var rest = objects[...]
        while let first = rest.first {
            let registry = first.registry
            var count = 0
            rest.forEachUnretained { object in
                if object.registry === registry { count += 1 }
                return object.registry === registry
            }
            try insert(run: rest.prefix(count), context.stores.codec(of: first.entity))
            rest = rest.dropFirst(count)
        }
    }

    private mutating func insert(run: ArraySlice<ManagedObject>, _ codec: EntityCodec) throws {
        try connection.withUnboundStatement(codec.insertion) { statement in
            try codec.bindConstants(to: statement)
            var rest = run
            if run.count >= InsertionThread.threshold, let thread = try? InsertionThread(codec, copy statement) {
                thread.insert(run, codec)
                let inserted = thread.finish()
                rest = run.dropFirst(inserted.count)
                if let failure = inserted.failure {
                    guard let refused = rest.popFirst() else { throw failure }
                    statement.rewind()
                    try resolveFailure(refused, failure)
                }
            }
            // After a merge, later objects may depend on the merged row, so they are inserted one by one.
            for object in rest {
                do {
                    batch.removeAll()
                    codec.flatten(object.row, key: object.key, into: batch)
                    var done = 0
                    try codec.insert(batch, through: statement, counting: &done)
                } catch {
                    statement.rewind()
                    try resolveFailure(object, error)
                }
            }
        }
    }

    /// Resolves that an object could not be written, or throws the error.
    private mutating func resolveFailure(_ object: ManagedObject, _ error: any Error) throws {
        guard let refusal = error as? SQLiteError, refusal.isUniqueViolation else { throw error }
        try resolveRefusal(object, refusal)
    }

    /// Updates changed objects, each run of one entity that changes the same columns through one statement.
    private mutating func update(_ objects: [ManagedObject]) throws {
        var rest = objects[...]
        while let first = rest.first {
            let codec = context.stores.codec(of: first.entity)
            let columns = changedColumns(first, codec)
            try connection.withUnboundStatement(codec.update(of: columns)) { statement in
                while let object = rest.first, object.registry === first.registry,
                    changedColumns(object, codec) == columns
                {
                    try update(object, codec, columns, through: statement)
                    rest = rest.dropFirst()
                }
            }
        }
    }

    private func changedColumns(_ object: ManagedObject, _ codec: EntityCodec) -> EntityCodec.Columns {
        // Unique values that were cleared are written as well, whether the object has changed them or not. An undo may have
        // inserted an object again that a reference in the store lacks since the object was deleted before its first save.
        guard let committed = object.committed, !freed.contains(ObjectIdentifier(object)), context.undoManager == nil
        else { return .all }
        return codec.changedColumns(of: object.row, since: committed)
    }

    /// Updates an object, or resolves why it cannot be updated.
    private mutating func update(
        _ object: ManagedObject, _ codec: EntityCodec, _ columns: EntityCodec.Columns,
        through statement: borrowing Statement
    ) throws {
        let isWritten: Bool
        do {
            isWritten = try write(
                columns, of: object.row, of: object, version: object.version, codec, through: statement)
            statement.rewind()
        } catch {
            statement.rewind()
            return try resolveFailure(object, error)
        }
        if isWritten {
            outcome.written.append((object, object.version + 1))
        } else {
            try resolveConflict(object)
        }
    }

    /// Overwrites the row of an object; false if the row has another version.
    func writeRow(_ row: Row, of object: ManagedObject, version: Int64) throws -> Bool {
        let codec = context.stores.codec(of: object.entity)
        return try connection.withUnboundStatement(codec.update(of: .all)) { statement in
            try write(.all, of: row, of: object, version: version, codec, through: statement)
        }
    }

    private func write(
        _ columns: EntityCodec.Columns, of row: Row, of object: ManagedObject, version: Int64, _ codec: EntityCodec,
        through statement: borrowing Statement
    ) throws -> Bool {
        batch.removeAll()
        batch.width = codec.flattenUpdate(row, columns, key: object.key, version: version, into: batch)
        try batch.bindFirst(to: statement)
        _ = try statement.step()
        return connection.changeCount == 1
    }

    private mutating func delete(_ object: ManagedObject) throws {
        guard object.key > 0 else { return }
        let table: SQLFragment = "\(identifier: object.entity.root.name)"
        try connection.execute(
            "DELETE FROM \(table) WHERE \"_pk\" = \(object.key) AND \"_version\" = \(object.version)")
        if connection.changeCount == 0 {
            // The row was deleted already.
            guard let current = try version(of: object) else { return }
            if current == object.version { throw ignored(object) }
            switch context.mergePolicy {
            case .error:
                throw SaveError(.conflict, conflicts: [try conflict(object, version: current)])
            case .storeTrump, .rollback:
                guard !object.hasCascaded else {
                    throw SaveError(
                        .conflict, conflicts: [try conflict(object, version: current)],
                        reason: "deleting it cascaded to other objects, so it cannot be kept alone; "
                            + "roll back and delete it again")
                }
                return keepStored(object, try row(of: object.entity, key: object.key)?.values)
            case .objectTrump, .overwrite:
                try connection.execute("DELETE FROM \(table) WHERE \"_pk\" = \(object.key)")
            }
        }
        for join in store.schema.joins {
            let name: SQLFragment = "\(identifier: join.name)"
            if object.entity.isKind(of: join.relationship.entity) {
                try connection.execute("DELETE FROM \(name) WHERE \(identifier: join.source) = \(object.key)")
            }
            if object.entity.isKind(of: join.relationship.destination) {
                // A reference without a maintained inverse may dangle.
                guard join.relationship.inverse != nil else { continue }
                try connection.execute("DELETE FROM \(name) WHERE \(identifier: join.target) = \(object.key)")
            }
        }
    }

    /// The current version of the row of an object; nil if it was deleted.
    func version(of object: ManagedObject) throws -> Int64? {
        try connection.integer(
            of: "SELECT \"_version\" FROM \(identifier: object.entity.root.name) WHERE \"_pk\" = \(object.key)")
    }

    /// Clears unique values in the rows that change them, so that objects can swap them.
    private mutating func freeUniqueValues(_ objects: [ManagedObject]) throws {
        // Entities of one hierarchy share their table, and may share uniqueness constraints.
        for (root, group) in Dictionary(grouping: objects, by: \.entity.root) where group.count > 1 {
            guard let table = store.schema.table(of: root) else { continue }
            var unique: [Int: Set<Property>] = [:]
            let changing = group.filter { object in
                guard let committed = object.committed else { return false }
                let entity = object.entity
                let properties = unique[entity.index] ?? Set(entity.uniquenessConstraints.flatMap(\.properties))
                unique[entity.index] = properties
                return properties.contains { !object.row.isEqual(committed, $0.slot) }
            }
            guard changing.count > 1 else { continue }
            for object in changing {
                let columns = (unique[object.entity.index] ?? []).compactMap {
                    table.column($0, of: object.entity)?.name
                }
                let sets = columns.sorted().map { name -> SQLFragment in "\(identifier: name) = NULL" }
                try connection.execute(
                    "UPDATE \(identifier: table.name) SET \(sets) WHERE \"_pk\" = \(object.key) AND \"_version\" = \(object.version)"
                )
                if connection.changeCount == 1 { freed.insert(ObjectIdentifier(object)) }
            }
        }
    }

    // MARK: Outcomes

    mutating func acceptValues(_ object: ManagedObject, _ row: OwnedRow, version: Int64) {
        outcome.accepted.append((object, row, version))
    }
    mutating func keepStored(_ object: ManagedObject, _ row: OwnedRow?) { outcome.keptStored.append((object, row)) }
    mutating func merge(_ object: ManagedObject, into key: Int64) {
        outcome.merged.append((object, object.key, key))
        // The object must not be found under its key before the save is committed.
        if let map = object.registry?.map, map.find(object.key) === object { map.remove(object) }
        object.key = key
    }
}

extension ManagedObject {
    /// Whether its deletion has deleted other objects, or removed their references to it.
    fileprivate var hasCascaded: Bool {
        entity.relationships.contains { relationship in
            let slot = relationship.slot
            guard row.kind(slot) != .null, !relationship.isTransient else { return false }
            if relationship.isToMany, manyObjects(slot)?.all.isEmpty ?? true { return false }
            switch relationship.deleteRule {
            case .cascade: return true
            case .nullify: return relationship.inverse.map { !$0.isToMany || relationship.isToMany } ?? false
            case .deny, .noAction: return false
            }
        }
    }
}
