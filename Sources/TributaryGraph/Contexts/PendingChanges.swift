/// The objects of a context that were inserted, changed or deleted since its last save.
package struct PendingChanges {
    /// The objects, each once, in the order of their first change.
    package var objects: [ManagedObject] = []
    /// The number of objects when pending changes were processed last, after which later ones follow.
    package var processedCount = 0
    /// Objects changed since pending changes were processed, except new ones.
    package var modified: [ManagedObject] = []
    /// Deleted objects whose deletion has not been propagated yet.
    package var deletions: [ManagedObject] = []
    /// Objects refreshed from the store, or discarded, since observers were called last.
    package var unreported = ContextChanges()

    /// The pending objects by unique keys that were looked up, each named by its entity and its slots.
    private var keyed: [[Int]: KeyedObjects] = [:]

    package init() {}

    /// Whether there were changes since pending changes were processed.
    package var needProcessing: Bool { !modified.isEmpty || !unreported.isEmpty || processedCount < objects.count }

    /// Objects inserted since pending changes were processed.
    package var newObjects: ArraySlice<ManagedObject> { objects[min(processedCount, objects.count)...] }

    /// Removes and returns all pending objects.
    @discardableResult
    package mutating func removeAll() -> [ManagedObject] {
        defer { (objects, processedCount, modified, deletions, keyed) = ([], 0, [], [], [:]) }
        return objects
    }

    /// The objects by a unique key of an entity, as of the last call of `recordKeys`.
    mutating func objects(by key: [AttributeProperty], of entity: Entity) -> KeyedObjects {
        let place = [entity.index] + key.map(\.slot)
        if let known = keyed[place] { return known }
        let new = KeyedObjects(key, of: entity, recording: objects)
        keyed[place] = new
        return new
    }

    /// Records the keys of objects that have changed since pending changes were processed.
    mutating func recordKeys() {
        if keyed.isEmpty { return }
        for object in newObjects where object.state.contains(.new) { recordKeys(of: object) }
        for object in modified { recordKeys(of: object) }
    }

    mutating func recordKeys(of object: ManagedObject) {
        for index in keyed.values.indices { keyed.values[index].record(object) }
    }

    mutating func removeDiscarded() {
        objects.removeAll { $0.state.contains(.detached) }
        forgetKeysIfEmpty()
    }

    /// Releases all objects if none is pending, since they retain their context.
    mutating func forgetKeysIfEmpty() { if objects.isEmpty { keyed = [:] } }

    /// Forgets objects whose edit was undone, which are the last ones.
    mutating func removeUndone() {
        while let last = objects.last, !last.state.contains(.pending) { objects.removeLast() }
        processedCount = min(processedCount, objects.count)
        while let last = modified.last, !last.state.contains(.modified) { modified.removeLast() }
        if !deletions.isEmpty { deletions.removeAll { !$0.state.contains(.deleted) } }
        forgetKeysIfEmpty()
    }
}
