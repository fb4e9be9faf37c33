import TributaryGraph

/// The same as `Seat`, with something that is computed: so its rows go the way of objects.
final class NamedSeat: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.unique) var j: String?
    @Attribute var s: String?
    @Attribute(.derived("canonical:(s)")) var plain: String?
}
