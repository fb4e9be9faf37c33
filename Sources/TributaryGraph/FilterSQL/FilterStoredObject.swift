/// What stands for an object in a filter so that a store can find its row.
package protocol FilterStoredObject {
    /// What the object is.
    var storedEntity: Entity { get }
    /// The key of its row; nil as long as it has none: such an object equals no row.
    var storedKey: Int64? { get }
}
