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
