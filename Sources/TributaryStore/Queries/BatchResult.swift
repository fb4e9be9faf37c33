/// The rows that a batch changed, ordered by entity and key; contexts merge them.
package struct BatchResult: Sendable, Hashable {
    /// The rows with new values; after a deletion, the rows that referred to deleted rows.
    package let updated: [RowKey]
    /// The deleted rows.
    package let deleted: [RowKey]

    init(updated: some Sequence<RowKey> = [], deleted: some Sequence<RowKey> = []) {
        func ordered(_ one: RowKey, _ other: RowKey) -> Bool {
            (one.entity.index, one.key) < (other.entity.index, other.key)
        }
        self.updated = updated.sorted(by: ordered)
        self.deleted = deleted.sorted(by: ordered)
    }
}
