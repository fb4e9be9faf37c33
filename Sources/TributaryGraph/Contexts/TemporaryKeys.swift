import Synchronization

/// The negative keys that objects have until a save gives them rows, and the permanent keys that replace them.
///
/// Children know objects of their parent by these keys, and replace them later by the permanent ones.
package final class TemporaryKeys {
    /// The objects without a row, by key; nil until one is looked up.
    @exclusivity(unchecked) var objects: [Int64: ManagedObject]?
    /// The keys of rows by the temporary keys that children knew.
    package private(set) var permanentKeys: [Int64: Int64] = [:]
    /// The keys of rows into which saved objects were merged, by the permanent keys that they had before.
    package private(set) var mergedKeys: [RowKey: Int64] = [:]
    /// The keys of new objects that were discarded, and that children may know.
    package var discarded: Set<RowKey> = []
    /// Incremented when keys are replaced, so that children know to replace theirs.
    ///
    /// Atomic, because children read it on their own queues.
    private let generation = Atomic<Int>(0)
    /// The generation of the parent when this context last synced its keys.
    var parentGeneration = 0
    /// Whether a row may refer to a key that will be replaced.
    var areReferenced = false
    /// Held by all children, and only by them, so that it is known whether there are any.
    private var children: ChildMark?

    package init() {}

    /// The current key generation, for any thread.
    package var currentGeneration: Int { generation.load(ordering: .acquiring) }

    /// Registers a child, which holds the mark as long as it lives.
    package func addChild() -> ChildMark {
        let mark = children ?? ChildMark()
        children = mark
        return mark
    }

    /// Forgets the keys that only children can ask for, if all children were released.
    package func forgetWithoutChildren() {
        guard isKnownUniquelyReferenced(&children) else { return }
        children = nil
        permanentKeys = [:]
        discarded = []
    }

    /// Forgets the keys of all objects, because the context was reset.
    package func reset() {
        objects = nil
        if children == nil { permanentKeys = [:] }
    }

    /// The current key of an object, as far as this context knows.
    package func current(_ key: Int64, _ entity: Entity) -> Int64 {
        let known = key > 0 ? key : permanentKeys[key] ?? key
        return mergedKeys.isEmpty || known < 0 ? known : mergedKeys[RowKey(entity.root, known)] ?? known
    }

    /// Records that an object has got the key of a row.
    package func replace(_ key: Int64, with permanent: Int64) {
        objects?[key] = nil
        permanentKeys[key] = permanent
        generation.add(1, ordering: .releasing)
    }

    /// Adds the merged keys of the parent; returns the ones that are new here.
    package func merge(_ keys: [RowKey: Int64]) -> [RowKey: Int64] {
        let new = keys.filter { mergedKeys[$0.key] != $0.value }
        mergedKeys.merge(new) { _, new in new }
        return new
    }

    /// Records the rows of inserted objects: for children that know them by other keys, and for IDs that were permanent
    /// before an object was merged into another row.
    package func record(_ inserted: [ManagedObject], before keys: [Int64], hasMerged: Bool) {
        guard children != nil || hasMerged else { return }
        for (object, key) in zip(inserted, keys) where object.key != key {
            if key > 0 {
                mergedKeys[RowKey(object.entity.root, key)] = object.key
            } else if children != nil {
                permanentKeys[key] = object.key
            }
        }
        generation.add(1, ordering: .releasing)
    }

    /// Records that a new object was discarded whose key children may know.
    package func discard(_ object: ManagedObject) {
        guard children != nil else { return }
        discarded.insert(RowKey(object.entity.root, object.key))
    }
}
