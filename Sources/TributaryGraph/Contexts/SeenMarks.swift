/// The marks of a context: which objects were seen in its round, and which stored marks the next save removes.
///
/// A round begins with the first mark and ends with the save after its marks were used. A save adds the keys of the
/// marked objects to the `MarkTable`. Identifiers that are not keys stay with the context.
package struct SeenMarks {
    struct Entry {
        var keys = KeyBitmap()
        /// Objects without a row, whose keys the save knows.
        var objects: Set<ManagedObject> = []
        /// Identifiers that the program has given.
        var identifiers: Set<AnyHashable> = []

        var isEmpty: Bool { keys.isEmpty && objects.isEmpty && identifiers.isEmpty }

        var allKeys: KeyBitmap {
            var keys = keys
            for object in objects where object.key > 0 && object.state.isDisjoint(with: [.deleted, .detached]) {
                keys.insert(object.key)
            }
            return keys
        }
    }

    /// The marks by the name of the entity.
    private(set) var entries: [String: Entry] = [:]
    /// The marks of the round that saves have written, by the name of the entity.
    private var saved: [String: KeyBitmap] = [:]
    /// The entities whose earlier marks do not count, and which the next save removes from the store; nil for all.
    private var forgotten: Set<String?> = []
    /// The entities whose marks were used, which count until the next mark or save; nil for all.
    private var used: Set<String?> = []

    var needSaving: Bool {
        !removed.isEmpty || entries.values.contains { !$0.keys.isEmpty || !$0.objects.isEmpty }
    }

    /// Whether the context has marks of its own, so that those of other rounds do not count.
    var isRound: Bool { forgotten.contains(nil) || !entries.isEmpty || saved.keys.contains { !forgotten.contains($0) } }

    /// The entities whose stored marks a save removes; nil for all.
    var removed: Set<String?> { forgotten.union(used) }

    /// Changes the marks of an entity; if its earlier ones were used, a new round begins.
    mutating func update(_ entityName: String, _ body: (inout Entry) -> Void) {
        if used.contains(nil) { forget(nil) } else if used.contains(entityName) { forget(entityName) }
        body(&entries[entityName, default: Entry()])
    }

    /// Removes the marks of an entity, or of all, here and with the next save in the store.
    mutating func forget(_ entityName: String?) {
        if let entityName {
            entries[entityName] = nil
            used.remove(entityName)
        } else {
            (entries, forgotten, used) = ([:], [], [])
        }
        forgotten.insert(entityName)
    }

    /// Ends the round, for an entity or for all, with the next save or before the next mark.
    mutating func use(_ entityName: String?) { used.insert(entityName) }

    /// Whether the marks of an entity were used before a new round marked objects of the entities `newer`.
    func areUsed(_ entityName: String, before newer: Set<String>) -> Bool {
        used.contains(nil) ? !newer.isEmpty : used.contains(entityName) && newer.contains(entityName)
    }

    /// Whether earlier marks of an entity do not count.
    func ignoresStored(_ entityName: String) -> Bool { forgotten.contains(nil) || forgotten.contains(entityName) }

    /// The marks of the round that saves have written for an entity.
    func savedKeys(_ entityName: String) -> KeyBitmap? { ignoresStored(entityName) ? nil : saved[entityName] }

    /// The keys that a save writes, by the name of the entity.
    var keysToSave: [String: KeyBitmap] {
        used.contains(nil) ? [:] : entries.filter { !used.contains($0.key) }.mapValues(\.allKeys)
    }

    /// Takes the marks that a child context has saved; `newKeys` are those of the objects that are new to the store.
    mutating func receive(_ other: SeenMarks) {
        if other.forgotten.contains(nil) { forget(nil) }
        for case let name? in other.forgotten { forget(name) }
        for (name, entry) in other.entries {
            update(name) { own in
                own.keys.formUnion(entry.keys)
                own.identifiers.formUnion(entry.identifiers)
            }
        }
    }

    /// Ends the round as another one, of a child context, has ended.
    mutating func use(asIn other: SeenMarks) { used.formUnion(other.used) }

    /// Discards what was not saved.
    mutating func rollBack() {
        let kept = saved
        self = SeenMarks()
        saved = kept
    }

    /// Records that a save has written the marks; `isPushed` if a parent context has them now.
    mutating func removeSaved(isPushed: Bool = false) {
        let written = keysToSave
        if removed.contains(nil) { saved = [:] }
        for case let name? in removed { saved[name] = nil }
        if !isPushed {
            // Also if it has no keys, as its objects were deleted: it belongs to the round.
            for (name, keys) in written { saved[name, default: KeyBitmap()].formUnion(keys) }
        }
        // Identifiers stay, unless they were used.
        let kept = used.contains(nil) ? [:] : entries.filter { !used.contains($0.key) }
        entries = kept.mapValues { Entry(identifiers: $0.identifiers) }.filter { !$0.value.isEmpty }
        (forgotten, used) = ([], [])
    }
}
