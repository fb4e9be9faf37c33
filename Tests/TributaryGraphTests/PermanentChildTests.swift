import Testing
import TributaryGraph
import TributaryTestSupport

/// Ids that were given before it was known which row an object is.
@MainActor @Suite struct PermanentChildTests {
    private let library: Library

    /// Author 1 is stored.
    init() throws {
        library = try Library()
        _ = library.author(1, "old")
        try library.context.save()
    }

    @Test func anIdThatWasGivenLeadsToTheRow() throws {
        let context = library.context
        context.mergePolicy = .objectTrump
        let child = context.scratchChild()
        let author = library.author(1, "new")
        try context.obtainPermanentIDs(for: [author])
        let given = author.objectID
        try context.save()
        #expect(author.objectID != given)
        let found = try #require(child.object(with: given) as? Author)
        #expect(found.objectID == author.objectID && found.name == "new")
        #expect(try child.existingObject(with: given) === found)
        try child.saveToStore()
        #expect(try library.manager.newPrivateContext().performAndWait { try Author.count(in: $0) } == 1)
    }

    @Test(arguments: [false, true]) func soDoAllItsIdsAlsoWithoutChildren(_ isHeld: Bool) throws {
        let context = library.context
        context.mergePolicy = .objectTrump
        var author: Author? = library.author(1, "new")
        let first = try #require(author?.objectID)
        try context.obtainPermanentIDs(for: [try #require(author)])
        let given = try #require(author?.objectID)
        try context.save()
        let row = try #require(author?.objectID)
        #expect(Set([first, given, row]).count == 3)
        if !isHeld { author = nil }
        #expect(context.registeredObjects.count == (isHeld ? 1 : 0))
        for id in [first, given, row] {
            let found = context.object(with: id)
            #expect(found.objectID == row && (!isHeld || found === author))
            #expect(try context.existingObject(with: id) === found && context.registeredObject(for: id) === found)
        }
    }

    @Test func aBookThatLedToTheObjectLeadsToTheRow() throws {
        let context = library.context
        context.mergePolicy = .objectTrump
        let author = library.author(1, "new")
        _ = library.book("a", by: author)
        let child = context.scratchChild()
        // It has seen the number that the author had first, and no other.
        let book = try #require(try Book.first(in: child))
        try context.obtainPermanentIDs(for: [author])
        try context.save()
        let seen = try #require(book.author)
        #expect(seen.objectID == author.objectID && seen.name == "new" && Array(seen.books) == [book])
        seen.name = "newer"
        try child.saveToStore()
        #expect(author.name == "newer" && !context.hasChanges)
    }

    @Test func aTemporaryIdStillFindsItsObject() throws {
        let context = library.context
        let author = library.author(2)
        let old = author.objectID
        try context.obtainPermanentIDs(for: [author])
        #expect(context.object(with: old) === author)
        try context.save()
        #expect(context.object(with: old) === author)
    }

    @Test func aTemporaryIdOfAChildStillFindsItsObject() throws {
        let context = library.context
        let child = context.scratchChild()
        let author = library.author(2)
        let seen = try #require(try Author.find(["id": .integer(2)], in: child))
        let old = seen.objectID
        #expect(old.isTemporary)
        try context.save()
        #expect(try Author.count(in: child) == 2)
        #expect(try Author.all(in: child).contains { $0 === seen })
        #expect(child.object(with: old) === seen && seen.objectID == author.objectID)
    }
}
