/// Changes on their way from a child to the context above it.
extension ManagedObjectContext {
    /// Hands all changes on to the parent, where they are as if they had been made there; gives back what it has handed on.
    func push(to parent: ParentContext) throws -> [ManagedObject] {
        // Of two objects that turn out to be one row one goes.
        syncTemporaryKeys()
        let changed = pendingChanges.objects.those(\.hasChanges)
        let pushes = changed.map(Push.init)
        defer { for push in pushes { push.image.row.deallocate() } }
        try checkReads()
        let handed = UncheckedTransfer(pushes.filter(\.saysAnything))
        try parent.sync { context in try context.receive(handed.value) }
        return changed
    }

    /// What a child hands on for one object.
    struct Push {
        /// What has changed in a relationship to many, by numbers.
        struct Many {
            let slot: Int
            let added: [Int64]
            let removed: [Int64]
            /// All of them in their order, if they have one.
            let order: [Int64]?
        }

        let image: ObjectImage
        let isDeleted: Bool
        /// Whether its row was gone before it was deleted here.
        private let isGone: Bool
        /// Which values and relationships to one have changed.
        private(set) var slots: [Int] = []
        private(set) var manys: [Many] = []

        /// Whether anything is left of what has changed.
        var saysAnything: Bool { isDeleted ? !isGone : image.isInserted || !slots.isEmpty || !manys.isEmpty }

        init(_ object: ManagedObject) {
            image = ObjectImage(object)
            isDeleted = object.state.contains(.deleted)
            isGone = object.state.contains(.gone)
            if isDeleted { return }
            let isNew = object.state.contains(.inserted)
            for property in object.entity.properties {
                let slot = property.slot
                guard let relationship = property.relationship, relationship.isToMany else {
                    if isNew || object.committed.map({ !object.row.isEqual($0, slot) }) ?? false { slots.append(slot) }
                    continue
                }
                guard let many = object.manyObjects(slot), isNew || many.hasChanges else { continue }
                // What was taken out and put back has only moved; what is gone again was never there.
                let removed = many.removed.objects.filter { !many.added.contains($0) }
                let added = many.added.objects.filter { !$0.state.contains(.detached) }
                manys.append(
                    Many(
                        slot: slot, added: added.map(\.key), removed: removed.map(\.key),
                        order: relationship.isOrdered ? object.many(slot).map(\.key) : nil))
            }
        }
    }

    /// Reads whatever the changes of a child concern, so that nothing need be read while they are taken; gives back the
    /// objects, to be held until then.
    private func readAll(_ pushes: [Push]) throws -> [ManagedObject] {
        let new = Set(pushes.filter(\.image.isInserted).map { RowKey($0.image.entity.root, $0.image.key) })
        var objects = try loadRows(of: pushes)
        var conflicts: [SaveConflict] = []
        func note(_ entity: Entity, _ key: Int64, version: Int64) {
            conflicts.append(
                SaveConflict(
                    objectID: ObjectID(stores, entity, key), oldVersion: version, newVersion: 0, loadedValues: [:],
                    storedValues: nil, uniqueProperties: []))
        }
        let discarded = allDiscardedKeys
        func isGivenUp(_ registry: EntityRegistry, _ key: Int64) -> Bool {
            !discarded.isEmpty && discarded.contains(RowKey(registry.entity.root, key))
        }
        func isNew(_ registry: EntityRegistry, _ key: Int64) -> Bool { new.contains(RowKey(registry.entity.root, key)) }
        func known(_ registry: EntityRegistry, _ key: Int64) -> ManagedObject? {
            // New ones are not here yet, even if they have got their permanent ids.
            find(registry, key) ?? (isNew(registry, key) ? nil : received(registry, key))
        }
        func isLost(_ registry: EntityRegistry, _ key: Int64) -> Bool {
            if isNew(registry, key) { return false }
            return isGivenUp(registry, key) || key < 0 && known(registry, key) == nil
        }
        for push in pushes {
            let image = push.image
            if !push.isDeleted, !image.isInserted, isGivenUp(registry(image.entity), image.key) {
                note(image.entity, image.key, version: image.version)
                continue
            }
            let object = known(registry(image.entity), image.key)
            if let object {
                objects.append(object)
                if object.accessFlags.contains(.fault) { load(object) }
            }
            if push.isDeleted { continue }
            let isGone = object.map { mergePolicy == .error && $0.state.contains(.gone) }
            // What is not there was rolled back here, or forgotten before it was saved.
            if isGone ?? !image.isInserted { note(image.entity, image.key, version: image.version) }
            for slot in push.slots {
                guard let relationship = image.entity.properties[slot].relationship else { continue }
                let registry = registry(relationship.destination)
                let end = image.row.kind(slot) == .integer ? image.row.integer(slot) : nil
                if let end, isLost(registry, end) {
                    note(relationship.destination, end, version: 0)
                    continue
                }
                if object == nil, end ?? 1 > 0, !isRead(relationship) { continue }
                let (old, new) = (object?.one(slot), end.flatMap { known(registry, $0) })
                for other in [old, new].compactMap(\.self) { readEnd(other, relationship.inverse, &objects) }
            }
            for many in push.manys {
                guard let relationship = image.entity.properties[many.slot].relationship else { continue }
                // Of a new object the other side tells, if it knows.
                if object == nil, relationship.inverse != nil { continue }
                let registry = registry(relationship.destination)
                if relationship.isOrdered || relationship.inverse?.isToMany ?? true { _ = object?.many(many.slot) }
                for key in many.added where isLost(registry, key) { note(relationship.destination, key, version: 0) }
                for key in many.removed + many.added + (many.order ?? []) where !isGivenUp(registry, key) {
                    let other = known(registry, key)
                    if let other { readEnd(other, relationship.inverse, &objects) }
                }
            }
            try checkReads()
        }
        guard conflicts.isEmpty else {
            throw SaveError(
                .conflict, conflicts: conflicts,
                reason: "the context above has given it up, or its row is gone; roll back, or let nothing lead to it")
        }
        return objects
    }

