import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// Something that looks at itself when it has been saved.
private final class NotedThing: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    /// The name as it was saved last.
    private(set) var savedName: String?

    override func didSave() { savedName = name }
}

/// What is told of a save in which a new object turns out to be a row that is there already.
@Suite struct ToldMergeTests {
    private let manager: ContextManager

    /// Author 1 without a city.
    init() throws {
        manager = try ContextManager.library()
        try manager.writeAndWait { _ = $0.author(1, "old") }
    }

    /// Makes author 1 once more.
    @discardableResult
    private static func author(_ context: ManagedObjectContext) -> Author {
        context.mergePolicy = .objectTrump
        return context.author(1, "new")
    }

    private func stored() throws -> [String] {
        try manager.newPrivateContext().performAndWait { context in
            try Author.all(in: context).map { "\($0.id) \($0.name ?? "-") \($0.city ?? "-")" }
        }
    }

    // MARK: Other contexts

    @Test func aContextThatMergesItTakesTheNewValues() throws {
        let told = Guarded<SavedChanges?>(nil)
        let observation = manager.observeSaves { changes in told.withLock { $0 = changes } }
        defer { withExtendedLifetime(observation) {} }
        try manager.newPrivateContext().performAndWait { context in
            let author = try #require(try Author.first(in: context))
            #expect(author.name == "old")
            try manager.newPrivateContext().performAndWait { context in
                Self.author(context)
                try context.save()
            }
            let saved = try #require(told.withLock { $0 })
            #expect(saved.updated == [author.objectID] && saved.inserted.isEmpty && saved.deleted.isEmpty)
            context.merge(saved)
            #expect(author.name == "new" && !author.hasChanges)
            // It knows the row as it is now.
            author.city = "mine"
            try context.save()
        }
        #expect(try stored() == ["1 new mine"])
    }

    @MainActor @Test func theMainContextTakesThemByItself() async throws {
        let main = manager.mainContext
        let author = try #require(try Author.first(in: main))
        #expect(author.name == "old")
        try await manager.newPrivateContext().perform { context in
            Self.author(context)
            try context.save()
        }
        #expect(author.name == "new" && !author.hasChanges)
        author.city = "mine"
        try main.save()
        #expect(try stored() == ["1 new mine"])
    }

    // MARK: Observers of the save

    @Test(arguments: [false, true]) func anObserverSeesAnUpdate(_ isLoaded: Bool) throws {
        try manager.newPrivateContext().performAndWait { context in
            var told: [ContextChanges] = []
            let observation = context.observeDidSave { _, changes in told.append(changes) }
            defer { withExtendedLifetime(observation) {} }
            let earlier = try isLoaded ? Author.first(in: context) : nil
            let author = Self.author(context)
            let other = context.author(2)
            try context.save()
            #expect(told.count == 1 && told.first?.updated == [author] && told.first?.inserted == [other])
            #expect(told.first?.deleted.isEmpty ?? false)
            if let earlier { #expect(earlier.context == nil) }
        }
    }

    // MARK: The objects themselves

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
    func ofSeveralNewObjectsOnlyTheOneThatStaysIsTold(_ policy: MergePolicy) throws {
        let manager = try ContextManager(model: Model(NotedThing.self), store: .memory)
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let things = ["first", "second", "third"].map { name in
                let thing = context.insert(NotedThing.self)
                thing.id = 5
                thing.name = name
                return thing
            }
            try context.save()
            let left = things.filter { $0.context != nil }
            #expect(left.count == 1 && things.filter { $0.savedName != nil } == left)
            #expect(left.first?.savedName == (policy == .objectTrump ? "third" : "first"))
            #expect(try NotedThing.all(in: context) == left && !context.hasChanges)
        }
        #expect(try manager.newPrivateContext().performAndWait { try NotedThing.count(in: $0) } == 1)
    }

    @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
    func aChangedObjectThatGivesWayIsNotTold(_ policy: MergePolicy) throws {
        let manager = try ContextManager(model: Model(NotedThing.self), store: .memory)
        try manager.writeAndWait { $0.insert(NotedThing.self).id = 5 }
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let earlier = try #require(try NotedThing.first(in: context))
            earlier.name = "changed"
            let thing = context.insert(NotedThing.self)
            thing.id = 5
            thing.name = "new"
            try context.save()
            #expect(earlier.context == nil && earlier.savedName == nil && thing.context === context)
            #expect(thing.savedName == (policy == .objectTrump ? "new" : "changed"))
            #expect(try NotedThing.all(in: context) == [thing] && !context.hasChanges)
        }
    }
}
