import Testing
import TributaryGraph
import TributarySQLite

/// What is told apart by two values.
private final class SwappedMember: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute(.unique) var mail: String
    @Attribute var name: String?
}

/// Saved objects that exchange unique values, one of which another object keeps.
@Suite struct SwappedUniqueTests {
    private let manager: ContextManager

    /// Authors 1, 2 and 3, and as many members.
    init() throws {
        manager = try ContextManager(
            model: Model(Author.self, Reader.self, Book.self, Series.self, SwappedMember.self), store: .memory)
        try manager.writeAndWait { context in
            for number in 1...3 {
                let author = context.author(number, "old \(number)")
                author.city = "town \(number)"
                let member = context.insert(SwappedMember.self)
                member.number = number
                member.mail = "m\(number)"
            }
        }
    }

    private func author(_ number: Int, _ context: ManagedObjectContext) throws -> Author {
        try #require(try Author.find(["id": number], in: context))
    }

    private func member(_ number: Int, _ context: ManagedObjectContext) throws -> SwappedMember {
        try #require(try SwappedMember.find(["number": number], in: context))
    }

    /// The rows of the authors in the order in which they were made.
    private func authors() throws -> [[SQLValue]] {
        try manager.stores.stores[0].read {
            try $0.rows(of: "SELECT \"id\", \"name\", \"city\" FROM \"Person\" ORDER BY \"_pk\"")
        }
    }

    private func members() throws -> [[SQLValue]] {
        try manager.stores.stores[0].read {
            try $0.rows(of: "SELECT \"number\", \"mail\", \"name\" FROM \"SwappedMember\" ORDER BY \"_pk\"")
        }
    }

    @Test(arguments: [MergePolicy.storeTrump, .rollback], [true, false])
    func whoseNewValueIsTakenKeepsTheOldOne(_ policy: MergePolicy, _ isFirst: Bool) throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let (two, three) = (try author(2, context), try author(3, context))
            if isFirst { two.id = 1 }
            three.id = 4
            if !isFirst { two.id = 1 }
            try context.save()
            #expect(two.id == 2 && three.id == 4)
            #expect(!two.hasChanges && !three.hasChanges && !context.hasChanges)
            #expect(try Author.all(in: context, sort: [SortKey("id")]).map(\.id) == [1, 2, 4])
            // The context knows the rows as they are now.
            context.mergePolicy = .error
            two.city = "later 2"
            three.city = "later 3"
            try context.save()
        }
        #expect(try authors() == [[1, "old 1", "town 1"], [2, "old 2", "later 2"], [4, "old 3", "later 3"]])
    }

    @Test(arguments: [MergePolicy.storeTrump, .rollback])
    func otherUniqueValuesAreKeptAsWell(_ policy: MergePolicy) throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let (two, three) = (try member(2, context), try member(3, context))
            two.number = 1
            three.number = 4
            try context.save()
            #expect(two.number == 2 && two.mail == "m2" && three.number == 4 && three.mail == "m3")
            #expect(!context.hasChanges)
        }
        #expect(try members() == [[1, "m1", nil], [2, "m2", nil], [4, "m3", nil]])
    }

    @Test(arguments: [MergePolicy.storeTrump, .rollback])
    func anotherUniqueValueThatIsTaken(_ policy: MergePolicy) throws {
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let (two, three) = (try member(2, context), try member(3, context))
            two.mail = "m1"
            three.number = 4
            try context.save()
            #expect(two.number == 2 && two.mail == "m2" && three.number == 4 && three.mail == "m3")
            #expect(!context.hasChanges)
        }
        #expect(try members() == [[1, "m1", nil], [2, "m2", nil], [4, "m3", nil]])
    }

    @Test(arguments: [MergePolicy.storeTrump, .rollback])
    func aChainWhoseEndIsTakenFailsFromThere(_ policy: MergePolicy) throws {
        let before = try authors()
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let (two, three) = (try author(2, context), try author(3, context))
            two.id = 1
            three.id = 2
            try context.save()
            // The first keeps its value, and so the next one does not get it.
            #expect(two.id == 2 && three.id == 3)
            #expect(!two.hasChanges && !three.hasChanges && !context.hasChanges)
        }
        #expect(try authors() == before)
    }

    @Test(arguments: [MergePolicy.storeTrump, .rollback])
    func aChainWhoseEndIsTakenIsRefusedWhereItsValueIsGone(_ policy: MergePolicy) throws {
        let before = try authors()
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let (two, three) = (try author(2, context), try author(3, context))
            three.id = 2
            two.id = 1
            // When the last one is refused its own value has been given to another one already.
            for _ in 0..<2 {
                let error = #expect(throws: SaveError.self) { try context.save() }
                #expect(error?.code == .uniqueness && error?.conflicts.map(\.objectID) == [two.objectID])
                #expect(error?.conflicts.first?.uniqueProperties == ["id"])
                #expect(two.id == 1 && three.id == 2 && two.isUpdated && three.isUpdated)
                #expect(try authors() == before)
            }
            // Mended, it goes through.
            two.id = 4
            try context.save()
            #expect(!context.hasChanges)
        }
        #expect(try authors().map { $0[0] } == [1, 4, 2])
    }

    @Test(arguments: [MergePolicy.error, .objectTrump, .overwrite])
    func whatIsRefusedLeavesAllRowsAsTheyWere(_ policy: MergePolicy) throws {
        let before = try authors()
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let (two, three) = (try author(2, context), try author(3, context))
            (two.id, three.id) = (1, 4)
            let error = #expect(throws: SaveError.self) { try context.save() }
            #expect(error?.code == .uniqueness && error?.conflicts.first?.objectID == two.objectID)
            #expect(two.id == 1 && three.id == 4 && two.isUpdated && three.isUpdated)
        }
        #expect(try authors() == before)
    }
}
