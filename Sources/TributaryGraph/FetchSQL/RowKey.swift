/// Which row: its entity and its number.
package struct RowKey: Sendable, Hashable {
    /// What the object is, not just what was asked for.
    package let entity: Entity
    /// The number in the table of the root entity.
    package let key: Int64

    /// The row of a number.
    package init(_ entity: Entity, _ key: Int64) {
        self.entity = entity
        self.key = key
    }
}
