import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A person to whom notes refer without a reference that the store would check.
private final class LooseWriter: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    @Relationship(inverse: \LooseNote.owner, onDelete: .noAction) var owned: ToMany<LooseNote>
}

private final class LooseNote: ManagedObject {
    @Attribute var text: String
    @Relationship(onDelete: .noAction) var writer: LooseWriter?
    @Relationship var owner: LooseWriter?
}

/// What leads to a new object leads to its row, also if that was there before.
@Suite struct MergedReferencesTests {
    private let manager: ContextManager
    /// Author 1 as the store has her.
    private let stored: ObjectID

    /// Author 1, and book a without an author.
    init() throws {
        manager = try ContextManager.library()
        stored = try manager.writeAndWait { context in
            let author = context.author(1, "old")
            context.book("a")
            try context.save()
            return author.objectID
        }
    }

    /// Gives a saved book, a new one, or both a new author 1, saves, and looks where they lead.
    private func collide(_ policy: MergePolicy, _ isLoaded: Bool, changes: Bool, makes: Bool) throws {
        let name = policy == .objectTrump ? "new" : "old"
        let isbns = (changes ? ["a"] : []) + (makes ? ["b"] : [])
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let earlier = try isLoaded ? Author.first(in: context) : nil
            var books: [Book] = []
            if changes { books.append(try #require(try Book.find(["isbn": "a"], in: context))) }
            if makes {
                // It is made before its author, and so its row is written first.
                let book = context.book("b")
                books.append(book)
            }
            let author = context.author(1, "new")
            for book in books { book.author = author }
            try context.save()
            #expect(author.objectID == stored && author.name == name && !context.hasChanges)
            #expect(books.allSatisfy { $0.author === author } && Set(author.books) == Set(books))
            #expect(try Author.all(in: context) == [author])
            if let earlier { #expect(earlier.context == nil) }
            try look(isbns, name)
            // The context knows the rows as they are now.
            context.mergePolicy = .error
            for book in books { book.pages = 3 }
            author.city = "later"
            try context.save()
        }
        try look(isbns, name)
    }

    /// Looks whether author 1 and her books are in the store.
    private func look(_ isbns: [String], _ name: String) throws {
        try manager.newPrivateContext().performAndWait { context in
            let authors = try Author.all(in: context)
            #expect(authors.map(\.objectID) == [stored] && authors.first?.name == name)
            let books = try Book.fetch(in: context, where: "author.id == 1", sort: [SortKey("isbn")])
            #expect(books.map(\.isbn) == isbns && books.allSatisfy { $0.author === authors.first })
            #expect(authors.first.map { Set($0.books) } == Set(books))
        }
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump], [true, false])
    func aSavedBookLeadsToTheRow(_ policy: MergePolicy, _ isLoaded: Bool) throws {
        try collide(policy, isLoaded, changes: true, makes: false)
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump], [true, false])
    func aBookThatIsMadeBeforeItsAuthorLeadsToTheRow(_ policy: MergePolicy, _ isLoaded: Bool) throws {
        try collide(policy, isLoaded, changes: false, makes: true)
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump], [true, false])
    func bothInOneSave(_ policy: MergePolicy, _ isLoaded: Bool) throws {
        try collide(policy, isLoaded, changes: true, makes: true)
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
    func referencesThatTheStoreDoesNotCheck(_ policy: MergePolicy) throws {
        let manager = try ContextManager(model: Model(LooseWriter.self, LooseNote.self), store: .memory)
        try manager.writeAndWait { context in
            context.insert(LooseWriter.self).id = 1
            context.insert(LooseNote.self).text = "saved"
        }
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let notes = [try #require(try LooseNote.first(in: context)), context.insert(LooseNote.self)]
            notes[1].text = "new"
            let writer = context.insert(LooseWriter.self)
            writer.id = 1
            for note in notes {
                note.writer = writer
                note.owner = writer
            }
            try context.save()
            #expect(notes.allSatisfy { $0.writer === writer && $0.owner === writer } && !context.hasChanges)
            #expect(Set(writer.owned) == Set(notes))
        }
        let rows = try manager.stores.stores[0].read {
            try $0.rows(of: "SELECT \"text\", \"writer\", \"owner\" FROM \"LooseNote\" ORDER BY \"text\"")
        }
        #expect(rows == [["new", 1, 1], ["saved", 1, 1]])
        try manager.newPrivateContext().performAndWait { context in
            let writer = try #require(try LooseWriter.first(in: context))
            let notes = try LooseNote.all(in: context)
            #expect(try LooseWriter.count(in: context) == 1 && notes.count == 2)
            #expect(notes.allSatisfy { $0.writer === writer && $0.owner === writer })
            #expect(Set(writer.owned) == Set(notes))
        }
    }
}
