/// The objects of an entity that are marked as seen, in a context, its ancestors and the store.
package struct SeenObjects {
    /// The keys of marked objects that have one.
    var keys = KeyBitmap()
    /// The temporary keys of marked objects without a row.
    var temporaryKeys: Set<Int64> = []
    var identifiers: Set<AnyHashable> = []

    /// Whether nothing was marked.
    package var isEmpty: Bool { keys.isEmpty && temporaryKeys.isEmpty && identifiers.isEmpty }

    /// Whether identifiers were marked that are not the IDs of objects.
    package var hasIdentifiers: Bool { !identifiers.isEmpty }

    /// Whether the object with an ID is marked.
    package func contains(_ id: ObjectID) -> Bool {
        id.key > 0 ? keys.contains(id.key) : temporaryKeys.contains(id.key)
    }

    /// Whether an identifier is marked.
    package func contains(identifier: AnyHashable) -> Bool { identifiers.contains(identifier) }

    mutating func add(_ entry: SeenMarks.Entry) {
        keys.formUnion(entry.keys)
        identifiers.formUnion(entry.identifiers)
        for object in entry.objects where !object.state.contains(.detached) {
            if object.key > 0 { keys.insert(object.key) } else { temporaryKeys.insert(object.key) }
        }
    }

    mutating func add(_ other: SeenObjects) {
        keys.formUnion(other.keys)
        temporaryKeys.formUnion(other.temporaryKeys)
        identifiers.formUnion(other.identifiers)
    }
}
