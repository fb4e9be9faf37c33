/// What an object is made from; only the library has one.
public struct ObjectSeed {
    let row: Row
    let entity: Entity?
}
