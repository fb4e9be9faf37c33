import TributaryConcurrency

extension ManagedObjectContext {
    /// Applies all changes to the parent, as changes of the parent; returns the changed objects.
    func push(to parent: ParentContext) throws -> [ManagedObject] {
        // Merges objects of one row before their changes are collected.
        syncTemporaryKeys()
        let changed = pendingChanges.objects.matching(\.hasChanges)
        let pushes = changed.map(Push.init)
        defer { for push in pushes { push.image.row.deallocate() } }
        try checkReads()
        let transfer = UncheckedTransfer(pushes.filter(\.hasChanges))
        try parent.sync { context in try context.receive(transfer.value) }
        return changed
    }

    struct Push {
        /// The changes of a to-many relationship, as keys.
        struct ToManyChange {
            let slot: Int
            let added: [Int64]
            let removed: [Int64]
            /// The keys of all destinations in their order, for an ordered relationship.
            let order: [Int64]?
        }

        let image: ObjectImage
        let isDeleted: Bool
        /// Whether another context or process deleted its row.
        private let isRowDeleted: Bool
        /// The slots of changed attributes and to-one relationships.
        private(set) var slots: [Int] = []
        private(set) var toManyChanges: [ToManyChange] = []

        /// Whether the parent has anything to change.
        var hasChanges: Bool {
            isDeleted ? !isRowDeleted : image.isInserted || !slots.isEmpty || !toManyChanges.isEmpty
        }

        init(_ object: ManagedObject) {
            image = ObjectImage(object)
            isDeleted = object.state.contains(.deleted)
            isRowDeleted = object.state.contains(.rowDeleted)
            if isDeleted { return }
            let isNew = object.state.contains(.inserted)
            for property in object.entity.properties {
                let slot = property.slot
                guard let relationship = property.relationship, relationship.isToMany else {
                    if isNew || object.committed.map({ !object.row.isEqual($0, slot) }) ?? false { slots.append(slot) }
                    continue
                }
                guard let many = object.manyObjects(slot), isNew || many.hasChanges else { continue }
                // An object that was removed and added again has only moved; a detached one never had a row.
                let removed = many.removed.objects.filter { !many.added.contains($0) }
                let added = many.added.objects.filter { !$0.state.contains(.detached) }
                toManyChanges.append(
                    ToManyChange(
                        slot: slot, added: added.map(\.key), removed: removed.map(\.key),
                        order: relationship.isOrdered ? object.many(slot).map(\.key) : nil))
            }
        }
    }

    /// Loads all objects that the changes of a child concern, so that applying the changes reads nothing; returns the
    /// objects, which must be retained until then.
    private func loadObjects(of pushes: [Push]) throws -> [ManagedObject] {
        let new = Set(pushes.filter(\.image.isInserted).map { RowKey($0.image.entity.root, $0.image.key) })
        var objects = try loadRows(of: pushes)
        var conflicts: [SaveConflict] = []
        func addConflict(_ entity: Entity, _ key: Int64, version: Int64) {
            conflicts.append(
                SaveConflict(
                    objectID: ObjectID(stores, entity, key), oldVersion: version, newVersion: 0, loadedValues: [:],
                    storedValues: nil, uniqueProperties: []))
        }
        let discarded = allDiscardedKeys
        func isDiscarded(_ registry: EntityRegistry, _ key: Int64) -> Bool {
            !discarded.isEmpty && discarded.contains(RowKey(registry.entity.root, key))
        }
        func isNew(_ registry: EntityRegistry, _ key: Int64) -> Bool { new.contains(RowKey(registry.entity.root, key)) }
        func known(_ registry: EntityRegistry, _ key: Int64) -> ManagedObject? {
            // New objects are not in this context yet, even if they have permanent IDs.
            find(registry, key) ?? (isNew(registry, key) ? nil : received(registry, key))
        }
        func isLost(_ registry: EntityRegistry, _ key: Int64) -> Bool {
            if isNew(registry, key) { return false }
            return isDiscarded(registry, key) || key < 0 && known(registry, key) == nil
        }
        for push in pushes {
            let image = push.image
            if !push.isDeleted, !image.isInserted, isDiscarded(registry(image.entity), image.key) {
                addConflict(image.entity, image.key, version: image.version)
                continue
            }
            let object = known(registry(image.entity), image.key)
            if let object {
                objects.append(object)
                if object.accessFlags.contains(.fault) { load(object) }
            }
            if push.isDeleted { continue }
            let isMissing = object.map { mergePolicy == .error && $0.state.contains(.rowDeleted) }
            // An object that is missing was rolled back here, or discarded before it was saved.
            if isMissing ?? !image.isInserted { addConflict(image.entity, image.key, version: image.version) }
            for slot in push.slots {
                guard let relationship = image.entity.properties[slot].relationship else { continue }
                let registry = registry(relationship.destination)
                let destinationKey = image.row.kind(slot) == .integer ? image.row.integer(slot) : nil
                if let destinationKey, isLost(registry, destinationKey) {
                    addConflict(relationship.destination, destinationKey, version: 0)
                    continue
                }
                if object == nil, destinationKey ?? 1 > 0, !needsRow(relationship) { continue }
                let (old, new) = (object?.one(slot), destinationKey.flatMap { known(registry, $0) })
                for other in [old, new].compactMap(\.self) { loadDestination(other, relationship.inverse, &objects) }
            }
            for many in push.toManyChanges {
                guard let relationship = image.entity.properties[many.slot].relationship else { continue }
                // For a new object, the changes of the inverse include this one.
                if object == nil, relationship.inverse != nil { continue }
                let registry = registry(relationship.destination)
                if relationship.isOrdered || relationship.inverse?.isToMany ?? true { _ = object?.many(many.slot) }
                for key in many.added where isLost(registry, key) {
                    addConflict(relationship.destination, key, version: 0)
                }
                for key in many.removed + many.added + (many.order ?? []) where !isDiscarded(registry, key) {
                    let other = known(registry, key)
                    if let other { loadDestination(other, relationship.inverse, &objects) }
                }
            }
            try checkReads()
        }
        guard conflicts.isEmpty else {
            throw SaveError(
                .conflict, conflicts: conflicts,
                reason: "the parent context discarded this object or its row was deleted; "
                    + "roll back, or remove references to it")
        }
        return objects
    }

