/// What an object is made from; only the library has one.
public struct ObjectStorage {
    let row: Row
    let registry: EntityRegistry?
    var key: Int64 = 0
}
