import TributaryGraph

/// The entity of import tests that use no random model.
final class FeedItem: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.indexed) var name: String
    @Attribute var score: Double?
}
