/// The columns of a row to read.
package enum RowColumns: Sendable, Hashable {
    /// The key, and the entity if the table has subentities.
    case keys
    /// The key and the version, and the entity if the table has subentities.
    case versions
    /// All stored columns.
    case all
}
