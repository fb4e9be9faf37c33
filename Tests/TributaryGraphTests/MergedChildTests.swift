import Testing
import TributaryGraph
import TributaryTestSupport

/// A new object of a child that the parent finds to be a row of which the child has an object already: it becomes one.
@MainActor @Suite struct MergedChildTests {
    private let library: Library

    /// Author 1 with book a.
    init() throws {
        library = try Library()
        _ = library.book("a", by: library.author(1, "old"))
        try library.context.save()
        library.context.mergePolicy = .objectTrump
    }

    private var main: ManagedObjectContext { library.context }

    private func stored() throws -> [String] {
        try library.manager.newPrivateContext().performAndWait { context in
            try Author.all(in: context).map { author in
                "\(author.id) \(author.name ?? "-") \(author.city ?? "-") \(author.books.map(\.isbn).sorted())"
            }
        }
    }

    /// Makes author 1 in a child, with or without a permanent id, and hands her on.
    private static func author(_ child: ManagedObjectContext, _ hasNumber: Bool) throws -> Author {
        let author = child.author(1, "new")
        if hasNumber { try child.obtainPermanentIDs(for: [author]) }
        try child.save()
        return author
    }

    /// The one author of a child, and of these two.
    private func remaining(_ authors: [Author], _ child: ManagedObjectContext) throws -> Author {
        let found = try Author.fetch(in: child, where: "id == 1")
        #expect(found.count == 1 && authors.filter { $0.context != nil } == found)
        #expect(try Author.all(in: child) == found)
        return try #require(found.first)
    }

    @Test(arguments: [false, true]) func anUnchangedObjectGivesWay(_ hasNumber: Bool) throws {
        let child = main.scratchChild()
        let earlier = try #require(try Author.first(in: child))
        let book = try #require(try Book.first(in: child))
        #expect(book.author === earlier && Array(earlier.books) == [book])
        let id = earlier.objectID
        let new = try Self.author(child, hasNumber)
        try main.save()
        let author = try remaining([earlier, new], child)
        #expect(author.objectID == id && author.name == "new" && !child.hasChanges)
        #expect(child.registeredObject(for: id) === author && child.registeredObjects == [author, book])
        #expect(book.author === author && Array(author.books) == [book])
        author.city = "later"
        book.pages = 3
        try child.saveToStore()
        #expect(try stored() == ["1 new later [\"a\"]"])
        #expect(try remaining([earlier, new], child) === author)
    }

    @Test(arguments: [false, true]) func aChangeIsStillPending(_ hasNumber: Bool) throws {
        let child = main.scratchChild()
        let earlier = try #require(try Author.first(in: child))
        let new = try Self.author(child, hasNumber)
        earlier.city = "mine"
        try main.save()
        #expect(try stored() == ["1 new - [\"a\"]"])
        let author = try remaining([earlier, new], child)
        #expect(author.city == "mine" && author.hasChanges && child.hasChanges)
        try child.saveToStore()
        #expect(!child.hasChanges && !main.hasChanges)
        #expect(try stored() == ["1 new mine [\"a\"]"])
        #expect(try remaining([earlier, new], child) === author)
    }

    @Test(arguments: [false, true]) func aChangeIsSavedBeforeAnybodyLooks(_ hasNumber: Bool) throws {
        let child = main.scratchChild()
        let earlier = try #require(try Author.first(in: child))
        let new = try Self.author(child, hasNumber)
        earlier.city = "mine"
        try main.save()
        try child.saveToStore()
        #expect(!child.hasChanges && !main.hasChanges)
        #expect(try stored() == ["1 new mine [\"a\"]"])
        _ = try remaining([earlier, new], child)
    }

    @Test(arguments: [false, true]) func changesOfBothAreSaved(_ hasNumber: Bool) throws {
        let child = main.scratchChild()
        let earlier = try #require(try Author.first(in: child))
        let new = try Self.author(child, hasNumber)
        earlier.city = "mine"
        new.name = "newer"
        try main.save()
        try child.saveToStore()
        #expect(!child.hasChanges && !main.hasChanges)
        #expect(try stored() == ["1 newer mine [\"a\"]"])
        let author = try remaining([earlier, new], child)
        #expect(author.name == "newer" && author.city == "mine")
    }
}
