import Testing
import TributaryGraph
import TributaryTestSupport

/// Fetches and counts with unsaved changes, which ask the store for no more than without them.
@MainActor @Suite("Fetches with unsaved changes")
struct PendingFetchTests {
    /// A library of so many authors, each with a book, and an empty context.
    private func library(_ count: Int, _ recorder: StatementRecorder) throws -> Library {
        let library = try Library(options: recorder.options)
        for number in 0..<count {
            let author = library.author(number, "name \(number % 10)")
            library.book("\(number)", by: author).pages = Int16(number % 100)
        }
        try library.context.save()
        library.context.reset()
        return library
    }

    @Test("One unsaved change leaves a page of 20 one SELECT with a limit, and a count without rows")
    func aPageLoadsAPage() throws {
        let recorder = StatementRecorder()
        let context = try library(1000, recorder).context
        let changed = try #require(try Author.find(["id": 990], in: context))
        changed.name = "new"
        context.author(2000)
        var request = FetchRequest<Person>(where: "id > \(-1)", sort: [SortKey("id", ascending: false)])
        (request.limit, request.offset) = (20, 5)
        var page: [Person] = []
        let selects = try recorder.selects { page = try context.fetch(request) }
        #expect(page.map(\.id) == (976...995).reversed() && page[5] === changed)
        #expect(selects.count == 1 && selects[0].hasSuffix("DESC, \"_o\".\"_pk\" LIMIT ?"), "\(selects)")
        // The window of the store begins at 0, and one row may be missing from it.
        #expect(context.registeredObjects.count <= 20 + 5 + 1 + 1)
        (request.limit, request.offset) = (nil, 0)
        var count = 0
        let counts = try recorder.selects { count = try context.count(request) }
        #expect(count == 1001 && counts.count == 2, "\(counts)")
        #expect(counts.allSatisfy { $0.hasPrefix("SELECT COUNT(*) FROM \"Person\"") })
        request.limit = -1
        #expect(throws: FetchError.self) { try context.fetch(request) }
        #expect(throws: FetchError.self) { try context.count(request) }
    }

    @Test("A filter and an order that follow relationships load only the objects that changes can affect")
    func onlyWhatChangesReachIsLoaded() throws {
        let recorder = StatementRecorder()
        let context = try library(1000, recorder).context
        let author = try #require(try Author.find(["id": 7], in: context))
        author.name = "name 3"
        var request = FetchRequest<Book>(
            where: "author.name == \("name 3")", sort: [SortKey("author.name"), SortKey("pages", ascending: false)])
        request.limit = 20
        var page: [Book] = []
        let selects = try recorder.selects { page = try context.fetch(request) }
        #expect(page.map(\.pages) == Array(repeating: 93, count: 10) + Array(repeating: 83, count: 10))
        #expect(context.registeredObjects.count < 50, "\(selects)")
        #expect(try context.count(FetchRequest<Book>(where: request.filter)) == 101)
        #expect(selects.filter { $0.contains("LIMIT ?") }.count == 1)
    }

    @Test("A child asks its parent for a page and for a count, and the parent the store")
    func aChildLoadsAPage() throws {
        let recorder = StatementRecorder()
        let context = try library(1000, recorder).context
        let child = context.scratchChild()
        let book = try #require(try Book.find(["isbn": "5"], in: child))
        book.pages = 1000
        try #require(try Book.find(["isbn": "6"], in: context)).pages = 2000
        var request = FetchRequest<Book>(sort: [SortKey("pages", ascending: false)])
        request.limit = 20
        var page: [Book] = []
        let selects = try recorder.selects { page = try child.fetch(request) }
        #expect(page.map(\.pages) == [2000, 1000] + Array(repeating: 99, count: 10) + Array(repeating: 98, count: 8))
        #expect(selects.allSatisfy { $0.contains("LIMIT ?") } && context.registeredObjects.count < 50, "\(selects)")
        var count = 0
        let counts = try recorder.selects { count = try child.count(FetchRequest<Book>(where: "pages > \(98)")) }
        #expect(count == 12 && counts.allSatisfy { $0.hasPrefix("SELECT COUNT(*)") }, "\(counts)")
        child.reset()
    }

