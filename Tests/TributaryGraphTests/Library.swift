import Foundation
import TributaryGraph

/// The domain model of the object tests: authors, readers, books, ordered series and friends.
class Person: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    @Attribute var isActive: Bool = true
    @Relationship(inverse: .itself) var friends: ToMany<Person>
    override class var isAbstractEntity: Bool { self == Person.self }
}

final class Author: Person {
    @Attribute(.indexed, .renamed(from: "hometown")) var city: String?
    @Relationship(inverse: \Book.author, onDelete: .cascade) var books: ToMany<Book>
    @Relationship(inverse: \Series.editor) var edits: Series?
}

final class Reader: Person {
    @Attribute(.range(0...150)) var age: Int32 = 18
}

final class Book: ManagedObject {
    @Attribute(.unique) var isbn: String
    @Attribute var published: Date?
    @Attribute var price: Decimal?
    @Attribute var weight: Double?
    @Attribute var scale: Float?
    @Attribute var pages: Int16?
    @Attribute var cover: Data?
    @Attribute var key: UUID?
    @Attribute var home: URL?
    @Relationship var author: Author?
    @Relationship(inverse: \Series.books) var series: Series?
}

final class Series: ManagedObject {
    @Attribute var title: String = "untitled"
    @Relationship var books: OrderedToMany<Book>
    @Relationship var editor: Author?
}

/// A manager of the domain model, with a store in memory by default.
@MainActor
struct Library {
    nonisolated static let classes: [ManagedObject.Type] = [Author.self, Reader.self, Book.self, Series.self]
    let model: Model
    let manager: ContextManager

    init(_ store: StoreLocation = .memory, options: StoreOptions = StoreOptions()) throws {
        model = try Model(Author.self, Reader.self, Book.self, Series.self)
        manager = try ContextManager(model: model, store: store, options: options)
    }

    var context: ManagedObjectContext { manager.mainContext }

    func make<Object: ManagedObject>(_ type: Object.Type = Object.self) -> Object { context.insert(type) }

    func author(_ id: Int, _ name: String? = nil) -> Author { context.author(id, name) }

    func book(_ isbn: String, by author: Author? = nil) -> Book { context.book(isbn, by: author) }
}

extension ContextManager {
    /// A manager of the domain model with a store in memory, for tests on any queue.
    static func library() throws -> ContextManager {
        try ContextManager(model: Model(Author.self, Reader.self, Book.self, Series.self), store: .memory)
    }
}

extension ManagedObjectContext {
    /// Inserts an author, whose `id` is required.
    @discardableResult func author(_ id: Int, _ name: String? = nil) -> Author {
        let author = insert(Author.self)
        author.id = id
        author.name = name
        return author
    }

    /// Inserts a book, whose `isbn` is required.
    @discardableResult func book(_ isbn: String, by author: Author? = nil) -> Book {
        let book = insert(Book.self)
        book.isbn = isbn
        book.author = author
        return book
    }
}
