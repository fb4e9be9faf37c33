import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// A list in order that belongs to something computed.
private final class NumberedList: ManagedObject {
    @Attribute var name: String?
    @Attribute var note: String?
    @Attribute(.derived("uppercase:(name)")) var loudName: String?
    @Attribute(.derived("entries.@count")) var count: Int
    @Relationship(inverse: \NumberedEntry.list) var entries: OrderedToMany<NumberedEntry>
}

private final class NumberedEntry: ManagedObject {
    @Attribute var text: String
    @Relationship var list: NumberedList?
}

/// Merges beside the ones that other suites look at: several objects, several lists, both sides changed.
@MainActor @Suite struct MergedStateTests {
    private let library: Library

    /// Author 1 with book a, and author 2.
    init() throws {
        library = try Library()
        _ = library.book("a", by: library.author(1, "old"))
        _ = library.author(2)
        try library.context.save()
    }

    private var main: ManagedObjectContext { library.context }

    // MARK: Children

    @Test func aFetchFindsOneObjectWhereBothHaveChanged() throws {
        main.mergePolicy = .objectTrump
        let child = main.scratchChild()
        let earlier = try #require(try Author.first(in: child, where: "id == 1"))
        let new = child.author(1, "new")
        try child.save()
        earlier.city = "mine"
        new.name = "newer"
        try main.save()
        // Without a filter and an order nothing is read of an object that is gone.
        let found = try Author.all(in: child)
        #expect(found.count == 2 && found.allSatisfy { $0.context === child })
        try child.saveToStore()
        #expect(!child.hasChanges && !main.hasChanges)
    }

    @Test(arguments: [false, true]) func theOneThatStaysHasTheBooksOfBoth(_ isChanged: Bool) throws {
        main.mergePolicy = .objectTrump
        let child = main.scratchChild()
        let earlier = try #require(try Author.first(in: child, where: "id == 1"))
        #expect(earlier.books.map(\.isbn) == ["a"])
        let new = child.author(1, "new")
        let book = child.book("b", by: new)
        try child.save()
        if isChanged { earlier.city = "mine" }
        try main.save()
        let author = try #require(try Author.first(in: child, where: "id == 1"))
        #expect(author === (isChanged ? earlier : new) && book.author === author)
        #expect(author.books.map(\.isbn).sorted() == ["a", "b"])
    }

    // MARK: What is told

    @Test func severalNewObjectsOfASavedRowAreAnUpdate() throws {
        let manager = library.manager
        let told = Guarded<SavedChanges?>(nil)
        let observation = manager.observeSaves { changes in told.withLock { $0 = changes } }
        defer { withExtendedLifetime(observation) {} }
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = .objectTrump
            let authors = ["one", "two"].map { context.author(1, $0) }
            try context.save()
            let saved = try #require(told.withLock { $0 })
            #expect(saved.inserted.isEmpty && saved.updated == [authors[1].objectID])
        }
    }

    // MARK: Lists

    @Test(arguments: [MergePolicy.storeTrump, .rollback])
    func aBookThatHasMovedAndIsNotDeletedIsInItsNewList(_ policy: MergePolicy) throws {
        let manager = library.manager
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let authors = try Author.all(in: context, sort: [SortKey("id")])
            #expect(authors.map { $0.books.count } == [1, 0])
            let book = try #require(authors[0].books.objects.first)
            try manager.writeAndWait { context in
                try #require(try Book.first(in: context)).author = try Author.first(in: context, where: "id == 2")
            }
            book.delete()
            try context.save()
            #expect(!book.isDeleted && book.author === authors[1])
            #expect(authors.map { $0.books.count } == [0, 1])
        }
    }

    /// The list, which is still to be written, is counted with what others have added meanwhile.
    @Test(arguments: [MergePolicy.objectTrump, .storeTrump], [false, true])
    func theOrderOfAListIsKept(_ policy: MergePolicy, _ isLonger: Bool) throws {
        let manager = try ContextManager(model: Model(NumberedList.self, NumberedEntry.self), store: .memory)
        func texts(_ context: ManagedObjectContext) throws -> [String] {
            try #require(try NumberedList.first(in: context)).entries.map(\.text)
        }
        func entry(_ text: String, _ context: ManagedObjectContext) -> NumberedEntry {
            let entry = context.insert(NumberedEntry.self)
            entry.text = text
            return entry
        }
        try manager.writeAndWait { context in
            let list = context.insert(NumberedList.self)
            for text in ["a", "b"] { list.entries.append(entry(text, context)) }
        }
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let list = try #require(try NumberedList.first(in: context))
            #expect(list.entries.map(\.text) == ["a", "b"])
            try manager.writeAndWait { other in
                let list = try #require(try NumberedList.first(in: other))
                list.note = "theirs"
                if isLonger { list.entries.append(entry("x", other)) }
            }
            list.name = "mine"
            list.entries.append(entry("c", context))
            let second = list.entries[1]
            list.entries.insert(second, at: 0)
            #expect(list.entries.map(\.text) == ["b", "a", "c"])
            try context.save()
            #expect(list.note == "theirs" && list.loudName == "MINE" && !context.hasChanges)
            #expect(list.count == (isLonger ? 4 : 3))
            #expect(try texts(context).filter { $0 != "x" } == ["b", "a", "c"])
        }
        try manager.newPrivateContext().performAndWait { context in
            let stored = try texts(context)
            #expect(stored.filter { $0 != "x" } == ["b", "a", "c"] && stored.contains("x") == isLonger)
            #expect(try NumberedList.first(in: context)?.count == stored.count)
        }
    }
}
