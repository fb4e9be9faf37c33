import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// The example of the object graph in the README; `ReadmeTests` checks that both texts are equal.
@MainActor @Suite struct ReadmeGraphTests {
    // README
    final class Author: ManagedObject {
        @Attribute(.unique) var id: Int
        @Attribute var name: String?
        @Relationship(inverse: \Book.author, onDelete: .cascade) var books: ToMany<Book>
    }
    final class Book: ManagedObject {
        @Attribute(.unique) var isbn: String
        @Attribute var title: String?
        @Attribute var published: Date?
        @Relationship var author: Author?
    }
    // README

    @Test("The graph example of the README stores and finds its objects")
    func fromAClassToARow() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("library.sqlite")
        let store = StoreLocation.sqlite(path)
        // README
        let manager = try ContextManager(model: Model(Author.self, Book.self), store: store)

        try await manager.write { context in
            let author = context.insert(Author.self)
            author.id = 1
            author.name = "Ursula K. Le Guin"
            let book = context.insert(Book.self)
            book.isbn = "9780061054884"
            book.title = "The Dispossessed"
            book.author = author  // author.books has it now
        }

        let found = try Book.fetch(
            in: manager.mainContext, where: "author.name BEGINSWITH[c] \("ur")", sort: [SortKey("title")])
        let same = try Book.fetch(in: manager.mainContext, where: \Book.author?.name == "Ursula K. Le Guin")
        // README
        #expect(found.map(\.title) == ["The Dispossessed"] && same == found)
        let rows = try manager.stores.stores[0].read { try $0.rows(of: "SELECT isbn, title, author FROM Book") }
        #expect(rows == [["9780061054884", "The Dispossessed", 1]])
        manager.close()
    }
}
