/// The identity of a row: its entity and its primary key.
package struct RowKey: Sendable, Hashable {
    /// The entity of the object itself, which may be a subentity of the requested one.
    package let entity: Entity
    /// The primary key in the table of the root entity.
    package let key: Int64

    /// The row with a key.
    package init(_ entity: Entity, _ key: Int64) {
        self.entity = entity
        self.key = key
    }
}
