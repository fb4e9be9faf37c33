/// What carrying rows into a table does with keys that are there already, or are not.
package enum BulkMode: Sendable {
    /// Changes the row, or makes one.
    case upsert
    /// Makes rows only; others are duplicates.
    case insert
    /// Changes rows only.
    case update
    /// Makes rows only; others are passed over.
    case ignore
    /// Changes rows, columns that are not spoken of to their defaultValue, or makes them.
    case replace
}
