extension ManagedObject {
    /// The context of the object; nil after it was deleted or its context was reset.
    ///
    /// A setter of an import that needs the context declares it as its third argument.
    public final var context: ManagedObjectContext? {
        let owner = owner
        if let owner { StoreSession.access(to: owner.stores)?.willUseContext() }
        return owner
    }

    /// The context, without the check that a setter of an import may use it.
    final var owner: ManagedObjectContext? { state.contains(.detached) ? nil : registry?.context }

    /// The ID of the object in any context; temporary until the object is saved.
    public final var objectID: ObjectID {
        guard let registry, let stores = registry.context?.stores else {
            fatalError("an object whose context was released has no ID")
        }
        return ObjectID(stores, registry.entity, key)
    }

    /// Whether it has no row yet.
    public final var isInserted: Bool { state.contains(.inserted) && !state.contains(.deleted) }
    /// Whether it differs from its row.
    public final var isUpdated: Bool { state.contains(.updated) && state.isDisjoint(with: [.inserted, .deleted]) }
    /// Whether the next save deletes it.
    public final var isDeleted: Bool { state.contains(.deleted) && !state.contains(.detached) }
    /// Whether its values are not loaded.
    public final var isFault: Bool { accessFlags.contains(.fault) || state.contains(.detached) }
    /// Whether it has changes to save.
    public final var hasChanges: Bool { !state.isDisjoint(with: State.anyChange) }

    /// Whether a row with its key may exist: false if the object was discarded before its first save, even if it had a
    /// permanent ID.
    @inline(__always)
    final var mayHaveRow: Bool { key > 0 && !(state.contains(.detached) && version == 0) }

    /// The object of the same row in another context.
    ///
    /// An object that has no row yet gets its permanent ID first.
    ///
    /// - Throws: `ContextError` if it has no context, or no row in the other context.
    public final func object(in other: ManagedObjectContext) throws -> Self {
        guard let context = owner else {
            throw ContextError(
                .missing, "the object no longer has a context",
                hint: "it was deleted or its context was reset; fetch it again")
        }
        if context === other { return self }
        if key < 0, other.stores === context.stores { try context.obtainPermanentIDs(for: [self]) }
        guard let object = try other.existingObject(with: objectID) as? Self else {
            throw ContextError(
                .wrongClass, "\(objectID) has another class in the other context", hint: "use the same classes")
        }
        return object
    }

    /// Whether it has a context, and has a row or will get one by a save.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    public final func exists() throws -> Bool {
        guard let context = owner, !state.contains(.deleted) else { return false }
        return try state.contains(.inserted) || context.hasRow(self)
    }

    /// Marks the object to be deleted by the next save.
    public final func delete() { context?.delete(self) }

    /// The new values of the properties that have changed since the object was fetched or saved, by name.
    public final var changedValues: [String: FilterValue] {
        guard let committed else { return state.contains(.inserted) ? values(in: row) : [:] }
        return values(in: row) { !row.isEqual(committed, $0) }
    }

    /// Whether anything that a save would write differs from the row.
    public final var hasPersistentChangedValues: Bool {
        if state.contains(.inserted) { return true }
        return differsFromRow
            || entity.relationships.contains { $0.isToMany && manyObjects($0.slot)?.hasChanges ?? false }
    }

    /// Whether the row in the store would change.
    final var differsFromRow: Bool {
        guard let committed else { return false }
        return entity.attributes.contains { !$0.isTransient && !row.isEqual(committed, $0.slot) }
            || entity.relationships.contains { !$0.isToMany && !row.isEqual(committed, $0.slot) }
    }

    /// The values as they were fetched or saved last, by name.
    public final var committedValues: [String: FilterValue] {
        if accessFlags.contains(.fault) { fire() }
        if state.contains(.inserted) { return [:] }
        return values(in: committed ?? row)
    }

    final func values(in row: Row, where isWanted: (_ slot: Int) -> Bool = { _ in true }) -> [String: FilterValue] {
        var values: [String: FilterValue] = [:]
        for property in entity.properties where isWanted(property.slot) {
            guard let value = value(of: property, in: row) else { continue }
            values[property.name] = value
        }
        return values
    }

    /// The value of an attribute, or the ID of the destination of a to-one relationship.
    final func value(of property: Property, in row: Row) -> FilterValue? {
        switch property {
        case .attribute(let attribute): return attribute.filterValue(in: row)
        case .relationship(let relationship):
            guard !relationship.isToMany else { return nil }
            guard row.kind(relationship.slot) != .null else { return .null }
            guard let stores = registry?.context?.stores else { return .null }
            if row.kind(relationship.slot) == .boxed {
                return row.object(relationship.slot).map { .object($0.objectID) }
            }
            return .object(ObjectID(stores, relationship.destination, row.integer(relationship.slot)))
        }
    }
}
