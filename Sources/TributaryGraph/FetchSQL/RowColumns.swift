/// How much of a row is read.
package enum RowColumns: Sendable, Hashable {
    /// The number, and the entity where rows say it.
    case keys
    /// The number and the version, and the entity where rows say it.
    case versions
    /// All that the store keeps of the objects.
    case all
}
