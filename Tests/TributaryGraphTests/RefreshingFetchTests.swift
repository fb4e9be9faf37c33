import Testing
import TributaryGraph
import TributaryTestSupport

/// A fetch with `refreshesLoadedObjects` updates loaded objects from the store, with any batch size.
@Suite struct RefreshingFetchTests {
    private let manager: ContextManager

    init() throws {
        manager = try ContextManager.library()
        try manager.writeAndWait { context in
            for number in 1...5 { context.author(number, "first") }
        }
    }

    private func change() throws {
        try manager.writeAndWait { context in for author in try Author.all(in: context) { author.name = "theirs" } }
    }

    private static func request(_ batchSize: Int, refreshes: Bool) -> FetchRequest<Author> {
        var request = FetchRequest<Author>(sort: [SortKey("id")])
        request.batchSize = batchSize
        request.refreshesLoadedObjects = refreshes
        return request
    }

    @Test(
        "Only a refreshing fetch updates loaded objects, and it keeps their changes",
        arguments: [0, 2, 100], [true, false])
    func loadedObjectsTakeWhatTheStoreHas(_ batchSize: Int, _ refreshes: Bool) throws {
        try manager.newPrivateContext().performAndWait { context in
            let authors = try context.fetch(Self.request(0, refreshes: false))
            #expect(authors.map(\.name) == Array(repeating: "first", count: 5))
            authors[1].city = "mine"
            try change()
            let again = try context.fetch(Self.request(batchSize, refreshes: refreshes))
            #expect(again == authors)
            #expect(authors.map(\.name) == Array(repeating: refreshes ? "theirs" : "first", count: 5))
            #expect(authors[1].city == "mine" && authors[1].hasChanges)
        }
    }

    @Test("In a child context, only a refreshing fetch updates loaded objects", arguments: [true, false])
    func throughAChildAsWell(_ refreshes: Bool) throws {
        try manager.newPrivateContext().performAndWait { context in
            let child = context.scratchChild()
            let authors = try child.fetch(Self.request(0, refreshes: false))
            #expect(authors.map(\.name) == Array(repeating: "first", count: 5))
            try change()
            let again = try child.fetch(Self.request(0, refreshes: refreshes))
            #expect(again == authors)
            #expect(authors.map(\.name) == Array(repeating: refreshes ? "theirs" : "first", count: 5))
        }
    }
}
