import Testing
import TributaryGraph
import TributaryTestSupport

/// Unique values that objects of a save duplicate, swap or free.
@Suite struct UniquenessTests {
    private let manager: ContextManager

    init() throws {
        manager = try ContextManager.library()
        try manager.writeAndWait { context in
            for number in 1...2 {
                let author = context.author(number, "old \(number)")
                author.city = "town \(number)"
            }
        }
    }

    private func author(_ number: Int, _ context: ManagedObjectContext) throws -> Author {
        try #require(try Author.find(["id": number], in: context))
    }

    private func stored() throws -> [String] {
        try manager.newPrivateContext().performAndWait { context in
            try Author.all(in: context, sort: [SortKey("id")]).map { "\($0.id) \($0.name ?? "-") \($0.city ?? "-")" }
        }
    }

    @Test(
        "An inserted duplicate is merged with its row as the merge policy says",
        arguments: [
            (MergePolicy.storeTrump, "1 old 1 town 1"), (.rollback, "1 old 1 town 1"), (.objectTrump, "1 new -"),
            (.overwrite, "1 new -"),
        ])
    func anInsertUnderEachPolicy(_ policy: MergePolicy, _ row: String) throws {
        try manager.inNewContext(merging: policy) { context in
            let before = try self.author(1, context)
            let author = context.author(1, "new")
            try context.save()
            #expect(!context.hasChanges && author.context === context && !author.objectID.isTemporary)
            #expect("\(author.id) \(author.name ?? "-") \(author.city ?? "-")" == row, "\(policy)")
            let now = try self.author(1, context)
            #expect(now === author && before.context == nil, "\(policy)")
            #expect(try Author.all(in: context).count == 2, "\(policy)")
            author.city = "moved"
            try context.save()
        }
        #expect(try stored().count == 2, "\(policy)")
        #expect(try stored()[0].hasSuffix("moved"), "\(policy)")
    }

    @Test("The error policy names the duplicate property and keeps all changes")
    func theErrorPolicyNamesThePropertyAndKeepsAll() throws {
        try manager.newPrivateContext().performAndWait { context in
            let author = context.author(1)
            let book = context.book("x")
            author.books.insert(book)
            let error = #expect(throws: SaveError.self) { try context.save() }
            #expect(error?.code == .uniqueness && error?.conflicts.first?.uniqueProperties == ["id"])
            #expect(author.isInserted && book.isInserted && author.objectID.isTemporary && book.author === author)
            #expect(error?.conflicts.first?.objectID == author.objectID)
            #expect(try Author.all(in: context).count == 3)
            author.id = 3
            try context.save()
            #expect(!author.objectID.isTemporary && author.books.contains(book))
        }
        #expect(try stored() == ["1 old 1 town 1", "2 old 2 town 2", "3 - -"])
    }

    @Test(
        "An update to a duplicate value is refused or undone, as the merge policy says",
        arguments: [MergePolicy.error, .storeTrump, .objectTrump, .overwrite, .rollback])
    func anUpdateUnderEachPolicy(_ policy: MergePolicy) throws {
        try manager.inNewContext(merging: policy) { context in
            let author = try self.author(2, context)
            author.id = 1
            author.name = "new"
            if policy == .storeTrump || policy == .rollback {
                try context.save()
                #expect(author.id == 2 && !context.hasChanges, "\(policy)")
                return
            }
            let error = #expect(throws: SaveError.self) { try context.save() }
            #expect(error?.code == .uniqueness && error?.conflicts.first?.uniqueProperties == ["id"])
            #expect(author.id == 1 && author.isUpdated)
            author.id = 4
            try context.save()
        }
        let rows = try stored()
        let isKept = policy == .storeTrump || policy == .rollback
        #expect(rows.count == 2 && rows[1].hasPrefix(isKept ? "2" : "4 new"), "\(policy): \(rows)")
    }

    @Test("Two duplicates in one save are refused or merged, as the merge policy says")
    func twoNewOnesOfOneSave() throws {
        manager.newPrivateContext().performAndWait { context in
            for _ in 0..<2 { context.author(5) }
            let error = #expect(throws: SaveError.self) { try context.save() }
            #expect(error?.code == .uniqueness && context.insertedObjects.count == 2)
        }
        for policy in [MergePolicy.objectTrump, .storeTrump] {
            let test = try UniquenessTests()
            try test.manager.inNewContext(merging: policy) { context in
                for name in ["one", "two"] {
                    context.author(5, name)
                }
                try context.save()
                #expect(!context.hasChanges)
                #expect(try Author.all(in: context).count == 3, "\(policy)")
            }
            #expect(try test.stored().last == "5 \(policy == .objectTrump ? "two" : "one") -")
        }
    }

    @Test("Saved objects can swap their unique values")
    func savedObjectsSwapTheirs() throws {
        try manager.newPrivateContext().performAndWait { context in
            let (one, two) = (try author(1, context), try author(2, context))
            (one.id, two.id) = (2, 1)
            try context.save()
            #expect(one.id == 2 && two.id == 1)
        }
        #expect(try stored() == ["1 old 2 town 2", "2 old 1 town 1"])
    }

    @Test("Unique values can move along a chain of objects in one save")
    func aChainMovesOn() throws {
        try manager.newPrivateContext().performAndWait { context in
            let (one, two) = (try author(1, context), try author(2, context))
            (one.id, two.id) = (2, 3)
            context.author(1)
            try context.save()
        }
        #expect(try stored() == ["1 - -", "2 old 1 town 1", "3 old 2 town 2"])
    }

    @Test(
        "A unique value that a save frees can be used again in the same save",
        arguments: [MergePolicy.error, .objectTrump, .storeTrump])
    func aValueSetFreeByADeletionIsTaken(_ policy: MergePolicy) throws {
        try manager.inNewContext(merging: policy) { context in
            try self.author(1, context).delete()
            context.author(1)
            try self.author(2, context).id = 3
            let other = context.insert(Reader.self)
            other.id = 2
            try context.save()
        }
        #expect(try stored() == ["1 - -", "3 old 2 town 2"], "\(policy)")
    }
}
