/// A reference to an object in a filter, from which a store can find its row.
package protocol FilterStoredObject {
    /// The entity of the object.
    var storedEntity: Entity { get }
    /// The primary key of its row; nil for an unsaved object, which equals no row.
    var storedKey: Int64? { get }
}
