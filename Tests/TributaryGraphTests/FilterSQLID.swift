import TributaryGraph

/// The ID of a stored object.
struct FilterSQLID: FilterStoredObject, Hashable {
    let storedEntity: Entity
    let storedKey: Int64?
}
