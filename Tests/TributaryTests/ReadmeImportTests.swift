import Foundation
import Testing
import Tributary
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

/// The import example of the README; `ReadmeTests` checks that both texts are the same.
@MainActor @Suite struct ReadmeImportTests {
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

    @Test("The README's import fills the tables of authors and books")
    func authorsThenBooks() throws {
        let folder = try TemporaryFolder()
        let text = """
            {"authors": [{"author_id": 1, "name": "Ursula K. Le Guin"}, {"author_id": "2", "name": null}],
             "books": [{"isbn": "9780061054884", "title": "The Dispossessed", "published": "1974-05-01T00:00:00Z"}]}
            """
        let dump = try folder.write(Array(text.utf8), to: "dump.json")
        let manager = try ContextManager(
            model: Model(Author.self, Book.self), store: .sqlite(folder.path("library.sqlite")))
        let queue = OperationQueue()
        // README
        let authors = ImportOperation<Author>(
            into: manager, from: .file(dump), at: ".authors[]", key: \.id, remoteKey: "author_id"
        ) { record, author in
            author.name = record["name"]
        }
        let books = ImportOperation<Book>(into: manager, from: .file(dump), at: ".books[]", key: \.isbn) {
            record, book in
            book.title = record["title"]
            book.published = try record.date("published", format: .iso8601)
        }
        books.addDependency(authors)
        queue.addOperations([authors, books], waitUntilFinished: false)
        // README
        queue.waitUntilAllOperationsAreFinished()
        #expect(authors.error == nil && books.error == nil)
        #expect(authors.summary.inserted == 2 && books.summary.inserted == 1)
        let rows = try manager.stores.stores[0].read {
            try $0.rows(of: "SELECT id, name FROM Author UNION ALL SELECT isbn, published FROM Book")
        }
        #expect(rows == [[1, "Ursula K. Le Guin"], [2, .null], ["9780061054884", 136_598_400.0]])
        manager.close()
    }
    @Test("An import in memory makes a book and its author")
    func inMemory() throws {
        let manager = try ContextManager(model: Model(Author.self, Book.self), store: .memory)
        let context = manager.mainContext
        let books: [Book] = try context.import(
            json: #"[{"isbn": "9780061054884", "author": {"id": 1, "name": "Ursula K. Le Guin"}}]"#)
        #expect(books.count == 1 && books[0].author?.name == "Ursula K. Le Guin")
        #expect(books[0].author?.books.count == 1)
        manager.close()
    }
}
