import TributaryGraph

/// An object with two attributes, each of which is unique by itself.
final class Seat: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.unique) var j: String?
    @Attribute var s: String?
}
