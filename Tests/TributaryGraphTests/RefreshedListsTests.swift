import Testing
import TributaryGraph
import TributaryTestSupport

/// Loaded to-many relationships follow changes of the other side.
@Suite struct RefreshedListsTests {
    private let manager: ContextManager

    /// Stores authors 1 and 2, and a book of author 1.
    init() throws {
        manager = try ContextManager.library()
        try manager.writeAndWait { context in
            let authors = (1...2).map { context.author($0) }
            context.book("a", by: authors[0])
        }
    }

    private static func authors(_ context: ManagedObjectContext) throws -> [Author] {
        try Author.all(in: context, sort: [SortKey("id")])
    }

    private func move() throws {
        try manager.writeAndWait { context in
            try #require(try Book.first(in: context)).author = try Self.authors(context)[1]
        }
    }

    @Test(
        "A refreshing fetch updates both sides of a relationship changed elsewhere",
        arguments: [0, 1, 100], [false, true])
    func aRefreshingFetchMovesABook(_ batchSize: Int, _ isChild: Bool) throws {
        try manager.newPrivateContext().performAndWait { parent in
            let context = isChild ? parent.scratchChild() : parent
            let above = try Self.authors(parent)
            #expect(above.map { $0.books.count } == [1, 0])
            let authors = try Self.authors(context)
            #expect(authors.map { $0.books.count } == [1, 0])
            let book = try #require(authors[0].books.objects.first)
            #expect(book.author === authors[0])
            try move()
            var request = FetchRequest<Book>()
            request.batchSize = batchSize
            request.refreshesLoadedObjects = true
            #expect(try context.fetch(request) == [book])
            #expect(book.author === authors[1] && authors[0].books.isEmpty && Array(authors[1].books) == [book])
            #expect(above.map { $0.books.count } == [0, 1] && !context.hasChanges && !parent.hasChanges)
            // Author 1 has no books now, so the cascade must not delete any.
            authors[0].delete()
            try context.saveToStore()
            #expect(authors[0].context == nil && book.context === context && book.author === authors[1])
        }
        try manager.newPrivateContext().performAndWait { context in
            let book = try #require(try Book.first(in: context))
            #expect(book.author?.id == 2)
            #expect(try Author.count(in: context) == 1)
        }
    }

    @Test(
        "An object is back in its lists when the merge policy discards its deletion",
        arguments: [MergePolicy.storeTrump, .rollback])
    func aBookWhoseDeletionIsDiscardedIsBack(_ policy: MergePolicy) throws {
        try manager.inNewContext(merging: policy) { context in
            let authors = try Self.authors(context)
            #expect(authors.map { $0.books.count } == [1, 0])
            let book = try #require(authors[0].books.objects.first)
            try manager.writeAndWait { try #require(try Book.first(in: $0)).pages = 7 }
            book.delete()
            try context.save()
            #expect(!book.isDeleted && book.pages == 7 && book.author === authors[0] && !context.hasChanges)
            #expect(Array(authors[0].books) == [book] && authors[0].books.contains(book))
            // A second deletion does not conflict, and removes the book from the list too.
            book.delete()
            try context.save()
            #expect(book.context == nil && authors[0].books.isEmpty)
        }
        #expect(try manager.newPrivateContext().performAndWait { try Book.count(in: $0) } == 0)
    }
}