    /// Whether the row must be known of what a new object leads to: what it is, or to whom it has led back.
    private func isRead(_ relationship: RelationshipProperty) -> Bool {
        relationship.inverse.map { !$0.isToMany } ?? false || relationship.destination.isAbstract
            || !relationship.destination.subentities.isEmpty
    }

    /// Loads the rows that changes concern and that are not loaded here, many at once.
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
                    image.row.kind(slot) == .integer, !isNew || isRead(relationship)
                else { continue }
                want(relationship.destination, image.row.integer(slot))
            }
            for many in push.manys {
                guard let relationship = image.entity.properties[many.slot].relationship, relationship.inverse == nil
                else { continue }
                for key in many.added + many.removed { want(relationship.destination, key) }
            }
        }
        return try wanted.flatMap { entity, keys in
            try keys.sorted().slices(of: Self.mergeSlice).flatMap { try loadRows(entity, Array($0)) }
        }
    }

    /// The numbers of new objects that were given up here or above.
    private var allDiscardedKeys: Set<RowKey> {
        let above = parent?.sync(\.allDiscardedKeys) ?? []
        return above.isEmpty ? temporaryKeys.discarded : temporaryKeys.discarded.union(above)
    }

    private func readEnd(_ object: ManagedObject, _ inverse: RelationshipProperty?, _ held: inout [ManagedObject]) {
        held.append(object)
        if object.accessFlags.contains(.fault) { load(object) }
        if let inverse, !inverse.isToMany, let other = object.one(inverse.slot) { held.append(other) }
    }

    /// Takes the changes of a child; all of them, or none if something cannot be read.
    func receive(_ pushes: [Push]) throws {
        check()
        let held = try throwingReadFailures { try readAll(pushes) }
        defer { withExtendedLifetime(held) {} }
        var received: [(Push, ManagedObject)] = []
        for push in pushes {
            let registry = registry(push.image.entity)
            let key = push.image.isInserted ? push.image.key : currentKey(push.image.key, push.image.entity)
            if let known = find(registry, key) {
                received.append((push, known))
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
        for many in push.manys {
            let registry = registry(object.relationship(many.slot).destination)
            for key in many.removed {
                if let other = received(registry, key) { object.removeFromMany(many.slot, other) }
            }
            for key in many.added {
                if let other = received(registry, key) { object.addToMany(many.slot, other) }
            }
            if let order = many.order {
                let wanted = ObjectSet(order.compactMap { received(registry, $0) })
                let here = object.many(many.slot)
                // What the child does not know of stays behind.
                object.setMany(
                    many.slot, wanted.objects.filter(here.contains) + here.filter { !wanted.contains($0) })
            }
        }
    }

    private func received(_ registry: EntityRegistry, _ key: Int64) -> ManagedObject? {
        if let object = find(registry, key) { return object }
        let key = currentKey(key, registry.entity)
        return key > 0 ? find(registry, key) ?? fault(registry, key) : nil
    }
}
