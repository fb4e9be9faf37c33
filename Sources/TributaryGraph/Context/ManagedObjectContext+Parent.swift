/// A context whose store is another context.
extension ManagedObjectContext {
    /// The objects that the parent finds, its own changes included.
    func fetchFromParent(
        _ parent: ParentContext, _ plain: RowRequest, _ entity: Entity, pending: Bool, refreshing: Bool
    ) throws -> [ManagedObject] {
        let answer = try parent.reading { context in
            var request = FetchRequest<ManagedObject>(entity: plain.entityName, where: plain.filter, sort: plain.sort)
            request.limit = plain.limit
            request.offset = plain.offset
            request.includesSubentities = plain.includesSubentities
            request.includesPendingChanges = pending
            request.variables = plain.variables
            request.refreshesLoadedObjects = refreshing
            return Handed((try context.fetch(request).map(ObjectImage.init), context.turn))
        }
        settleNumbers()
        let (images, turn) = answer.value
        noteNumbers(of: images, in: turn)
        return images.map { take($0, refreshing: refreshing) }
    }

    /// The objects of numbers that the parent knows.
    func loadRowsFromParent(
        _ parent: ParentContext, _ entity: Entity, _ keys: [Int64], refreshing: Bool
    ) throws -> [ManagedObject] {
        let answer = try parent.reading { context in
            let home = context.home(entity)
            let keys = keys.map { context.number($0, entity) }
            let missing = keys.filter { key in context.find(home, key)?.gate.contains(.fault) ?? true }
            let loaded = try context.loadRows(entity, missing)
            return withExtendedLifetime(loaded) {
                let images = keys.compactMap { key -> ObjectImage? in
                    guard let object = context.find(home, key), !object.state.contains(.deleted) else { return nil }
                    return ObjectImage(object)
                }
                return Handed((images, context.turn))
            }
        }
        settleNumbers()
        let (images, turn) = answer.value
        noteNumbers(of: images, in: turn)
        return images.map { take($0, refreshing: refreshing) }
    }

    func loadManyFromParent(
        _ parent: ParentContext, _ relationship: RelationshipProperty, _ owners: [ManagedObject],
        _ found: inout [Int64: [ManagedObject]]
    ) throws {
        let keys = owners.map(\.key)
        let answer = try parent.reading { context in
            let home = context.home(relationship.entity)
            let keys = keys.map { context.number($0, relationship.entity) }
            // Those that nobody holds there are in its store, or above it.
            let missing = try context.loadRows(relationship.entity, keys.filter { context.find(home, $0) == nil })
            return withExtendedLifetime(missing) {
                let lists = keys.map { key -> [ObjectImage] in
                    guard let owner = context.find(home, key) else { return [] }
                    return owner.many(relationship.slot).filter { !$0.state.contains(.deleted) }.map(ObjectImage.init)
                }
                return Handed((lists, context.turn))
            }
        }
        settleNumbers()
        let (lists, turn) = answer.value
        noteNumbers(of: lists.joined(), in: turn)
        for (key, images) in zip(owners.lazy.map(\.key), lists) { found[key] = images.map { take($0) } }
    }

    /// The object of an image: the one that is here, or a new one with its values.
    private func take(_ image: ObjectImage, refreshing: Bool = false) -> ManagedObject {
        let home = home(image.entity)
        if let known = find(home, image.key) {
            if known.gate.contains(.fault) {
                fill(known, image)
            } else if refreshing {
                adopt(image.row, version: image.version, for: known)
            } else {
                image.row.deallocate()
            }
            return known
        }
        let object = home.make(image.row, key: image.key)
        object.version = image.version
        object.gate = .notes
        if image.key > 0 {
            home.map.insert(object)
        } else {
            // The parent has not saved it: here it is known by its temporary number.
            if temporaries == nil { _ = find(home, image.key) }
            temporaries?[image.key] = object
        }
        object.awakeFromFetch()
        return object
    }

    private func fill(_ object: ManagedObject, _ image: ObjectImage) {
        for property in object.entity.properties where !(property.relationship?.isToMany ?? false) {
            object.row.assign(image.row, property.slot)
        }
        image.row.deallocate()
        object.version = image.version
        object.gate = .notes
        object.awakeFromFetch()
    }

    // MARK: Saving

