import Testing
import TributaryGraph
import TributaryTestSupport

/// References in a child to objects that its parent saves only after the child has loaded them.
@MainActor @Suite struct ChildReferencesTests {
    private let library: Library

    init() throws { library = try Library() }

    private var main: ManagedObjectContext { library.context }

    /// Each book in the store with its pages and its author.
    private func stored() throws -> [String] {
        try library.manager.newPrivateContext().performAndWait { context in
            try Book.all(in: context).map { "\($0.isbn) \($0.pages ?? 0) \($0.author?.name ?? "-")" }
        }
    }

    @Test("A child's to-one reference resolves to an object that its parent saved since", arguments: [false, true])
    func aBookLeadsToItsAuthor(_ isChanged: Bool) throws {
        let book = library.book("a", by: library.author(1, "first"))
        let child = main.scratchChild()
        // The child has not loaded the author yet.
        let here = try #require(try Book.first(in: child))
        if isChanged { here.pages = 3 }
        try main.save()
        let author = try #require(here.author)
        #expect(author.context === child && author.id == 1 && author.name == "first")
        #expect(author.objectID == book.author?.objectID && here.objectID == book.objectID)
        #expect(author.books.contains(here) && Array(author.books) == [here])
        #expect(try Author.all(in: child) == [author] && Book.all(in: child) == [here])
        #expect(child.hasChanges == isChanged)
        if isChanged { #expect(here.changedValues == ["pages": .integer(3)]) }
        try child.saveToStore()
        #expect(!child.hasChanges && !main.hasChanges && here.author === author)
        #expect(try stored() == ["a \(isChanged ? 3 : 0) first"])
    }

    @Test("A child's to-many list contains an object that its parent saved since", arguments: [false, true])
    func anAuthorLeadsToHerBook(_ isChanged: Bool) throws {
        _ = library.book("a", by: library.author(1, "first"))
        let child = main.scratchChild()
        let here = try #require(try Book.first(in: child))
        if isChanged { here.pages = 3 }
        try main.save()
        let author = try #require(try Author.first(in: child))
        #expect(author.books.contains(here) && Array(author.books) == [here])
        #expect(here.author === author && child.hasChanges == isChanged)
        // Removing the book from the list clears its author.
        author.books.remove(here)
        try child.saveToStore()
        #expect(try stored() == ["a \(isChanged ? 3 : 0) -"])
    }

    @Test("A grandchild's references resolve to objects that its grandparent saved since", arguments: [false, true])
    func throughTwoLevels(_ isChanged: Bool) throws {
        let book = library.book("a", by: library.author(1, "first"))
        let child = main.scratchChild()
        let grandchild = child.scratchChild()
        let here = try #require(try Book.first(in: grandchild))
        if isChanged { here.pages = 3 }
        try main.save()
        let author = try #require(here.author)
        #expect(author.context === grandchild && author.objectID == book.author?.objectID)
        #expect(here.objectID == book.objectID && Array(author.books) == [here])
        author.name = "second"
        try grandchild.saveToStore()
        #expect(!grandchild.hasChanges && !child.hasChanges && !main.hasChanges)
        #expect(try stored() == ["a \(isChanged ? 3 : 0) second"])
    }
}
