import TributaryGraph

/// Something with two attributes that must be unique, each by itself.
final class Seat: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.unique) var j: String?
    @Attribute var s: String?
}