    private static let bookFilters: [Filter?] = [
        nil, "pages > \(4)", "author.name == \("a")", "author.city == nil", "series.editor.name > \("b")",
        "ANY author.books.pages > \(6)", "author.books.@sum.pages > \(9)", "series.title == \("s")",
        "SUBQUERY(author.books, $b, $b.pages > 3 AND $b.author.name < \("c")).@count > 1",
        "NOT author.edits.title == \("s")",
    ]
    private static let authorFilters: [Filter?] = [
        nil, "name > \("a")", "ANY books.pages > \(5)", "books.@count > \(1)", "ANY friends.name == \("b")",
        "edits.books.@max.pages > \(5)", "@sum.books.pages > \(7)",
        "SUBQUERY(books, $b, SUBQUERY($b.series.books, $c, $c.pages > 4).@count > 0).@count > 0",
    ]

    private func request(_ random: inout SeededGenerator) -> FetchRequest<ManagedObject> {
        var request: FetchRequest<ManagedObject>
        if random.once(in: 2) {
            request = FetchRequest(entity: "Book", where: random.pick(Self.bookFilters))
            request.sort = random.pick([
                [], [SortKey("pages")], [SortKey("author.name", ascending: false)],
                [SortKey("series.editor.name"), SortKey("pages", ascending: false)],
            ])
        } else {
            request = FetchRequest(entity: "Author", where: random.pick(Self.authorFilters))
            request.sort = random.pick([[], [SortKey("name", ascending: false)], [SortKey("edits.title")]])
        }
        if random.once(in: 2) { request.limit = random.below(6) }
        if random.once(in: 3) { request.offset = random.below(5) }
        if random.once(in: 4) { request.batchSize = 1 + random.below(3) }
        return request
    }

    /// Changes random objects of a context.
    private func change(_ context: ManagedObjectContext, _ random: inout SeededGenerator, _ number: Int) throws {
        let authors = try Author.all(in: context)
        let books = try Book.all(in: context)
        let series = try Series.all(in: context)
        let name = random.pick([nil, "a", "b", "c", "d"])
        switch random.below(9) {
        case 0: context.author(1000 + number, name)
        case 1: context.book("new \(number)", by: random.pick(authors)).pages = Int16(random.below(9))
        case 2: random.pick(authors).name = name
        case 3: random.pick(books).pages = random.once(in: 3) ? nil : Int16(random.below(9))
        case 4: random.pick(books).author = random.once(in: 3) ? nil : random.pick(authors)
        case 5: random.pick(books).series = random.pick(series)
        case 6: random.pick(series).editor = random.pick(authors)
        case 7: random.pick(authors).friends.insert(random.pick(authors))
        default:
            if authors.count > 3 { context.delete(random.once(in: 2) ? random.pick(books) : random.pick(authors)) }
        }
        if try Book.count(in: context) < 3 { context.book("more \(number)", by: try Author.all(in: context)[0]) }
    }

    @Test("Pages and counts with unsaved changes equal those after the save")
    func pagesEqualThoseAfterTheSave() throws {
        var random = SeededGenerator.fresh()
        for round in 0..<40 {
            let library = try Library()
            let context = library.context
            for number in 0..<8 { context.author(number, random.pick([nil, "a", "b", "c"])) }
            for _ in 0..<3 { library.make(Series.self).title = random.pick(["r", "s", "t"]) }
            for number in 0..<12 { context.book("\(number)", by: random.pick(try Author.all(in: context))) }
            for number in 0..<20 { try change(context, &random, 100 + number) }
            try context.save()
            if random.once(in: 2) { context.reset() }
            // Half of the objects are in memory and half of them faults, so that all ways of loading are met.
            let held = random.once(in: 2) ? try Book.all(in: context) : []
            for number in 0..<(1 + random.below(6)) { try change(context, &random, number) }
            let requests = (0..<30).map { _ in request(&random) }
            let found = try requests.map { (objects: try context.fetch($0), count: try context.count($0)) }
            try context.save()
            for (request, found) in zip(requests, found) {
                let ids = try library.manager.newPrivateContext().performAndWait { try $0.ids(request) }
                let comment: Comment = "seed \(random.seed), round \(round), \(request)"
                #expect(found.objects.map(\.objectID) == ids, comment)
                #expect(found.count == ids.count, comment)
            }
            withExtendedLifetime(held) {}
        }
    }
}
