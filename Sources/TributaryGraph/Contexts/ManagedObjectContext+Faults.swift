import TributarySQLite

/// Loading values and relationship destinations, for many objects at once.
extension ManagedObjectContext {
    /// An object whose values are loaded when one of them is read.
    func fault(_ registry: EntityRegistry, _ key: Int64) -> ManagedObject {
        if registry.hasSubentities || registry.entity.isAbstract {
            // The row says which class the object has.
            do {
                if let object = try loadRows(registry.entity, [key]).first {
                    return object
                }
            } catch {
                // If no call can throw the error, the next access to a value reads the row again.
                if readFailures.canThrow { failedToRead("\(registry.entity.name)/p\(key)", error) }
            }
            if let concrete = ([registry.entity] + registry.entity.descendants).first(where: { !$0.isAbstract }) {
                return exactFault(self.registry(concrete), key)
            }
        }
        return exactFault(registry, key)
    }

    func exactFault(_ registry: EntityRegistry, _ key: Int64) -> ManagedObject {
        let object = registry.make(registry.emptyRow(), key: key)
        object.accessFlags = .fault
        if key > 0 { registry.map.insert(object) }
        return object
    }

    /// Loads the values of an object that is about to be read, and of other faults of its entity.
    func load(_ object: ManagedObject) {
        check()
        guard object.accessFlags.contains(.fault) else { return }
        guard !object.state.contains(.detached) else {
            fatalError(
                "the object \(object.entity.name)/p\(object.key) was deleted, or its context was reset")
        }
        do {
            let wanted = object.registry?.batchSize ?? 0
            try loadFaults(around: object, batch: wanted > 0 ? wanted : faultBatchSize)
        } catch {
            return failedToRead("the values of \(object.objectID)", error)
        }
        guard object.accessFlags.contains(.fault) else { return }
        guard deletesInaccessibleFaults else {
            demand(readFailures.canThrow, "the row of \(object.objectID) was deleted")
            let missing = ContextError(
                .missing, "the row of \(object.objectID) was deleted",
                hint: "another context or process deleted it; fetch again")
            return failedToRead("\(object.objectID)", missing)
        }
        // Its values read as empty from now on, and a save does not insert it again.
        object.accessFlags = []
        object.state.insert([.deleted, .propagated, .rowDeleted])
        removalCount += 1
        enqueue(object)
    }

    /// Loads the values of `object` and of other faults of its table, up to `batch` in total.
    func loadFaults(around object: ManagedObject, batch: Int) throws {
        guard let registry = object.registry else { return }
        var faults = [object]
        if batch > 1 {
            faults += registry.map.nextObjects(limit: batch - 1) { $0.accessFlags.contains(.fault) && $0 !== object }
        }
        try loadRows(registry.entity.root, faults.map(\.key))
    }

    /// Loads the destination of a to-one relationship, and of the same relationship of other objects.
    func resolve(_ object: ManagedObject, _ slot: Int) -> ManagedObject? {
        check()
        let relationship = object.relationship(slot)
        let registry = registry(relationship.destination)
        if object.row.integer(slot) < 0 { syncTemporaryKeys() }
        let key = object.row.integer(slot)
        if let other = find(registry, key) {
            if other.state.contains(.rowDeleted) { return nil }
            object.row.set(other, slot)
            return other
        }
        guard let origin = object.registry else { return nil }
        let waiting = origin.map.nextObjects(limit: faultBatchSize) { candidate in
            candidate !== object && !candidate.accessFlags.contains(.fault)
                && candidate.entity.isKind(of: relationship.entity)
                && candidate.row.kind(slot) == .integer
        }
        var keys = [key]
        var seen: Set<Int64> = [key]
        for candidate in waiting {
            let wanted = candidate.row.integer(slot)
            if seen.insert(wanted).inserted, find(registry, wanted) == nil { keys.append(wanted) }
        }
        do {
            let loaded = try loadRows(relationship.destination, keys)
            return withExtendedLifetime(loaded) {
                for candidate in waiting {
                    if let other = find(registry, candidate.row.integer(slot)) { candidate.row.set(other, slot) }
                }
                // A reference without a maintained inverse may dangle.
                guard let other = find(registry, object.row.integer(slot)) else { return nil }
                object.row.set(other, slot)
                return other
            }
        } catch {
            failedToRead("\(object.entity.name).\(relationship.name)", error)
            return nil
        }
    }

    /// Loads the destinations of a to-many relationship, for `object` and other objects of its entity.
    func loadMany(_ object: ManagedObject, _ slot: Int) {
        check()
        let relationship = object.relationship(slot)
        guard let registry = object.registry else { return }
        let others = registry.map.nextObjects(limit: faultBatchSize - 1) { other in
            other !== object && other.entity.isKind(of: relationship.entity)
                && other.state.isDisjoint(with: [.inserted, .detached])
                && !(other.manyObjects(slot)?.isLoaded ?? false)
        }
        do {
            try loadMany(relationship, of: [object] + others)
        } catch {
            failedToRead("\(object.entity.name).\(relationship.name)", error)
        }
    }

    /// Gives each owner its destinations in the store, with the changes of this context applied.
    func loadMany(_ relationship: RelationshipProperty, of owners: [ManagedObject]) throws {
        let slot = relationship.slot
        let found =
            try parent.map { try loadManyFromParent($0, relationship, owners) }
            ?? loadManyFromStore(relationship, owners)
        for owner in owners {
            let many = owner.manyObjects(slot) ?? ManyObjects(isLoaded: false, of: relationship)
            if owner.manyObjects(slot) == nil { owner.row.set(many, slot) }
            let objects = (found[owner.key] ?? []).filter { other in
                // The store has the destinations before the changes of this context, which `many` keeps separately.
                !other.state.contains(.detached) && belongs(other, to: owner, relationship)
            }
            many.load(objects)
        }
    }

    /// Whether an object that is in a relationship in the store is in it in this context as well.
    private func belongs(_ other: ManagedObject, to owner: ManagedObject, _ relationship: RelationshipProperty) -> Bool
    {
        guard let inverse = relationship.inverse, !inverse.isToMany, other.committed != nil else {
            return !(other.state.contains([.deleted, .propagated]) && relationship.inverse != nil)
        }
        switch other.row.kind(inverse.slot) {
        case .boxed: return other.row.boxed(inverse.slot) === owner
        case .integer: return other.row.integer(inverse.slot) == owner.key
        default: return false
        }
    }
}
