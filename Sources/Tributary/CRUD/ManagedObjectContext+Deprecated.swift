public import TributaryGraph

/// Removing objects that were not seen.
///
///     try context.crud(Book.self, json: text)
///     try context.removeDeprecated()
///     try context.save()
///
/// This is a round, which stands alone: the marks of a context and its ancestors count, and no others. A removal uses them
/// up: with the save, or the next mark, they are gone, so that the next round begins without marks. Saved marks count in
/// a context that has none of its own, until they are used, or a later launch saves others. So work on several contexts
/// needs a removal in one that has marked nothing. The objects are deleted by `delete(reason:)`, with the reason
/// "deprecated".
extension ManagedObjectContext {
    /// Deletes the objects of a class that are not marked as seen, also if none is marked; returns their number.
    ///
    /// Objects of a subclass are deleted only if one of that subclass is marked.
    ///
    /// - Throws: `ContextError` if the model does not have the class, `StoreError` or `SQLiteError` if the store cannot be
    ///   read.
    @discardableResult
    public func removeDeprecated<Object: ManagedObject>(of type: Object.Type) throws -> Int {
        let entity = try entity(named: type.entityName)
        let entities = [(entity, try seenObjects(of: entity))] + (try markedEntities(of: entity.descendants))
        let count = try removeObjects(of: entities)
        for (entity, _) in entities { useMarks(ofEntity: entity.name) }
        return count
    }

    /// Deletes the objects that are not marked as seen, of all entities of which any is marked; returns their number.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    @discardableResult
    public func removeDeprecated() throws -> Int {
        let entities = try markedEntities(of: model.entities.filter { isOpen($0) })
        let count = try removeObjects(of: entities)
        if !entities.isEmpty { useMarks(ofEntity: nil) }
        return count
    }

    /// Deletes those of the given objects that are not marked as seen, if any object of their entity is marked; returns
    /// their number.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    @discardableResult
    public func removeDeprecated(from objects: [ManagedObject]) throws -> Int {
        let present = objects.filter { !$0.isDeleted && $0.context === self }
        let marked = try markedEntities(of: Set(present.map(\.entity)))
        let seen = Dictionary(uniqueKeysWithValues: marked.map { ($0.entity, $0.seen) })
        let count = present.reduce(0) { count, object in
            seen[object.entity].map { deleteUnless($0, object) } ?? false ? count + 1 : count
        }
        processPendingChanges()
        for (entity, _) in marked { useMarks(ofEntity: entity.name) }
        return count
    }

    /// How many objects are read before they may be released.
    private static let slice = 1000

    /// The entities with a marked object, and the objects that are marked.
    private func markedEntities(
        of entities: some Sequence<Entity>
    ) throws -> [(entity: Entity, seen: SeenObjects)] {
        try entities.compactMap { entity in
            guard case let seen = try seenObjects(of: entity), !seen.isEmpty else { return nil }
            // The marked objects may have been deleted since.
            return try seen.hasIdentifiers || ids(of: entity).contains(where: seen.contains) ? (entity, seen) : nil
        }
    }

    private func removeObjects(of entities: [(entity: Entity, seen: SeenObjects)]) throws -> Int {
        var count = 0
        for (entity, seen) in entities {
            let ids = try ids(of: entity).filter { !seen.contains($0) }
            for start in stride(from: 0, to: ids.count, by: Self.slice) {
                // Faults of one slice are loaded together, if their identifiers or children are read.
                let objects = ids[start..<min(start + Self.slice, ids.count)].map { object(with: $0) }
                for object in objects where deleteUnless(seen, object) { count += 1 }
            }
        }
        processPendingChanges()
        return count
    }

    private func ids(of entity: Entity) throws -> [ObjectID] {
        guard !entity.isAbstract else { return [] }
        var request = FetchRequest<ManagedObject>(entity: entity.name)
        request.includesSubentities = false
        return try ids(request)
    }

    /// Deletes an object if it is not marked; false if it is, or if a cascade has deleted it.
    private func deleteUnless(_ seen: SeenObjects, _ object: ManagedObject) -> Bool {
        guard !object.isDeleted, object.context != nil, !seen.contains(object.objectID),
            !(object.givenIdentifier.map(seen.contains(identifier:)) ?? false)
        else { return false }
        object.delete(reason: "deprecated")
        return true
    }
}
