/// The marks of a context: which objects were seen since its last save, and which stored marks the next save removes.
///
/// A save adds the keys of the marked objects to the `MarkTable`. Identifiers that are not keys stay with the context.
package struct SeenMarks {
    /// The marks of an entity.
    struct Entry {
        /// The keys of objects with a row.
        var keys = KeyBitmap()
        /// Objects without a row, whose keys the save knows.
        var objects: Set<ManagedObject> = []
        /// Identifiers that the program has given.
        var identifiers: Set<AnyHashable> = []

        var isEmpty: Bool { keys.isEmpty && objects.isEmpty && identifiers.isEmpty }
    }

    /// The marks by the name of the entity.
    private(set) var entries: [String: Entry] = [:]
    /// The entities whose stored marks the next save removes.
    private(set) var forgottenEntities: Set<String> = []
    /// Whether the next save removes all stored marks.
    private(set) var forgetsAll = false

    /// Whether a save has anything to write.
    var needSaving: Bool {
        forgetsAll || !forgottenEntities.isEmpty
            || entries.values.contains { !$0.keys.isEmpty || !$0.objects.isEmpty }
    }

    /// Changes the marks of an entity.
    mutating func update(_ entityName: String, _ body: (inout Entry) -> Void) {
        body(&entries[entityName, default: Entry()])
    }

    /// Removes the marks of an entity, or of all, here and with the next save in the store.
    mutating func forget(_ entityName: String?) {
        if let entityName {
            entries[entityName] = nil
            forgottenEntities.insert(entityName)
        } else {
            (entries, forgottenEntities, forgetsAll) = ([:], [], true)
        }
    }

    /// Whether the stored marks of an entity no longer count.
    func ignoresStored(_ entityName: String) -> Bool { forgetsAll || forgottenEntities.contains(entityName) }

    /// Removes what a save has written.
    mutating func removeSaved() {
        (forgottenEntities, forgetsAll) = ([], false)
        for name in Array(entries.keys) {
            update(name) { ($0.keys, $0.objects) = (KeyBitmap(), []) }
        }
        entries = entries.filter { !$0.value.isEmpty }
    }
}
