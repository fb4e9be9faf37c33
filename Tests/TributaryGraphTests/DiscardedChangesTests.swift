import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Changes that a merge policy discards leave no trace in related objects or in lists.
@Suite struct DiscardedChangesTests {
    private let manager: ContextManager

    /// Authors 1 to 3, of which author 1 has books a and b, edits a series of both, and has reader 9 as a friend.
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
        try #require(try Author.find(["id": number], in: context))
    }

    /// The columns by which rows refer to one another, and the people.
    private func joins() throws -> [[[SQLValue]]] {
        try manager.stores.stores[0].read { connection in
            [
                try connection.rows(of: "SELECT \"isbn\", \"author\", \"series\" FROM \"Book\" ORDER BY \"isbn\""),
                try connection.rows(of: "SELECT \"editor\" FROM \"Series\""),
                try connection.rows(of: "SELECT \"_entity\", \"id\", \"name\" FROM \"Person\" ORDER BY \"id\""),
            ]
        }
    }

    /// The friends of each person and the ordered books of the series, as a new context reads them.
    private func lists() throws -> [[String]] {
        try manager.newPrivateContext().performAndWait { context in
            let people = try context.fetch(FetchRequest<Person>(sort: [SortKey("id")]))
            let series = try #require(try Series.first(in: context))
            return people.map { $0.friends.map { "\($0.id)" }.sorted() } + [series.books.map(\.isbn)]
        }
    }

    /// No other context has changed the cascaded objects, so that only the user can decide about them.
    @Test(
        "The deletion of an object changed elsewhere is refused if it cascaded",
        arguments: [MergePolicy.storeTrump, .rollback], [true, false])
    func aStaleDeletionThatHasCarriedOthersIsRefused(_ policy: MergePolicy, _ isLoaded: Bool) throws {
        let lists = try lists()
        try manager.inNewContext(merging: policy) { context in
            let author = try Self.author(1, context)
            let books = try isLoaded ? Book.all(in: context, sort: [SortKey("isbn")]) : []
            try manager.writeAndWait { try Self.author(1, $0).name = "theirs" }
            let before = try joins()
            author.delete()
            let refusal = #expect(throws: SaveError.self) { try context.save() }
            #expect(refusal?.code == .conflict && refusal?.conflicts.map(\.objectID) == [author.objectID])
            #expect(refusal?.description.contains("cascaded to other objects") ?? false)
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

    @Test(
        "The deletion of an object changed elsewhere is refused if it cleared references",
        arguments: [MergePolicy.storeTrump, .rollback])
    func aStaleDeletionThatSetsReferencesToNothingIsRefused(_ policy: MergePolicy) throws {
        let lists = try lists()
        try manager.inNewContext(merging: policy) { context in
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

    @Test(
        "The deletion of an object changed elsewhere is discarded if it affects no other",
        arguments: [MergePolicy.storeTrump, .rollback])
    func aStaleDeletionThatAffectsNoOtherObjectIsDiscarded(_ policy: MergePolicy) throws {
        let lists = try lists()
        try manager.inNewContext(merging: policy) { context in
            let author = try Self.author(3, context)
            try manager.writeAndWait { try Self.author(3, $0).name = "theirs" }
            author.delete()
            try context.save()
            #expect(!context.hasChanges && !author.isDeleted && author.name == "theirs")
        }
        #expect(try self.lists() == lists)
    }

    @Test(
        "Lists follow the stored reference when the policy discards this context's",
        arguments: [MergePolicy.storeTrump, .rollback])
    func listsFollowWhatTheStoreHas(_ policy: MergePolicy) throws {
        try move(policy) { book, authors in book.author = authors[2] }
    }

    @Test(
        "Lists follow a reference that only the other context changed",
        arguments: [MergePolicy.storeTrump, .objectTrump])
    func listsFollowWhatOnlyTheOtherHasChanged(_ policy: MergePolicy) throws {
        try move(policy) { book, _ in book.pages = 7 }
    }

    /// Moves book a to author 2 in another context, and changes it with `mine` in a context that has loaded all lists.
    private func move(_ policy: MergePolicy, mine: (Book, [Author]) -> Void) throws {
        func isRight(_ context: ManagedObjectContext, _ note: Testing.Comment) throws {
            let book = try #require(try Book.find(["isbn": "a"], in: context))
            let authors = try Author.all(in: context, sort: [SortKey("id")])
            #expect(book.author === authors[1], note)
            #expect(authors.map { $0.books.contains(book) } == [false, true, false], note)
            #expect(authors.map { $0.books.count } == [1, 1, 0], note)
        }
        try manager.inNewContext(merging: policy) { context in
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
