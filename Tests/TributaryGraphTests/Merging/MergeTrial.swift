import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// One run of a case: random values and links of clerk 1, compared with ``MergeOracle``.
///
/// Clerks 2 and 3 may be linked from the start, 4 to 8 are linked by one of two contexts.
final class MergeTrial {
    private let test: MergeCase
    private let manager: ContextManager
    private var random: SeededGenerator
    private var oracle = MergeOracle()
    /// The ID of the row of clerk 1.
    private var stored: ObjectID?
    /// The clerks that the other context has linked: the place that they get in an order is not defined.
    private var theirs: Set<Int> = []
    private let lastSave = Guarded<SavedChanges?>(nil)
    private var observation: ContextObservation?

    init(_ test: MergeCase, seed: UInt64) throws {
        self.test = test
        random = SeededGenerator.sampled(seed, case: test.number)
        manager = try ContextManager.clerks()
        let lastSave = lastSave
        observation = manager.observeSaves { saved in lastSave.withLock { $0 = saved } }
        for id in 1...5 { oracle.insert(id, ["name": id == 1 ? "e" : "c\(id)"]) }
        var links = [2, 3].shuffled(using: &random)
        links.removeLast(random.below(3))
        oracle.link(links, to: 1, by: test.relation)
        stored = try manager.writeAndWait { context in
            let clerks = (1...5).map { id in context.clerk(id, ["name": id == 1 ? "e" : "c\(id)"]) }
            clerks[0].link(links.map { clerks[$0 - 1] }, by: test.relation)
            try context.save()
            return clerks[0].objectID
        }
    }

    /// The case and its seed, for the report of a failure.
    private var label: String { "\(test.testDescription), seed \(random.seed)" }

    /// Calls `body` with the context whose saves reach the store, and with its descendants; the last one is changed.
    @MainActor func enter(_ body: ([ManagedObjectContext]) throws -> Void) throws {
        if test.place == .main { return try body([manager.mainContext]) }
        let levels = [MergeCase.Place.child, .grandchild].firstIndex(of: test.place).map { $0 + 1 } ?? 0
        try manager.newPrivateContext().performAndWait { context in
            var contexts = [context]
            for level in 0..<levels { contexts.append(contexts[level].scratchChild()) }
            try body(contexts)
        }
    }

