import TributaryGraph

/// What the tests of imports import where no lot decides.
final class FeedItem: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.indexed) var name: String
    @Attribute var score: Double?
}
