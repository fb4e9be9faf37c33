import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// What a merge policy gives up leaves nothing behind: neither what followed from it, nor in lists.
@Suite struct GivenUpChangesTests {
    private let manager: ContextManager

    /// Author 1 with books a and b, a series of both that she edits, and her friend, reader 9; authors 2 and 3.
    init() throws {
        manager = try ContextManager.library()
        try manager.writeAndWait { context in
            let authors = (1...3).map { context.author($0, "first") }
            let series = context.insert(Series.self)
            series.editor = authors[0]
            for isbn in ["a", "b"] {
                let book = context.book(isbn, by: authors[0])
                series.books.append(book)
            }
            let reader = context.insert(Reader.self)
            reader.id = 9
            reader.friends.insert(authors[0])
        }
    }

    private static func author(_ number: Int, _ context: ManagedObjectContext) throws -> Author {
        try #require(try Author.find(["id": .integer(Int64(number))], in: context))
    }

    /// All that joins rows.
    private func joins() throws -> [[[SQLValue]]] {
        try manager.stores.stores[0].read { connection in
            [
                try connection.rows(of: "SELECT \"isbn\", \"author\", \"series\" FROM \"Book\" ORDER BY \"isbn\""),
                try connection.rows(of: "SELECT \"editor\" FROM \"Series\""),
                try connection.rows(of: "SELECT \"_entity\", \"id\", \"name\" FROM \"Person\" ORDER BY \"id\""),
            ]
        }
    }

    /// The friends of everybody, and the books of the series in their order, as a new context reads them.
    private func lists() throws -> [[String]] {
        try manager.newPrivateContext().performAndWait { context in
            let people = try context.fetch(FetchRequest<Person>(sort: [SortKey("id")]))
            let series = try #require(try Series.first(in: context))
            return people.map { $0.friends.map { "\($0.id)" }.sorted() } + [series.books.map(\.isbn)]
        }
    }

    // MARK: Deletions

    /// What went with it nobody else has touched: whether it is to go without it only the user can say.
    @Test(arguments: [MergePolicy.storeTrump, .rollback], [true, false])
    func aStaleDeletionThatHasCarriedOthersIsRefused(_ policy: MergePolicy, _ isLoaded: Bool) throws {
        let lists = try lists()
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let author = try Self.author(1, context)
            let books = try isLoaded ? Book.all(in: context, sort: [SortKey("isbn")]) : []
            try manager.writeAndWait { try Self.author(1, $0).name = "theirs" }
            let before = try joins()
            author.delete()
            let refusal = #expect(throws: SaveError.self) { try context.save() }
            #expect(refusal?.code == .conflict && refusal?.conflicts.map(\.objectID) == [author.objectID])
            #expect(refusal?.description.contains("carried others") ?? false)
            #expect(try joins() == before)
            context.rollback()
            try context.refreshAllObjects()
            #expect(!author.isDeleted && author.name == "theirs")
            #expect(author.books.map(\.isbn).sorted() == ["a", "b"] && author.friends.map(\.id) == [9])
            for book in books { #expect(!book.isDeleted && !book.hasChanges && book.author === author) }
            author.delete()
            try context.save()
            #expect(try Book.count(in: context) == 0)
        }
        #expect(try self.lists() != lists)
    }

    @Test(arguments: [MergePolicy.storeTrump, .rollback])
    func aStaleDeletionThatSetsReferencesToNothingIsRefused(_ policy: MergePolicy) throws {
        let lists = try lists()
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let series = try #require(try Series.first(in: context))
            try manager.writeAndWait { try #require(try Series.first(in: $0)).title = "theirs" }
            let before = try joins()
            series.delete()
            let refusal = #expect(throws: SaveError.self) { try context.save() }
            #expect(refusal?.code == .conflict)
            #expect(try joins() == before)
        }
        #expect(try self.lists() == lists)
    }

    @Test(arguments: [MergePolicy.storeTrump, .rollback])
    func aStaleDeletionThatConcernsNobodyElseIsGivenUp(_ policy: MergePolicy) throws {
        let lists = try lists()
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let author = try Self.author(3, context)
            try manager.writeAndWait { try Self.author(3, $0).name = "theirs" }
            author.delete()
            try context.save()
            #expect(!context.hasChanges && !author.isDeleted && author.name == "theirs")
        }
        #expect(try self.lists() == lists)
    }

    // MARK: Lists

    @Test(arguments: [MergePolicy.storeTrump, .rollback])
    func listsFollowWhatTheStoreHas(_ policy: MergePolicy) throws {
        try move(policy) { book, authors in book.author = authors[2] }
    }

    @Test(arguments: [MergePolicy.storeTrump, .objectTrump])
    func listsFollowWhatOnlyTheOtherHasChanged(_ policy: MergePolicy) throws {
        try move(policy) { book, _ in book.pages = 7 }
    }

    /// Lets another context make book a one of author 2, while this one has all lists and does something else with it.
    private func move(_ policy: MergePolicy, mine: (Book, [Author]) -> Void) throws {
        func isRight(_ context: ManagedObjectContext, _ note: Testing.Comment) throws {
            let book = try #require(try Book.find(["isbn": "a"], in: context))
            let authors = try Author.all(in: context, sort: [SortKey("id")])
            #expect(book.author === authors[1], note)
            #expect(authors.map { $0.books.contains(book) } == [false, true, false], note)
            #expect(authors.map { $0.books.count } == [1, 1, 0], note)
        }
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let authors = try Author.all(in: context, sort: [SortKey("id")])
            #expect(authors.map { $0.books.count } == [2, 0, 0])
            let book = try #require(try Book.find(["isbn": "a"], in: context))
            try manager.writeAndWait { context in
                try #require(try Book.find(["isbn": "a"], in: context)).author = try Self.author(2, context)
            }
            mine(book, authors)
            try context.save()
            #expect(!context.hasChanges && authors.allSatisfy { !$0.hasChanges } && !book.hasChanges)
            try isRight(context, "in the context")
            try context.save()
        }
        try manager.newPrivateContext().performAndWait { try isRight($0, "in the store") }
    }
}
