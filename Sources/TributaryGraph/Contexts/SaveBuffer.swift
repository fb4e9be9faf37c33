/// The saves of a context in a transaction that is not committed yet.
package struct SaveBuffer {
    /// Nil while each save is a transaction of its own.
    private var saves: SavedChanges?

    package init() {}

    /// Whether saves are buffered.
    package var isActive: Bool { saves != nil }

    /// Buffers saves from now on.
    package mutating func begin(_ stores: ObjectStores) { saves = saves ?? SavedChanges(stores) }

    /// Adds a save; false if saves are not buffered.
    package mutating func add(_ saved: SavedChanges) -> Bool {
        saves?.add(saved)
        return isActive
    }

    /// The saves since the last call, as one; nil if there are none.
    package mutating func take() -> SavedChanges? {
        guard let saved = saves, !saved.isEmpty else { return nil }
        saves = SavedChanges(saved.stores)
        return saved
    }
}
