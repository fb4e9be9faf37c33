import Tributary

/// A person who has written books.
final class Author: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Book.author) var books: ToMany<Book>
}
