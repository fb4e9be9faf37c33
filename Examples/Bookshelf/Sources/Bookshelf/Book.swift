import Tributary

/// A book on the shelf.
final class Book: ManagedObject {
    @Attribute(.unique) var isbn: String
    // The first edition of this program called it `name`.
    @Attribute(.renamed(from: "name")) var title: String?
    @Attribute var year: Int?
    @Attribute var isRead: Bool = false
    @Relationship var author: Author?
}
