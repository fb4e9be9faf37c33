import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A save or a fetch that cannot read a table throws, and changes nothing.
@Suite struct ReadFailureTests {
    private let manager: ContextManager
    private let context: PrivateContext

    /// Stores an author with two books and a friend.
    init() throws {
        manager = try ContextManager.library()
        context = manager.newPrivateContext()
        try manager.writeAndWait { context in
            let author = context.author(1)
            let friend = context.insert(Reader.self)
            friend.id = 2
            author.friends.insert(friend)
            for number in 0..<2 {
                context.book("\(number)", by: author)
            }
        }
    }

    /// Runs `body` while a table cannot be read.
    private func without<Result>(_ table: String, _ body: () throws -> Result) throws -> Result {
        func rename(_ from: String, _ to: String) throws {
            try manager.stores.stores[0].write { connection in
                try connection.execute("PRAGMA legacy_alter_table = ON")
                try connection.execute("ALTER TABLE \(identifier: from) RENAME TO \(identifier: to)")
            }
        }
        try rename(table, "hidden")
        defer { try? rename("hidden", table) }
        return try body()
    }

    private func changes(_ context: ManagedObjectContext) -> [Set<ManagedObject>] {
        [context.insertedObjects, context.updatedObjects, context.deletedObjects]
    }

    @Test("Deletions stay pending while their related objects cannot be read")
    func deletionsWaitUntilTheirConsequencesCanBeRead() throws {
        try context.performAndWait { context in
            let author = try #require(try Author.first(in: context))
            try without("Book") {
                author.delete()
                context.processPendingChanges()
                let before = changes(context)
                #expect(throws: SQLiteError.self) { try context.save() }
                #expect(throws: SQLiteError.self) { try context.fetch(FetchRequest<Author>()) }
                #expect(changes(context) == before && before[2] == [author])
            }
            try context.save()
            #expect(try Book.count(in: context) == 0 && Author.count(in: context) == 0)
        }
    }

    @Test("A save throws when an observer of it cannot read a related object")
    func whatWillSaveCannotReadIsThrown() throws {
        try context.performAndWait { context in
            let book = try #require(try Book.first(in: context))
            let observation = context.observeWillSave { _ in
                book.author?.name = "changed"
                book.author?.friends.removeAll()
            }
            book.pages = 7
            try without("Person") {
                #expect(throws: SQLiteError.self) { try context.save() }
                #expect(changes(context) == [[], [book], []])
            }
            try context.save()
            #expect(!context.hasChanges)
            withExtendedLifetime(observation) {}
        }
        try manager.newPrivateContext().performAndWait { context in
            let author = try #require(try Author.first(in: context))
            #expect(author.name == "changed" && author.friends.isEmpty)
        }
    }

    @Test("A parent applies the save of a child completely or not at all")
    func aChildIsTakenWholeOrNotAtAll() throws {
        try context.performAndWait { context in
            let child = context.scratchChild()
            let author = try #require(try Author.first(in: child))
            let books = Array(author.books)
            author.name = "new"
            for book in books { book.author = nil }
            author.friends.removeAll()
            let series = child.insert(Series.self)
            series.books.append(books[0])
            context.reset()
            for table in ["Book", "Person"] {
                try without(table) {
                    #expect(throws: SQLiteError.self) { try child.save() }
                    #expect(!context.hasChanges && child.hasChanges)
                }
            }
            try child.saveToStore()
            #expect(try Book.count(in: context, where: "author == nil") == 2)
            #expect(try Series.first(in: context)?.books.count == 1)
            #expect(try Author.first(in: context)?.friends.isEmpty == true)
        }
    }

    @Test("A fetch throws when its filter cannot read a related object")
    func aFetchThrowsWhatItsFilterCannotReadInMemory() throws {
        try context.performAndWait { context in
            let books = try Book.all(in: context)
            books[0].pages = 9
            context.author(3)
            try without("Person") {
                let request = FetchRequest<Book>(where: "author.id == 1 AND pages != 3")
                _ = #expect(throws: SQLiteError.self) { try context.fetch(request) }
            }
            #expect(try Book.count(in: context, where: "author.id == 1") == 2)
        }
    }
}
