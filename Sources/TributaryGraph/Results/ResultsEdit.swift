/// The state that a row has after a batch of changes, as a ``ResultsList`` is to have it.
struct ResultsEdit {
    struct Row {
        let key: Int64
        /// The index of its entity in the model.
        let entity: Int
        let values: [FilterValue]
    }

    /// The key under which the list may have it.
    let key: Int64
    /// Its new state; nil if it does not belong to the results.
    let row: Row?
    /// Whether it is an update even if it keeps its place.
    var isUpdate = true
}
