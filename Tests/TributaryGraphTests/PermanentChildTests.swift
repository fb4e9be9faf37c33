import Testing
import TributaryGraph
import TributaryTestSupport

/// IDs that an object had before a save merged it into a stored row.
@MainActor @Suite("Earlier IDs of merged objects") struct PermanentChildTests {
    private let library: Library

    init() throws {
        library = try Library()
        _ = library.author(1, "old")
        try library.context.save()
    }

    @Test("A child finds a merged object by the permanent ID that it had before")
    func anIdThatWasGivenLeadsToTheRow() throws {
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

    @Test("A context finds a merged object by each ID that it ever had", arguments: [false, true])
    func soDoAllItsIdsAlsoWithoutChildren(_ isHeld: Bool) throws {
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

    @Test("A child's reference to a merged object leads to the stored row")
    func aBookThatLedToTheObjectLeadsToTheRow() throws {
        let context = library.context
        context.mergePolicy = .objectTrump
        let author = library.author(1, "new")
        _ = library.book("a", by: author)
        let child = context.scratchChild()
        // The child has only seen the author's temporary ID.
        let book = try #require(try Book.first(in: child))
        try context.obtainPermanentIDs(for: [author])
        try context.save()
        let seen = try #require(book.author)
        #expect(seen.objectID == author.objectID && seen.name == "new" && Array(seen.books) == [book])
        seen.name = "newer"
        try child.saveToStore()
        #expect(author.name == "newer" && !context.hasChanges)
    }

    @Test("A temporary ID still finds its object after the save")
    func aTemporaryIdStillFindsItsObject() throws {
        let context = library.context
        let author = library.author(2)
        let old = author.objectID
        try context.obtainPermanentIDs(for: [author])
        #expect(context.object(with: old) === author)
        try context.save()
        #expect(context.object(with: old) === author)
    }

    @Test("A child still finds an object by its temporary ID after the parent saves")
    func aTemporaryIdOfAChildStillFindsItsObject() throws {
        let context = library.context
        let child = context.scratchChild()
        let author = library.author(2)
        let seen = try #require(try Author.find(["id": 2], in: child))
        let old = seen.objectID
        #expect(old.isTemporary)
        try context.save()
        #expect(try Author.count(in: child) == 2)
        #expect(try Author.all(in: child).contains { $0 === seen })
        #expect(child.object(with: old) === seen && seen.objectID == author.objectID)
    }
}
