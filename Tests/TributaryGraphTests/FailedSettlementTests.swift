import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// What a save has settled with the store counts only if the save is kept.
@Suite struct FailedSettlementTests {
    private let manager: ContextManager

    /// Authors 1, 2 and 3.
    init() throws {
        manager = try ContextManager.library()
        try manager.writeAndWait { context in
            for number in 1...3 { context.author(number, "first") }
        }
    }

    private static func author(_ number: Int, _ context: ManagedObjectContext) throws -> Author {
        try #require(try Author.find(["id": number], in: context))
    }

    private func stored() throws -> [String] {
        try manager.newPrivateContext().performAndWait { context in
            try Author.all(in: context, sort: [SortKey("id")]).map { "\($0.id) \($0.name ?? "-") \($0.city ?? "-")" }
        }
    }

    /// Changes author 1 in another context, and gives author 2 a book, which denies her deletion.
    private func theirs() throws {
        try manager.writeAndWait { context in
            let author = try Self.author(1, context)
            author.name = "theirs"
            author.city = "theirs"
            context.book("a", by: try Self.author(2, context))
        }
    }

    private static let afterTheirs = ["1 theirs theirs", "2 first -", "3 first -"]

    @Test(arguments: [MergePolicy.rollback, .storeTrump, .objectTrump])
    func aSaveThatFailsAtTheCommitHasMergedNothing(_ policy: MergePolicy) throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let (stale, other) = (try Self.author(1, context), try Self.author(2, context))
            #expect(stale.name == "first" && stale.city == nil && other.books.isEmpty)
            try theirs()
            stale.name = "mine"
            other.delete()
            for _ in 0..<2 {
                let error = #expect(throws: SaveError.self) { try context.save() }
                #expect(error?.code == .conflict)
                #expect(stale.name == "mine" && stale.city == nil && stale.isUpdated && other.isDeleted)
                #expect(stale.changedValues == ["name": "mine"])
                #expect(stale.committedValues["name"] == "first" && stale.committedValues["city"] == .null)
            }
            #expect(try stored() == Self.afterTheirs)
            context.rollback()
            // Either what it was loaded with or what the store has, and one of them as a whole.
            let values = [stale.name, stale.city]
            #expect(values == ["first", nil] || values == ["theirs", "theirs"])
            #expect(!stale.hasChanges && !other.isDeleted && !context.hasChanges)
            try context.save()
        }
        #expect(try stored() == Self.afterTheirs)
    }

    @Test(arguments: [MergePolicy.rollback, .storeTrump, .objectTrump])
    func itIsSavedWhenTheOthersHaveBeenMerged(_ policy: MergePolicy) throws {
        let told = Guarded<SavedChanges?>(nil)
        let observation = manager.observeSaves { changes in told.withLock { $0 = changes } }
        defer { withExtendedLifetime(observation) {} }
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let (stale, other) = (try Self.author(1, context), try Self.author(2, context))
            #expect(stale.name == "first" && other.books.isEmpty)
            try theirs()
            stale.name = "mine"
            other.delete()
            #expect(throws: SaveError.self) { try context.save() }
            #expect(stale.name == "mine" && stale.city == nil && stale.hasChanges)
            context.merge(try #require(told.withLock { $0 }))
            #expect(stale.name == "mine" && stale.city == "theirs" && stale.isUpdated)
            try context.save()
            #expect(stale.name == "mine" && stale.city == "theirs" && !context.hasChanges)
        }
        #expect(try stored() == ["1 mine theirs", "3 first -"])
        #expect(try manager.newPrivateContext().performAndWait { try Book.count(in: $0) } == 0)
    }

    @Test(arguments: [MergePolicy.rollback, .storeTrump, .objectTrump])
    func referencesAreNotMergedEither(_ policy: MergePolicy) throws {
        try manager.writeAndWait { context in
            _ = context.book("b", by: try Self.author(1, context))
        }
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let authors = try Author.all(in: context, sort: [SortKey("id")])
            let book = try #require(try Book.first(in: context))
            #expect(authors.map { $0.books.count } == [1, 0, 0])
            try theirs()
            try manager.writeAndWait { context in
                let book = try #require(try Book.find(["isbn": "b"], in: context))
                book.author = try Self.author(2, context)
                book.pages = 2
            }
            book.author = authors[2]
            authors[1].delete()
            #expect(throws: SaveError.self) { try context.save() }
            #expect(book.author === authors[2] && book.pages == nil && book.isUpdated)
            #expect(authors[2].books.contains(book) && !authors[0].books.contains(book))
            context.rollback()
            #expect(!context.hasChanges && !authors[2].books.contains(book) && book.author !== authors[2])
        }
    }

    @Test func aLaterRefusalHasMergedNothing() throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = .objectTrump
            let (stale, other) = (try Self.author(1, context), try Self.author(2, context))
            #expect(stale.name == "first" && other.books.isEmpty)
            try theirs()
            stale.name = "mine"
            other.id = 3
            let error = #expect(throws: SaveError.self) { try context.save() }
            #expect(error?.code == .uniqueness)
            #expect(stale.name == "mine" && stale.city == nil && stale.changedValues == ["name": "mine"])
            other.id = 4
            try context.save()
            #expect(stale.name == "mine" && stale.city == "theirs" && !context.hasChanges)
        }
        #expect(try stored() == ["1 mine theirs", "3 first -", "4 first -"])
    }

    @Test(arguments: [MergePolicy.rollback, .storeTrump, .objectTrump])
    func theNewObjectIsStillNew(_ policy: MergePolicy) throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let other = try Self.author(2, context)
            #expect(other.books.isEmpty)
            try theirs()
            let new = context.author(1, "new")
            other.delete()
            let temporary = new.objectID
            #expect(throws: SaveError.self) { try context.save() }
            #expect(new.isInserted && new.objectID == temporary && new.name == "new" && new.city == nil)
            #expect(new.changedValues["name"] == "new" && new.changedValues["id"] == .integer(1))
            #expect(new.committedValues.isEmpty && context.insertedObjects == [new])
            // Saved alone it becomes the row.
            context.rollback()
            let again = context.author(1, "new")
            try context.save()
            #expect(again.name == (policy == .objectTrump ? "new" : "theirs") && !context.hasChanges)
        }
        #expect(try stored().count == 3)
    }

    @Test(arguments: [MergePolicy.rollback, .storeTrump])
    func theDeletionIsStillPending(_ policy: MergePolicy) throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let (stale, other) = (try Self.author(1, context), try Self.author(2, context))
            #expect(stale.books.isEmpty && other.books.isEmpty)
            try theirs()
            stale.delete()
            other.delete()
            #expect(throws: SaveError.self) { try context.save() }
            #expect(stale.isDeleted && other.isDeleted && context.deletedObjects == [stale, other])
            context.rollback()
            #expect(!stale.isDeleted && !other.isDeleted && !context.hasChanges)
        }
        #expect(try stored() == Self.afterTheirs)
    }
}
