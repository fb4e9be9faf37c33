import TributaryConcurrency

extension ManagedObjectContext {
    /// The objects of a request in the parent, whose own changes are included.
    func fetchFromParent(
        _ parent: ParentContext, _ plain: RowRequest, pending: Bool, refreshing: Bool
    ) throws -> [ManagedObject] {
        try objects(from: parent, refreshing: refreshing) { context in
            var request = plain.fetchRequest(pending: pending)
            request.refreshesLoadedObjects = refreshing
            return [try context.fetch(request).map(ObjectImage.init)]
        }[0]
    }

    func loadRowsFromParent(
        _ parent: ParentContext, _ entity: Entity, _ keys: [Int64], refreshing: Bool
    ) throws -> [ManagedObject] {
        try objects(from: parent, refreshing: refreshing) { context in
            let registry = context.registry(entity)
            let keys = keys.map { context.currentKey($0, entity) }
            let missing = keys.filter { key in context.find(registry, key)?.accessFlags.contains(.fault) ?? true }
            return try withExtendedLifetime(context.loadRows(entity, missing)) {
                let images = keys.compactMap { key -> ObjectImage? in
                    guard let object = context.find(registry, key), !object.state.contains(.deleted) else { return nil }
                    return ObjectImage(object)
                }
                return [images]
            }
        }[0]
    }

    func loadManyFromParent(
        _ parent: ParentContext, _ relationship: RelationshipProperty, _ owners: [ManagedObject]
    ) throws -> [Int64: [ManagedObject]] {
        let keys = owners.map(\.key)
        let lists = try objects(from: parent) { context in
            let registry = context.registry(relationship.entity)
            let keys = keys.map { context.currentKey($0, relationship.entity) }
            // Owners that are not in the parent's memory are in its store or in one of its ancestors.
            let missing = keys.filter { context.find(registry, $0) == nil }
            return try withExtendedLifetime(context.loadRows(relationship.entity, missing)) {
                keys.map { key in
                    guard let owner = context.find(registry, key) else { return [] }
                    return owner.many(relationship.slot).filter { !$0.state.contains(.deleted) }.map(ObjectImage.init)
                }
            }
        }
        return Dictionary(zip(owners.map(\.key), lists)) { _, last in last }
    }

    /// The objects of lists of images, which `body` makes on the queue of the parent.
    private func objects(
        from parent: ParentContext, refreshing: Bool = false,
        _ body: (ManagedObjectContext) throws -> [[ObjectImage]]
    ) throws -> [[ManagedObject]] {
        let answer = try parent.reading { context in
            // Read before the objects, so that keys assigned meanwhile are synced again.
            let generation = context.keyGeneration
            return UncheckedTransfer((try body(context), generation))
        }
        syncTemporaryKeys()
        let (lists, generation) = answer.value
        recordKeys(of: lists.joined(), in: generation)
        return lists.map { $0.map { object(from: $0, refreshing: refreshing) } }
    }

    /// The object of an image: the one in this context, or a new one with the image's values.
    private func object(from image: ObjectImage, refreshing: Bool = false) -> ManagedObject {
        let registry = registry(image.entity)
        if let known = find(registry, image.key) {
            if known.accessFlags.contains(.fault) {
                known.assignValues(image.row)
                image.row.deallocate()
                known.version = image.version
                known.accessFlags = .reportsChange
                awake(known)
            } else if refreshing {
                acceptValues(image.row, version: image.version, for: known)
            } else {
                image.row.deallocate()
            }
            return known
        }
        let object = registry.make(image.row, key: image.key)
        object.version = image.version
        object.accessFlags = .reportsChange
        if image.key > 0 {
            registry.map.insert(object)
        } else {
            // The parent has not saved it: its temporary key identifies it in this context.
            if temporaryKeys.objects == nil { _ = find(registry, image.key) }
            temporaryKeys.objects?[image.key] = object
        }
        awake(object)
        return object
    }
}
