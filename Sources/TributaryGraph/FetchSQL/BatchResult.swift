/// What a batch has changed, for contexts to take over; by entity and number.
package struct BatchResult: Sendable, Hashable {
    /// The rows that have other values now: of a deletion, those that pointed at what is gone.
    package let updated: [RowKey]
    /// The rows that are gone.
    package let deleted: [RowKey]

    init(updated: some Sequence<RowKey> = [], deleted: some Sequence<RowKey> = []) {
        func ordered(_ one: RowKey, _ other: RowKey) -> Bool {
            (one.entity.index, one.key) < (other.entity.index, other.key)
        }
        self.updated = updated.sorted(by: ordered)
        self.deleted = deleted.sorted(by: ordered)
    }
}
