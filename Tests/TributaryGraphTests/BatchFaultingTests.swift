import Testing
import TributaryGraph
import TributaryTestSupport

/// The number of statements that reading a graph takes, which is never one per object.
@Suite struct BatchFaultingTests {
    private static let parents = 10_000
    private let recorder = StatementRecorder()
    private let manager: ContextManager

    /// Ten thousand people, befriended in pairs: every tenth is a reader, the others are authors with a book each.
    init() throws {
        let model = try Model(Author.self, Reader.self, Book.self, Series.self)
        manager = try ContextManager(model: model, store: .memory, options: recorder.options)
        try manager.writeAndWait { context in
            var last: Person?
            for number in 0..<Self.parents {
                let person: Person = number % 10 == 9 ? context.insert(Reader.self) : context.insert(Author.self)
                person.id = number
                if let author = person as? Author {
                    context.book("\(number)", by: author)
                }
                if number % 2 == 1, let last { person.friends.insert(last) }
                last = person
            }
        }
    }

    private func read(batch: Int, _ body: (ManagedObjectContext) throws -> Void) throws -> Int {
        try manager.newPrivateContext().performAndWait { context in
            context.faultBatchSize = batch
            return try recorder.selects { try body(context) }.count
        }
    }

    /// Expects about one statement per batch, and fewer statements for larger batches.
    private func expectBatches(
        of count: Int, relationships: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (ManagedObjectContext) throws -> Int
    ) throws {
        var counts: [Int] = []
        for batch in [100, 1000] {
            var found = 0
            counts.append(try read(batch: batch) { found = try body($0) })
            #expect(found == count, sourceLocation: sourceLocation)
            let limit = Self.parents * relationships / batch * 3 / 2 + 10
            #expect(counts.last ?? 0 <= limit, "batch \(batch)", sourceLocation: sourceLocation)
        }
        #expect(counts[0] > counts[1], "\(counts)", sourceLocation: sourceLocation)
    }

    @Test("To-many relationships are faulted in batches")
    func childrenOfParents() throws {
        try expectBatches(of: Self.parents / 10 * 9) { context in
            try Author.all(in: context).reduce(0) { $0 + $1.books.count }
        }
    }

    @Test("To-one relationships are faulted in batches")
    func parentsOfChildren() throws {
        try expectBatches(of: Self.parents / 10 * 9) { context in
            try Book.all(in: context).reduce(0) { $0 + ($1.author?.id != nil ? 1 : 0) }
        }
    }

    @Test("Many-to-many relationships across subentities are faulted in batches")
    func manyToManyAcrossSubentities() throws {
        try expectBatches(of: Self.parents) { context in
            try Person.all(in: context).reduce(0) { $0 + $1.friends.count }
        }
    }

    @Test("Relationships of objects in random order are faulted in batches")
    func inAnyOrder() throws {
        var generator = SeededGenerator.fresh()
        try expectBatches(of: Self.parents / 10 * 9, relationships: 2) { context in
            try Book.all(in: context).shuffled(using: &generator).reduce(0) { $0 + ($1.author?.books.count ?? 0) }
        }
    }

    @Test("A fetch, a count or a request for IDs runs one statement")
    func aFetchIsOneStatement() throws {
        #expect(try read(batch: 200) { _ = try Person.all(in: $0) } == 1)
        #expect(
            try read(batch: 200) { _ = try Book.fetch(in: $0, where: "author.id > \(10)", sort: [SortKey("isbn")]) }
                == 1)
        #expect(try read(batch: 200) { _ = try Book.count(in: $0) } == 1)
        #expect(try read(batch: 200) { _ = try $0.ids(FetchRequest<Book>()) } == 1)
        let again = try read(batch: 200) { context in
            let books = try Book.all(in: context)
            try withExtendedLifetime(books) { _ = try Book.all(in: context) }
        }
        #expect(again == 2)
    }

    @Test("Prefetching runs at most one more statement per step of its path")
    func prefetchingAddsAStatementForEachStep() throws {
        for (path, statements) in [("author", 2), ("author.friends", 3), ("author.friends.friends", 4), ("series", 1)] {
            let count = try read(batch: 200) { context in
                var request = FetchRequest<Book>()
                request.prefetch = [path]
                let books = try context.fetch(request)
                guard path == "author.friends" else { return }
                // The prefetched objects are loaded, so reading them runs no statement.
                let inside = books.reduce(0) { $0 + ($1.author?.friends.count ?? 0) }
                #expect(inside == Self.parents / 10 * 9)
            }
            #expect(count == statements, "\(path)")
        }
    }

    @Test("A fetch with a batch size loads values batch by batch, on first access")
    func aBatchSizeLoadsValuesAsTheyAreAskedFor() throws {
        var request = FetchRequest<Book>(sort: [SortKey("isbn")])
        request.batchSize = 500
        let count = try read(batch: 200) { context in
            let books = try context.fetch(request)
            #expect(books.allSatisfy { $0.isFault })
            _ = books[0].isbn
            #expect(books.count { !$0.isFault } == 500)
        }
        #expect(count == 2)
        let all = try read(batch: 200) { context in
            for book in try context.fetch(request) { #expect(!book.isbn.isEmpty) }
        }
        #expect(all <= 1 + Self.parents / 500 * 3 / 2)
    }

    @Test("Adding to a relationship does not load its other members")
    func relatingThroughTheInverseLoadsNothing() throws {
        let count = try read(batch: 200) { context in
            let authors = try Author.all(in: context)
            for author in authors.prefix(1000) {
                context.book("new \(author.id)", by: author)
            }
            for author in authors.dropFirst(1000).prefix(1000) {
                let book = context.book("new \(author.id)")
                author.books.insert(book)
            }
        }
        #expect(count == 1)
    }
}
