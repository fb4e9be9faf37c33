import Foundation
import TributarySQLite

/// Writes what has changed in a context into one store, inside a transaction of the caller.
///
/// Deletions first, then updates, then insertions, then what joins objects: so values that must be unique are free
/// before they are taken again. References are checked at the commit.
struct StoreWriter {
    let context: ManagedObjectContext
    let store: SQLiteStore
    let connection: Connection
    private let batch = RowBatch(width: 0)
    /// What was done about each object, to be carried out when the transaction is kept.
    private(set) var outcome = Outcome()

    /// Objects whose unique values were taken out of their rows before any was written.
    private(set) var freed: Set<ObjectIdentifier> = []

    /// What the save means for objects, which stay as they are until it is kept.
    struct Outcome {
        /// Objects whose rows were written, with their versions now.
        var written: [(object: ManagedObject, version: Int64)] = []
        /// Objects that take the values of a row: of the store's, or of one made of both.
        var adopted: [(object: ManagedObject, row: OwnedRow, version: Int64)] = []
        /// Objects that are as the store has them: whose deletion is given up, with their rows, or whose rows are gone.
        var spared: [(object: ManagedObject, row: OwnedRow?)] = []
        /// New objects that are rows that were there already, with the numbers that they had been given.
        var merged: [(object: ManagedObject, given: Int64, key: Int64)] = []
    }

    init(_ context: ManagedObjectContext, _ store: SQLiteStore, _ connection: Connection) {
        self.context = context
        self.store = store
        self.connection = connection
    }

    mutating func write(deleted: [ManagedObject], updated: [ManagedObject], inserted: [ManagedObject]) throws {
        for object in deleted { try delete(object) }
        let changed = updated.filter(\.differsFromRow)
        try freeUniqueValues(changed)
        for object in changed { try update(object) }
        try insert(inserted)
        try redirect(changed, inserted)
        guard context.registries.contains(where: { !$0.manySlots.isEmpty }) else { return }
        let spared = Set(outcome.spared.map { ObjectIdentifier($0.object) })
        for object in updated where !spared.contains(ObjectIdentifier(object)) { try writeLinks(object) }
        for object in inserted where !spared.contains(ObjectIdentifier(object)) { try writeLinks(object) }
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
                let ending = thread.finish()
                rest = run.dropFirst(ending.count)
                if let failure = ending.failure {
                    guard let refused = rest.popFirst() else { throw failure }
                    statement.rewind()
                    try resolveFailure(refused, failure)
                }
            }
            // What an object has become may matter for those behind it: the others go one by one.
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

    /// An object could not be written.
    private mutating func resolveFailure(_ object: ManagedObject, _ error: any Error) throws {
        guard let refusal = error as? SQLiteError, refusal.code == .uniqueConstraint else { throw error }
        try resolveRefusal(object, refusal)
    }

    private mutating func update(_ object: ManagedObject) throws {
        do {
            if try put(object.row, of: object, version: object.version) {
                outcome.written.append((object, object.version + 1))
                return
            }
        } catch {
            try resolveFailure(object, error)
            return
        }
        try resolveConflict(object)
    }

    /// Writes values over the row of an object; false if that has another version.
    func put(_ row: Row, of object: ManagedObject, version: Int64) throws -> Bool {
        let codec = context.stores.codec(of: object.entity)
        return try connection.withUnboundStatement(codec.update) { statement in
            batch.removeAll()
            batch.width = codec.cellCount + 1
            codec.flattenUpdate(row, key: object.key, version: version, into: batch)
            try batch.bindFirst(to: statement)
            _ = try statement.step()
            return connection.changeCount == 1
        }
    }

    private mutating func delete(_ object: ManagedObject) throws {
        guard object.key > 0 else { return }
        let table: SQLFragment = "\(identifier: object.entity.root.name)"
        try connection.execute(
            "DELETE FROM \(table) WHERE \"_pk\" = \(object.key) AND \"_version\" = \(object.version)")
        if connection.changeCount == 0 {
            // A row that is gone already is what was wanted.
            guard let current = try version(of: object) else { return }
            switch context.mergePolicy {
            case .error:
                throw SaveError(.conflict, conflicts: [try conflict(object, version: current)])
            case .storeTrump, .rollback:
                guard !object.hasCarriedOthers else {
                    throw SaveError(
                        .conflict, conflicts: [try conflict(object, version: current)],
                        reason: "its deletion has carried others with it, which nobody else has touched; "
                            + "roll back, and delete it once more")
                }
                keepStored(object, try row(of: object.entity, key: object.key)?.values)
                return
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
                // Who leads here without being led back is left as it is: it leads nowhere.
                guard join.relationship.inverse != nil else { continue }
                try connection.execute("DELETE FROM \(name) WHERE \(identifier: join.target) = \(object.key)")
            }
        }
    }

    /// The version that the row of an object has now; nil if it is gone.
    func version(of object: ManagedObject) throws -> Int64? {
        let found = try connection.value(
            of: "SELECT \"_version\" FROM \(identifier: object.entity.root.name) WHERE \"_pk\" = \(object.key)")
        guard case .integer(let version) = found else { return nil }
        return version
    }

    /// Takes values that must be unique out of the rows that change them, so that objects can swap theirs.
    private mutating func freeUniqueValues(_ objects: [ManagedObject]) throws {
        // Entities of one hierarchy share their table, and may share what must be unique in it.
        for (root, group) in Dictionary(grouping: objects, by: \.entity.root) where group.count > 1 {
            guard let table = store.schema.table(of: root) else { continue }
            var unique: [Int: Set<Property>] = [:]
            let moving = group.filter { object in
                guard let committed = object.committed else { return false }
                let entity = object.entity
                let properties = unique[entity.index] ?? Set(entity.uniquenessConstraints.flatMap(\.properties))
                unique[entity.index] = properties
                return properties.contains { !object.row.isEqual(committed, $0.slot) }
            }
            guard moving.count > 1 else { continue }
            for object in moving {
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

    mutating func note(_ object: ManagedObject, version: Int64) { outcome.written.append((object, version)) }
    mutating func acceptValues(_ object: ManagedObject, _ row: OwnedRow, version: Int64) {
        outcome.adopted.append((object, row, version))
    }
    mutating func keepStored(_ object: ManagedObject, _ row: OwnedRow?) { outcome.spared.append((object, row)) }
    mutating func merge(_ object: ManagedObject, into key: Int64) {
        outcome.merged.append((object, object.key, key))
        // Until it is known whether the save is kept nobody finds it.
        if let map = object.registry?.map, map.find(object.key) === object { map.remove(object) }
        object.key = key
    }
}

extension ManagedObject {
    /// Whether its deletion has changed the rows of others: of those that went with it, and of those that led to it.
    fileprivate var hasCarriedOthers: Bool {
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
