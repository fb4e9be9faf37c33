import Testing
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// A uniqueness constraint with a relationship, whose value no record can provide.
@Suite struct RelationshipConstraintTests {
    private let manager: ContextManager
    private let folder: TemporaryFolder

    init() throws {
        var author = EntityDescription("Author")
        author.attributes = [AttributeDescription("name", .string)]
        var book = EntityDescription("Book")
        book.attributes = [AttributeDescription("isbn", .integer64), AttributeDescription("title", .string)]
        var written = RelationshipDescription("author", to: "Author")
        written.isOptional = true
        book.relationships = [written]
        book.uniquenessConstraints = [["isbn", "author"]]
        folder = try TemporaryFolder()
        manager = try ContextManager(
            model: Model(ModelDescription([author, book])), store: .sqlite(folder.path("books.sqlite")))
    }

    @Test("A constraint with a relationship is no default key, so the key must be named", arguments: [true, false])
    func theKeyMustBeNamed(_ hasClosure: Bool) throws {
        let feed = StreamImport(
            into: manager, from: [.text(#"[{"isbn":1,"title":"a"}]"#)],
            routes: [
                hasClosure
                    ? .objects("Book", at: "[]") { record, book in book["title"] = .string(record["title"] ?? "") }
                    : .rows("Book", at: "[]")
            ])
        #expect { try feed.perform() } throws: { error in
            (error as? ImportError)?.code == .route && "\(error)".contains("author")
        }
        let inserted = try manager.load(
            .text(#"[{"isbn":1,"title":"a"},{"isbn":1,"title":"b"}]"#), [.rows("Book", at: "[]", key: "isbn")]
        ).inserted
        #expect(inserted == 1)
    }
}
