/// The parts from which the library makes an object.
public struct ObjectStorage {
    let row: Row
    let registry: EntityRegistry?
    var key: Int64 = 0
}