    /// Whether the destination of a new object must be loaded: for its entity, or for its to-one inverse.
    private func needsRow(_ relationship: RelationshipProperty) -> Bool {
        relationship.inverse.map { !$0.isToMany } ?? false || relationship.destination.isAbstract
            || !relationship.destination.subentities.isEmpty
    }

    /// Loads the rows that changes concern and that are not loaded in this context, many at once.
    private func loadRows(of pushes: [Push]) throws -> [ManagedObject] {
        var wanted: [Entity: Set<Int64>] = [:]
        func want(_ entity: Entity, _ key: Int64) {
            let key = temporaryKeys.current(key, entity)
            guard key > 0, find(registry(entity), key)?.accessFlags.contains(.fault) ?? true else { return }
            wanted[entity, default: []].insert(key)
        }
        for push in pushes {
            let (image, isNew) = (push.image, push.image.isInserted)
            if !isNew { want(image.entity, image.key) }
            for slot in push.slots {
                guard let relationship = image.entity.properties[slot].relationship,
                    image.row.kind(slot) == .integer, !isNew || needsRow(relationship)
                else { continue }
                want(relationship.destination, image.row.integer(slot))
            }
            for many in push.toManyChanges {
                guard let relationship = image.entity.properties[many.slot].relationship, relationship.inverse == nil
                else { continue }
                for key in many.added + many.removed { want(relationship.destination, key) }
            }
        }
        return try wanted.flatMap { entity, keys in
            try keys.sorted().slices(of: Self.mergeSlice).flatMap { try loadRows(entity, Array($0)) }
        }
    }

    /// The keys of new objects that were discarded in this context or an ancestor.
    private var allDiscardedKeys: Set<RowKey> {
        let above = parent?.sync(\.allDiscardedKeys) ?? []
        return above.isEmpty ? temporaryKeys.discarded : temporaryKeys.discarded.union(above)
    }

    private func loadDestination(
        _ object: ManagedObject, _ inverse: RelationshipProperty?, _ held: inout [ManagedObject]
    ) {
        held.append(object)
        if object.accessFlags.contains(.fault) { load(object) }
        if let inverse, !inverse.isToMany, let other = object.one(inverse.slot) { held.append(other) }
    }

    /// Applies the changes of a child; all of them, or none if an object cannot be read.
    func receive(_ pushes: [Push]) throws {
        check()
        // So that the save of a child is an action of its own.
        if undoLog != nil { processPendingChanges() }
        let held = try throwingReadFailures { try loadObjects(of: pushes) }
        defer { withExtendedLifetime(held) {} }
        var received: [(Push, ManagedObject)] = []
        for push in pushes {
            let registry = registry(push.image.entity)
            let key = push.image.isInserted ? push.image.key : currentKey(push.image.key, push.image.entity)
            if let known = find(registry, key) {
                received.append((push, undeleted(known, by: push)))
            } else if push.image.isInserted {
                if !push.isDeleted { received.append((push, insert(registry, key: push.image.key))) }
            } else if key > 0 {
                received.append((push, fault(registry, key)))
            }
        }
        for (push, object) in received where !push.isDeleted { assign(push, to: object) }
        for (push, object) in received where push.isDeleted { delete(object) }
        processPendingChanges()
    }

    /// Applies the changes of an object of a child to the object of this context.
    func assign(_ push: Push, to object: ManagedObject) {
        let row = push.image.row
        if object.accessFlags.contains(.fault) { load(object) }
        for slot in push.slots {
            guard let relationship = object.entity.properties[slot].relationship else {
                guard !object.row.isEqual(row, slot) else { continue }
                if !object.accessFlags.isEmpty { object.willChange() }
                object.row.assign(row, slot)
                continue
            }
            let other =
                row.kind(slot) == .integer ? received(registry(relationship.destination), row.integer(slot)) : nil
            object.setOne(slot, other)
        }
        for many in push.toManyChanges {
            let registry = registry(object.relationship(many.slot).destination)
            for key in many.removed {
                if let other = received(registry, key) { object.removeFromMany(many.slot, other) }
            }
            for key in many.added {
                if let other = received(registry, key) { object.addToMany(many.slot, other) }
            }
            if let order = many.order {
                let wanted = ObjectSet(order.compactMap { received(registry, $0) })
                let present = object.many(many.slot)
                // Destinations that the child does not know stay at the end.
                object.setMany(
                    many.slot, wanted.objects.filter(present.contains) + present.filter { !wanted.contains($0) })
            }
        }
    }

    private func received(_ registry: EntityRegistry, _ key: Int64) -> ManagedObject? {
        if let object = find(registry, key) { return object }
        let key = currentKey(key, registry.entity)
        return key > 0 ? find(registry, key) ?? fault(registry, key) : nil
    }
}