    /// Hands all changes on to the parent, where they are as if they had been made there.
    func push(to parent: ParentContext) throws {
        settleNumbers()
        let pushes = pending.filter(\.hasChanges).map(Push.init)
        defer { for push in pushes { push.image.row.deallocate() } }
        try checkReads()
        let handed = Handed(pushes.filter(\.saysAnything))
        try parent.sync { context in try context.receive(handed.value) }
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
                // What was taken out and put back has only moved.
                let removed = many.removed.objects.filter { !many.added.contains($0) }
                manys.append(
                    Many(
                        slot: slot, added: many.added.objects.map(\.key), removed: removed.map(\.key),
                        order: relationship.isOrdered ? object.many(slot).map(\.key) : nil))
            }
        }
    }

    /// Reads whatever the changes of a child concern, so that nothing need be read while they are taken; gives back the
    /// objects, to be held until then.
    private func readAll(_ pushes: [Push]) throws -> [ManagedObject] {
        let new = Set(pushes.filter(\.image.isInserted).map { RowKey($0.image.entity.root, $0.image.key) })
        var objects: [ManagedObject] = []
        var conflicts: [SaveConflict] = []
        func note(_ entity: Entity, _ key: Int64, version: Int64) {
            conflicts.append(
                SaveConflict(
                    objectID: ObjectID(stores, entity, key), oldVersion: version, newVersion: 0, loadedValues: [:],
                    storedValues: nil, uniqueProperties: []))
        }
        func isNew(_ home: EntityHome, _ key: Int64) -> Bool { new.contains(RowKey(home.entity.root, key)) }
        func known(_ home: EntityHome, _ key: Int64) -> ManagedObject? {
            // New ones are not here yet, even if they have got their permanent ids.
            find(home, key) ?? (isNew(home, key) ? nil : received(home, key))
        }
        for push in pushes {
            let image = push.image
            let object = known(home(image.entity), image.key)
            if let object {
                objects.append(object)
                if object.gate.contains(.fault) { load(object) }
            }
            if push.isDeleted { continue }
            let isGone = object.map { mergePolicy == .error && $0.state.contains(.gone) }
            // What is not there was rolled back here, or forgotten before it was saved.
            if isGone ?? !image.isInserted { note(image.entity, image.key, version: image.version) }
            for slot in push.slots {
                guard let relationship = image.entity.properties[slot].relationship else { continue }
                let home = home(relationship.destination)
                let end = image.row.kind(slot) == .integer ? image.row.integer(slot) : nil
                // What a new object leads to is read when it is taken, many at once.
                if object == nil, end ?? 1 > 0 { continue }
                let (old, new) = (object?.one(slot), end.flatMap { known(home, $0) })
                if let end, new == nil, !isNew(home, end) { note(relationship.destination, end, version: 0) }
                for other in [old, new].compactMap(\.self) { readEnd(other, relationship.inverse, &objects) }
            }
            for many in push.manys where object != nil {
                guard let relationship = image.entity.properties[many.slot].relationship else { continue }
                if relationship.isOrdered || relationship.inverse?.isToMany ?? true { _ = object?.many(many.slot) }
                for key in many.removed + many.added + (many.order ?? []) {
                    let other = known(home(relationship.destination), key)
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

    private func readEnd(_ object: ManagedObject, _ inverse: RelationshipProperty?, _ held: inout [ManagedObject]) {
        held.append(object)
        if object.gate.contains(.fault) { load(object) }
        if let inverse, !inverse.isToMany, let other = object.one(inverse.slot) { held.append(other) }
    }

    /// Takes the changes of a child; all of them, or none if something cannot be read.
    func receive(_ pushes: [Push]) throws {
        check()
        let held = try throwingReadFailures { try readAll(pushes) }
        defer { withExtendedLifetime(held) {} }
        var received: [(Push, ManagedObject)] = []
        for push in pushes {
            let home = home(push.image.entity)
            let key = push.image.isInserted ? push.image.key : number(push.image.key, push.image.entity)
            if let known = find(home, key) {
                received.append((push, known))
            } else if push.image.isInserted {
                if !push.isDeleted { received.append((push, insert(home, key: push.image.key))) }
            } else if key > 0 {
                received.append((push, fault(home, key)))
            }
        }
        for (push, object) in received where !push.isDeleted { assign(push, to: object) }
        for (push, object) in received where push.isDeleted { delete(object) }
        processPendingChanges()
    }

    func assign(_ push: Push, to object: ManagedObject) {
        let row = push.image.row
        if object.gate.contains(.fault) { load(object) }
        for slot in push.slots {
            guard let relationship = object.entity.properties[slot].relationship else {
                guard !object.row.isEqual(row, slot) else { continue }
                if !object.gate.isEmpty { object.willChange() }
                object.row.assign(row, slot)
                continue
            }
            let other = row.kind(slot) == .integer ? received(home(relationship.destination), row.integer(slot)) : nil
            object.setOne(slot, other)
        }
        for many in push.manys {
            let home = home(object.relationship(many.slot).destination)
            for key in many.removed {
                if let other = received(home, key) { object.removeFromMany(many.slot, other) }
            }
            for key in many.added {
                if let other = received(home, key) { object.addToMany(many.slot, other) }
            }
            if let order = many.order {
                let wanted = ObjectSet(order.compactMap { received(home, $0) })
                let here = object.many(many.slot)
                // What the child does not know of stays behind.
                object.setMany(
                    many.slot, wanted.objects.filter(here.contains) + here.filter { !wanted.contains($0) })
            }
        }
    }

    private func received(_ home: EntityHome, _ key: Int64) -> ManagedObject? {
        if let object = find(home, key) { return object }
        let key = number(key, home.entity)
        return key > 0 ? find(home, key) ?? fault(home, key) : nil
    }
}
