import TributaryGraph

/// The id of an object of a store.
struct FilterSQLID: FilterStoredObject, Hashable {
    let storedEntity: Entity
    let storedKey: Int64?
}
