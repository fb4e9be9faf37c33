import TributaryGraph

/// The attributes of `Seat` and a derived one.
final class NamedSeat: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.unique) var j: String?
    @Attribute var s: String?
    @Attribute(.derived("canonical:(s)")) var plain: String?
}
