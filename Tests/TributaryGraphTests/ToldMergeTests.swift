import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// A model of its own for a hook: an object that records its name in `didSave`.
private final class NotedThing: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    /// The name as it was saved last.
    private(set) var savedName: String?

    override func didSave() { savedName = name }
}

/// Notifications about a save that merges a new object into an existing row.
@Suite("Notifications about merged objects") struct ToldMergeTests {
    private let manager: ContextManager

    /// Stores author 1, without a city.
    init() throws {
        manager = try ContextManager.library()
        try manager.writeAndWait { _ = $0.author(1, "old") }
    }

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

    @Test("A context that merges the save of a duplicate updates its loaded object")
    func aContextThatMergesItTakesTheNewValues() throws {
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
            // The context has the current version of the row, so its own save succeeds.
            author.city = "mine"
            try context.save()
        }
        #expect(try stored() == ["1 new mine"])
    }

    @MainActor @Test("The main context merges the save of a duplicate automatically")
    func theMainContextTakesThemByItself() async throws {
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

    @Test("A duplicate that is merged into its row is reported as an update", arguments: [false, true])
    func anObserverSeesAnUpdate(_ isLoaded: Bool) throws {
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

    @Test(
        "Of several new duplicates, only the remaining object receives didSave",
        arguments: [MergePolicy.objectTrump, .storeTrump])
    func ofSeveralNewObjectsOnlyTheOneThatStaysIsTold(_ policy: MergePolicy) throws {
        let manager = try ContextManager(model: Model(NotedThing.self), store: .memory)
        try manager.inNewContext(merging: policy) { context in
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

    @Test(
        "A changed object that is merged into a duplicate does not receive didSave",
        arguments: [MergePolicy.objectTrump, .storeTrump])
    func aChangedObjectThatGivesWayIsNotTold(_ policy: MergePolicy) throws {
        let manager = try ContextManager(model: Model(NotedThing.self), store: .memory)
        try manager.writeAndWait { $0.insert(NotedThing.self).id = 5 }
        try manager.inNewContext(merging: policy) { context in
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
