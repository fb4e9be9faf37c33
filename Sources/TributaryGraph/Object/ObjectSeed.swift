/// What an object is made from; only the library has one.
public struct ObjectSeed {
    let row: Row
    let home: EntityHome?
    var key: Int64 = 0
}
