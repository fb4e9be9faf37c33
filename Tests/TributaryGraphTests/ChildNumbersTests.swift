import Testing
import TributaryGraph
import TributaryTestSupport

/// Objects that a child context has made are known by it once they have rows, and may be changed and saved again.
@MainActor @Suite struct ChildNumbersTests {
    private let library: Library

    init() throws { library = try Library() }

    private var main: ManagedObjectContext { library.context }

    /// Each author in the store with her books.
    private func stored() throws -> [String] { try ChildNumbersTests.stored(library.manager) }

    nonisolated private static func stored(_ manager: ContextManager) throws -> [String] {
        try manager.newPrivateContext().performAndWait { context in
            try Author.all(in: context, sort: [SortKey("id")]).map { author in
                let books = author.books.map(\.isbn).sorted().joined(separator: ",")
                return "\(author.id) \(author.name ?? "-") [\(books)]"
            }
        }
    }

    @Test func aSavedObjectIsChangedAndDeleted() throws {
        let child = main.scratchChild()
        let author = child.author(1, "first")
        try child.saveToStore()
        #expect(try stored() == ["1 first []"])
        author.name = "second"
        let book = child.book("a", by: author)
        try child.saveToStore()
        #expect(try stored() == ["1 second [a]"])
        #expect(book.author === author && author.books.contains(book) && !child.hasChanges && !main.hasChanges)
        author.delete()
        try child.saveToStore()
        #expect(try stored().isEmpty)
        #expect(try Book.count(in: main) == 0 && Author.count(in: main) == 0)
    }

    @Test func theParentMayHaveSavedByItself() throws {
        let child = main.scratchChild()
        let author = child.author(1, "first")
        try child.save()
        try main.save()
        #expect(try stored() == ["1 first []"])
        author.name = "second"
        child.book("a", by: author)
        try child.save()
        #expect(main.hasChanges)
        try main.save()
        #expect(try stored() == ["1 second [a]"])
        author.delete()
        try child.save()
        try main.save()
        #expect(try stored().isEmpty)
    }

    @Test func theParentMayHaveSavedBetweenTwoSavesOfTheChild() throws {
        let child = main.scratchChild()
        let author = child.author(1, "first")
        try child.save()
        author.name = "second"
        try main.save()
        #expect(try stored() == ["1 first []"])
        try child.save()
        try main.save()
        #expect(try stored() == ["1 second []"])
    }

    @Test func itIsTheRowInOtherContexts() throws {
        let child = main.scratchChild()
        let author = child.author(1, "first")
        let book = child.book("a", by: author)
        try child.saveToStore()
        let there = try author.object(in: main)
        #expect(there.context === main && there.id == 1 && there.name == "first" && !there.objectID.isTemporary)
        #expect(author.objectID == there.objectID && !there.isInserted && !there.hasChanges)
        #expect(try there === Author.first(in: main) && book.object(in: main).author === there)
        #expect(try main.count(FetchRequest<Author>()) == 1)
        let id = there.objectID
        let name = try library.manager.newPrivateContext().performAndWait { context in
            (try context.existingObject(with: id) as? Author)?.name
        }
        #expect(name == "first")
    }

    @Test func theChildHasOneObjectForIt() throws {
        let child = main.scratchChild()
        let author = child.author(1, "first")
        let book = child.book("a", by: author)
        try child.saveToStore()
        #expect(try Author.all(in: child) == [author] && Book.all(in: child) == [book])
        #expect(try author.exists())
        // What others have made meanwhile is no other object either.
        author.name = "second"
        #expect(try Author.all(in: child) == [author] && Author.first(in: child)?.name == "second")
    }

    @Test func whatWasThereBeforeLeadsToIt() throws {
        let reader: Reader = library.make()
        reader.id = 7
        let old = library.book("old")
        try main.save()
        let child = main.scratchChild()
        let author = child.author(1, "first")
        try child.saveToStore()
        try old.object(in: child).author = author
        author.friends.insert(try reader.object(in: child))
        try child.saveToStore()
        #expect(try stored() == ["1 first [old]"])
        let friends = try library.manager.newPrivateContext().performAndWait { context in
            try Reader.all(in: context).flatMap { $0.friends.map(\.id) }
        }
        #expect(friends == [1])
    }

    @Test func throughTwoLevels() throws {
        let child = main.scratchChild()
        let grandchild = child.scratchChild()
        let author = grandchild.author(1, "first")
        try grandchild.saveToStore()
        #expect(try stored() == ["1 first []"])
        author.name = "second"
        grandchild.book("a", by: author)
        try grandchild.saveToStore()
        #expect(try stored() == ["1 second [a]"])
        for context in [child, main] {
            let there = try author.object(in: context)
            #expect(there.context === context && there.name == "second" && there.books.count == 1)
            #expect(there.objectID == author.objectID && !there.objectID.isTemporary)
        }
        author.delete()
        try grandchild.saveToStore()
        #expect(try stored().isEmpty)
        #expect(try Author.count(in: child) == 0 && Book.count(in: main) == 0)
    }

    @Test func aChildWithAQueueOfItsOwn() async throws {
        let manager = library.manager
        let child = main.privateChild()
        let steps = try await child.perform { context in
            var steps: [[String]] = []
            let author = context.author(1, "first")
            try context.saveToStore()
            steps.append(try ChildNumbersTests.stored(manager))
            author.name = "second"
            context.book("a", by: author)
            try context.saveToStore()
            steps.append(try ChildNumbersTests.stored(manager))
            author.delete()
            try context.saveToStore()
            steps.append(try ChildNumbersTests.stored(manager))
            return steps
        }
        #expect(steps == [["1 first []"], ["1 second [a]"], []])
        #expect(try Author.count(in: main) == 0 && !main.hasChanges)
    }

    @Test func aChildOfAPrivateContext() throws {
        let manager = library.manager
        let parent = manager.newPrivateContext()
        try parent.child().performAndWait { context in
            let author = context.author(1, "first")
            try context.saveToStore()
            author.name = "second"
            let book = context.book("a", by: author)
            try context.saveToStore()
            #expect(try ChildNumbersTests.stored(manager) == ["1 second [a]"])
            book.delete()
            author.name = "third"
            try context.saveToStore()
            #expect(try ChildNumbersTests.stored(manager) == ["1 third []"])
        }
        try parent.performAndWait { context in
            let names = try Author.all(in: context).map(\.name)
            #expect(names == ["third"] && !context.hasChanges)
        }
    }
}