    /// Inserts a clerk that has the ID of clerk 1, links others to it, and saves; later changes it and deletes it.
    func insertDuplicate(_ contexts: [ManagedObjectContext]) throws {
        guard let context = contexts.last else { return }
        contexts[0].mergePolicy = test.policy
        let held = try test.isLoaded ? contexts.map(load) : []
        defer { withExtendedLifetime(held) {} }
        let earlier = held.last?.first { $0.id == 1 }
        let values = draw()
        // Clerk 6 is inserted before the duplicate, and so its row is written first.
        let other = try #require(try Clerk.find(["id": 4], in: context))
        let first = context.clerk(6)
        let clerk = context.clerk(1, values)
        if random.once(in: 2) { try context.obtainPermanentIDs(for: [clerk]) }
        let given = clerk.objectID
        let inserted = [first, context.clerk(8)]
        let others = (inserted + [other]).shuffled(using: &random)
        clerk.link(others, by: test.relation)
        if test.policy == .error {
            let error = #expect(throws: SaveError.self) { try save(contexts) }
            #expect(error?.code == .uniqueness && error?.conflicts.map(\.objectID) == [given], "\(label)")
            #expect(error?.conflicts.first?.uniqueProperties == ["id"], "\(label)")
            try compareStore()
            clerk.id = 9
        }
        for id in [6, 8] { oracle.insert(id) }
        if test.policy == .error {
            oracle.insert(9, values)
            oracle.link(others.map(\.id), to: 9, by: test.relation)
        } else {
            var object = MergeOracle()
            object.insert(1, values)
            object.link(others.map(\.id), to: 1, by: test.relation)
            oracle.merge(object, loadedWith: nil, linking: others.map(\.id), test)
        }
        try save(contexts)
        if contexts.count > 1 { try refresh(contexts) }
        try compare(contexts)
        for each in contexts { #expect(try clerk.object(in: each).objectID == clerk.objectID, "\(label)") }
        if test.relation == .toOne { #expect(others.allSatisfy { $0.chief === clerk }, "\(label)") }
        if test.policy != .error {
            #expect(clerk.objectID == stored && earlier?.context == nil, "\(label)")
            let saved = try #require(lastSave.withLock { $0 })
            #expect(Set(saved.inserted) == Set(inserted.map(\.objectID)), "\(label)")
            #expect(saved.updated.contains(clerk.objectID), "\(label)")
        }
        let ids = [clerk.objectID] + (given.isTemporary ? [] : [given])
        #expect(ids.allSatisfy { context.registeredObject(for: $0) === clerk }, "\(label)")
        try changeLater(clerk, others, contexts)
        clerk.delete()
        try save(contexts)
        #expect(clerk.context == nil && ids.allSatisfy { context.registeredObject(for: $0) == nil }, "\(label)")
        for each in contexts { #expect(try Clerk.count(in: each) == oracle.columns.count - 1, "\(label)") }
    }

    /// Changes clerk 1 in another context and in the last one, and saves.
    func changeStaleObject(_ contexts: [ManagedObjectContext]) throws {
        guard let context = contexts.last else { return }
        contexts[0].mergePolicy = test.policy
        // A parent that does not hold the row would read it again, and have no conflict.
        let held = try contexts.map(load)
        defer { withExtendedLifetime(held) {} }
        let objects = try held.map { clerks in try #require(clerks.first { $0.id == 1 }) }
        let clerk = try #require(objects.last)
        let base = oracle
        try changeElsewhere()
        let values = draw()
        let others = [try #require(held.last?.first { $0.id == 5 }), context.clerk(6)]
        clerk.assign(values)
        clerk.link(others, by: test.relation)
        let rotates = test.relation == .ordered && random.once(in: 2)
        if rotates, let last = clerk.queue.last { clerk.queue.insert(last, at: 0) }
        if test.policy == .error {
            let error = #expect(throws: SaveError.self) { try save(contexts) }
            #expect(error?.code == .conflict, "\(label)")
            #expect(error?.conflicts.map(\.objectID) == [objects[0].objectID], "\(label)")
            try compareStore()
            // The other context has changed clerk 4 as well, which a rotated queue may move.
            for stale in held[0] where [1, 4].contains(stale.id) { try contexts[0].refresh(stale, mergeChanges: true) }
        }
        var object = base
        object.set(1, values)
        object.link([5, 6], to: 1, by: test.relation)
        oracle.insert(6)
        oracle.merge(object, loadedWith: base, linking: [5, 6], test)
        if rotates { oracle.rotateQueue(of: 1) }
        try save(contexts)
        expect([1: objects[0].fields(ignoring: theirs)], only: 1, "the merged object")
        try refresh(contexts)
        try compare(contexts)
        try changeLater(clerk, others, contexts)
    }

    /// Changes clerk 1 in another context, and links clerk 4 and a new one to it.
    private func changeElsewhere() throws {
        let values = draw()
        try manager.writeAndWait { context in
            let clerk = try #require(try Clerk.find(["id": 1], in: context))
            let others = [try #require(try Clerk.find(["id": 4], in: context)), context.clerk(7)]
            clerk.assign(values)
            clerk.link(others, by: test.relation)
        }
        theirs = [4, 7]
        oracle.set(1, values)
        oracle.insert(7)
        oracle.link([4, 7], to: 1, by: test.relation)
    }

    /// Saves further changes, which succeeds only if the contexts know the versions of their rows.
    private func changeLater(_ clerk: Clerk, _ others: [Clerk], _ contexts: [ManagedObjectContext]) throws {
        contexts[0].mergePolicy = .error
        clerk.name = nil
        clerk.hours = 9
        oracle.set(clerk.id, ["name": "-", "hours": "9"])
        for other in others {
            other.rate = 9
            oracle.set(other.id, ["rate": "9"])
        }
        try save(contexts)
        try compare(contexts)
    }

    /// Saves all contexts by one call, or each by its own.
    private func save(_ contexts: [ManagedObjectContext]) throws {
        if random.once(in: 2) { return try contexts[contexts.count - 1].saveToStore() }
        for each in contexts.reversed() { try each.save() }
    }

    /// Fetches all clerks, with their relationships if the case wants it.
    private func load(_ context: ManagedObjectContext) throws -> [Clerk] {
        let clerks = try Clerk.all(in: context)
        if test.isLoaded { for clerk in clerks { _ = clerk.fields() } }
        return clerks
    }

    /// Reads all objects again, because a context keeps values that others have changed.
    private func refresh(_ contexts: [ManagedObjectContext]) throws {
        for each in contexts {
            // A fetch gives the objects of a child the keys of their rows.
            _ = try Clerk.all(in: each)
            try each.refreshAllObjects()
        }
    }

    /// New values of clerk 1, from which equal derived values may follow: of "e" and "E", of 2 * 3 and 6 * 1.
    private func draw() -> [String: String] {
        var values: [String: String] = [:]
        for (column, texts) in [("name", ["E", "z"]), ("hours", ["1", "3", "6"]), ("rate", ["1", "2", "6"])] {
            if random.once(in: 2) { values[column] = random.pick(texts) }
        }
        return values.isEmpty ? ["name": "Z"] : values
    }

    private func rows(in context: ManagedObjectContext) throws -> [Int: [String: String]] {
        var rows: [Int: [String: String]] = [:]
        for clerk in try Clerk.all(in: context) {
            let earlier = rows.updateValue(clerk.fields(ignoring: theirs), forKey: clerk.id)
            #expect(earlier == nil, "two objects have the ID \(clerk.id): \(label)")
        }
        return rows
    }

    private func compareStore() throws {
        let found = try manager.newPrivateContext().performAndWait { try rows(in: $0) }
        expect(found, "the store")
    }

    private func compare(_ contexts: [ManagedObjectContext]) throws {
        try compareStore()
        for each in contexts {
            #expect(!each.hasChanges, "\(each.name): \(label)")
            expect(try rows(in: each), each.name)
        }
    }

    /// Compares rows with those of the oracle, or with the one of `id`.
    private func expect(_ found: [Int: [String: String]], only id: Int? = nil, _ place: String) {
        let expected = oracle.rows(ignoring: theirs).filter { id == nil || $0.key == id }
        // The values are large, and `#expect` would describe them each time.
        if found != expected { Issue.record("\(place): \(label): found \(found), expected \(expected)") }
    }
}
