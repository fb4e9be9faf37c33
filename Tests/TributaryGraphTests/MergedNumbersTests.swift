import Testing
import TributaryGraph
import TributaryTestSupport

/// New objects that have got their permanent ids before they turn out to be rows that are there already.
@Suite struct MergedNumbersTests {
    private let manager: ContextManager
    /// Author 1 as the store has her.
    private let stored: ObjectID

    /// Author 1, and reader 9.
    init() throws {
        manager = try ContextManager.library()
        stored = try manager.writeAndWait { context in
            let author = context.author(1, "old")
            try context.save()
            context.insert(Reader.self).id = 9
            return author.objectID
        }
    }

    /// A new author 1 with a permanent id.
    private static func author(_ context: ManagedObjectContext) throws -> Author {
        let author = context.author(1, "new")
        try context.obtainPermanentIDs(for: [author])
        return author
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump], [true, false])
    func itIsFoundAsItsRowAndNowhereElse(_ policy: MergePolicy, _ isLoaded: Bool) throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let earlier = try isLoaded ? Author.first(in: context) : nil
            let author = try Self.author(context)
            let given = author.objectID
            #expect(!given.isTemporary && given != stored && context.registeredObject(for: given) === author)
            try context.save()
            #expect(author.objectID == stored && author.name == (policy == .objectTrump ? "new" : "old"))
            #expect(context.registeredObject(for: stored) === author && context.object(with: stored) === author)
            #expect(context.registeredObject(for: given) === author && context.registeredObjects == [author])
            if let earlier { #expect(earlier.context == nil) }
            #expect(try Author.all(in: context) == [author])
            // Once it is gone nothing is left of it, under neither number.
            author.delete()
            try context.save()
            #expect(author.context == nil && context.registeredObjects.isEmpty)
            #expect(try Author.count(in: context) == 0)
        }
    }

    /// Makes author 1 once more, saves, and lets go of her.
    private static func makeAndForget(_ context: ManagedObjectContext) throws {
        let author = try author(context)
        try context.save()
        #expect(author.objectID.description == "Author/p1" && context.registeredObjects.count == 1)
    }

    @Test func noObjectIsKeptWithoutAReference() throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = .objectTrump
            try Self.makeAndForget(context)
            #expect(context.registeredObjects.isEmpty)
            let others = (100..<300).map { context.author($0) }
            try context.save()
            #expect(context.registeredObjects == Set<ManagedObject>(others))
            let found = try #require(try Author.find(["id": 1], in: context))
            #expect(found.objectID == stored && found.name == "new")
            #expect(context.registeredObject(for: stored) === found)
            #expect(others.allSatisfy { context.registeredObject(for: $0.objectID) === $0 })
            #expect(try Author.count(in: context) == 201 && Author.all(in: context).count == 201)
            withExtendedLifetime((others, found)) { #expect(context.registeredObjects.count == 201) }
            context.reset()
            #expect(context.registeredObjects.isEmpty)
        }
    }

    @Test(arguments: [MergePolicy.error, .storeTrump, .objectTrump, .overwrite, .rollback])
    func aSaveThatFailsLeavesItsNumber(_ policy: MergePolicy) throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let author = try Self.author(context)
            let given = author.objectID
            // A reader has its number: that is refused under every policy, behind the author.
            let other = context.author(9)
            for _ in 0..<2 {
                let error = #expect(throws: SaveError.self) { try context.save() }
                #expect(error?.code == .uniqueness)
                #expect(author.isInserted && author.objectID == given && author.name == "new")
                #expect(context.registeredObject(for: given) === author && context.object(with: given) === author)
                #expect(context.registeredObject(for: stored) == nil)
                #expect(context.registeredObjects == [author, other])
            }
            (author.id, other.id) = (2, 3)
            try context.save()
            #expect(author.objectID == given && context.registeredObject(for: given) === author)
            #expect(context.registeredObjects == [author, other] && !context.hasChanges)
            #expect(try Author.count(in: context) == 3)
        }
    }
}
