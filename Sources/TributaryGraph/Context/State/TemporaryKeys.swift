import Synchronization

/// The negative keys that objects have until a save gives them rows, and the permanent keys that replace them.
///
/// Children know objects of their parent by these keys, and learn later which rows they have become.
final class TemporaryKeys {
    /// The objects without a row, by key; nil until one is looked up.
    @exclusivity(unchecked) var objects: [Int64: ManagedObject]?
    /// The keys of rows by the temporary keys that children knew.
    private(set) var permanentKeys: [Int64: Int64] = [:]
    /// The keys of rows into which saved objects were merged, by the permanent keys that they had before.
    private(set) var mergedKeys: [RowKey: Int64] = [:]
    /// The keys of new objects that were discarded, and that children may know.
    var discarded: Set<RowKey> = []
    /// How often keys were replaced; children read it on their own queues.
    private let generation = Atomic<Int>(0)
    /// The generation of the parent when its keys were taken over.
    var parentGeneration = 0
    /// Whether a row may refer to a key that will be replaced.
    var areReferenced = false
    /// Held by all children, and only by them, so that it is known whether there are any.
    private var children: ChildMark?

    /// How often keys were replaced; on any thread.
    var currentGeneration: Int { generation.load(ordering: .acquiring) }

    /// Whether a child may know keys.
    var hasChildren: Bool { children != nil }

    /// Registers a child, which holds the mark as long as it lives.
    func addChild() -> ChildMark {
        let mark = children ?? ChildMark()
        children = mark
        return mark
    }

    /// Forgets what only children could ask for, if there are none any more.
    func forgetWithoutChildren() {
        guard isKnownUniquelyReferenced(&children) else { return }
        children = nil
        permanentKeys = [:]
        discarded = []
    }

    /// Forgets the keys of all objects: the context was reset.
    func reset() {
        objects = nil
        if children == nil { permanentKeys = [:] }
    }

    /// The key that an object has now, as far as this context knows.
    func current(_ key: Int64, _ entity: Entity) -> Int64 {
        let known = key > 0 ? key : permanentKeys[key] ?? key
        return mergedKeys.isEmpty || known < 0 ? known : mergedKeys[RowKey(entity.root, known)] ?? known
    }

    /// An object gets the key of a row.
    func replace(_ key: Int64, with permanent: Int64) {
        objects?[key] = nil
        permanentKeys[key] = permanent
        generation.add(1, ordering: .releasing)
    }

    /// Takes over keys that the parent has merged; returns those that are new here.
    func merge(_ keys: [RowKey: Int64]) -> [RowKey: Int64] {
        let new = keys.filter { mergedKeys[$0.key] != $0.value }
        mergedKeys.merge(new) { _, new in new }
        return new
    }

    /// Remembers which rows new objects have become: for children that know them by other keys, and for ids that were
    /// permanent before an object was merged into another row.
    func record(_ inserted: [ManagedObject], before keys: [Int64], hasMerged: Bool) {
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

    /// A new object was discarded whose key children may know.
    func discard(_ object: ManagedObject) {
        guard children != nil else { return }
        discarded.insert(RowKey(object.entity.root, object.key))
    }
}
