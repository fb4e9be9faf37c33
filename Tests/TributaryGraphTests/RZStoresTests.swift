import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

@MainActor @Suite("Store features known from RZVinyl") struct RZStoresTests {
    private let folder = try? TemporaryFolder()

    private func store(_ name: String) throws -> StoreLocation { .sqlite(try #require(folder).path(name)) }

    private func divided() throws -> Model {
        var declaration = try Model(Tweet.self, PinnedTweet.self, Reply.self).declaration
        declaration.entities.append(makeEntity("Note", [makeAttribute("text", isRequired: true)]))
        declaration.configurations = [
            .init("Tweets", ["Tweet", "PinnedTweet", "Reply"]), .init("Notes", ["Note"]), .init("Nothing", []),
        ]
        return try Model(declaration)
    }

    @Test("Configurations place entities in separate stores")
    func configurationsDivideTheEntities() throws {
        let manager = try ContextManager(
            model: divided(), classes: SeedStage.classes,
            stores: [
                StorePlacement("Tweets", at: store("tweets")), StorePlacement("Notes", at: store("notes")),
                StorePlacement("Nothing", at: store("nothing")),
            ])
        let context = manager.mainContext
        SeedStage.tweet(1, in: context)
        let note = try context.insert(entity: "Note")
        // An invalid object prevents the save in all stores.
        #expect(throws: SaveError.self) { try context.save() }
        #expect(try manager.newPrivateContext().performAndWait { try Tweet.count(in: $0) } == 0)
        note["text"] = "x"
        try context.save()
        let counts = try ["tweets", "notes", "nothing"].map { name in
            guard case .sqlite(let path) = try store(name) else { return -1 }
            let tables = try Connection(.file(path)).rows(
                of: "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('Tweet', 'Reply', 'Note')")
            return tables.count
        }
        #expect(counts == [2, 1, 0])
        note["text"] = "y"
        SeedStage.tweet(2, in: context)
        context.rollback()
        #expect(try note["text"] == "x" && Tweet.count(in: context) == 1 && !context.hasChanges)
    }

    @Test("A duplicate in one store prevents the save in all stores")
    func aFullStoreKeepsTheOthersFromBeingSaved() throws {
        let manager = try ContextManager(
            model: divided(), classes: SeedStage.classes,
            stores: [StorePlacement("Notes", at: store("a")), StorePlacement("Tweets", at: store("b"))])
        let context = manager.mainContext
        SeedStage.tweet(1, in: context)
        try context.save()
        // The second store reports the duplicate after the first store was written.
        try context.insert(entity: "Note")["text"] = "x"
        let twin = SeedStage.tweet(1, in: context)
        #expect(throws: SaveError.self) { try context.save() }
        #expect(
            try manager.newPrivateContext().performAndWait { try $0.count(FetchRequest<ManagedObject>(entity: "Note")) }
                == 0)
        context.delete(twin)
        try context.save()
        #expect(
            try manager.newPrivateContext().performAndWait { try $0.count(FetchRequest<ManagedObject>(entity: "Note")) }
                == 1)
    }

    @Test("A configuration without entities can be opened as a store")
    func anEmptyConfigurationIsAStoreToo() throws {
        let manager = try ContextManager(
            model: divided(), classes: SeedStage.classes, stores: [StorePlacement("Nothing", at: store("empty"))])
        let error = #expect(throws: ContextError.self) { try Tweet.count(in: manager.mainContext) }
        #expect(error?.reason == "the entity Tweet belongs to no open store")
        #expect(throws: ContextError.self) { try manager.mainContext.insert(entity: "Note") }
        try manager.mainContext.save()
        manager.close()
        let again = try ContextManager(
            model: divided(), classes: SeedStage.classes, stores: [StorePlacement("Nothing", at: store("empty"))])
        #expect(!again.didEraseStores)
        #expect(throws: ModelError.self) {
            try ContextManager(model: divided(), stores: [StorePlacement("Nowhere", at: store("x"))])
        }
    }

    @Test("A purge deletes the objects that match the staleness filter of their class")
    func staleObjectsArePurged() async throws {
        let stage = try SeedStage()
        let (fresh, stale) = (stage.tweet(1, age: 10), stage.tweet(2, age: 11))
        let reply = stage.context.insert(Reply.self)
        reply.tweet = stale
        for (id, age) in [(3, 500), (4, 5000)] {
            let pinned = stage.context.insert(PinnedTweet.self)
            pinned.id = id
            pinned.age = age
        }
        try stage.context.save()
        #expect(try await stage.manager.purgeStaleObjects() == 2)
        #expect(try Tweet.all(in: stage.context).map(\.id) == [1, 3])
        #expect(try Reply.count(in: stage.context) == 0)
        #expect(stale.isDeleted && !fresh.isDeleted)
        #expect(try await stage.manager.purgeStaleObjects() == 0)
        // Without a staleness filter, no object is stale.
        #expect(try await Library().manager.purgeStaleObjects() == 0)
    }

    @Test("IDs become permanent with a save, or earlier on request")
    func idsAreForGoodAfterASaveOrBeforeOnDemand() async throws {
        let stage = try SeedStage()
        let (one, other) = (stage.tweet(1), stage.tweet(2))
        let temporary = one.objectID
        #expect(temporary.isTemporary)
        try stage.context.obtainPermanentIDs(for: [one])
        let id = one.objectID
        #expect(!id.isTemporary && one.isInserted && id != temporary)
        let observation = stage.context.observeWillSave { context in
            // RZVinyl did the same in its save hook.
            try? context.obtainPermanentIDs(for: Array(context.insertedObjects))
        }
        try stage.context.save()
        #expect(one.objectID == id && !other.objectID.isTemporary)
        #expect(
            try await stage.manager.newPrivateContext().perform { (try $0.existingObject(with: id) as? Tweet)?.id } == 1
        )
        withExtendedLifetime(observation) {}
    }

    @Test("Permanent IDs of many objects are assigned in one transaction")
    func idsAreAssignedTogether() throws {
        let recorder = StatementRecorder()
        let library = try Library(options: recorder.options)
        let context = library.context
        let child = context.scratchChild()
        for owner in [context, child] {
            var objects: [ManagedObject] = (0..<40).map { owner.author($0) }
            objects += (0..<40).map { number in owner.book("\(number)") }
            objects += (40..<60).map { owner.author($0) }
            let before = recorder.all.count
            try owner.obtainPermanentIDs(for: objects.shuffled())
            #expect(recorder.all.dropFirst(before).filter { $0.hasPrefix("BEGIN") }.count == 1)
            let ids = objects.map(\.objectID)
            #expect(Set(ids).count == 100 && !ids.contains(where: \.isTemporary))
            try owner.obtainPermanentIDs(for: objects)
            #expect(objects.map(\.objectID) == ids)
            owner.rollback()
        }
    }

    @Test("A save without changes is reported to observers until they are released")
    func unchangedSavesAreTold() throws {
        let stage = try SeedStage()
        var told: [Bool] = []
        var observation: ContextObservation? = stage.context.observeDidSave { _, changes in told.append(changes.isEmpty)
        }
        try stage.context.save()
        stage.tweet(1)
        try stage.context.save()
        try stage.context.save()
        #expect(told == [true, false, true])
        // An observation ends when it is released.
        withExtendedLifetime(observation) {}
        observation = nil
        try stage.context.save()
        #expect(told.count == 3)
    }

    @Test("The main actor can wait for background work without a deadlock")
    func theMainActorMayWaitForBackgroundWork() throws {
        let stage = try SeedStage()
        for id in 0..<50 {
            stage.manager.write {
                _ = SeedStage.tweet(id, in: $0)
            } completion: { _ in
            }
        }
        // Background saves notify the main context without waiting for it.
        try stage.manager.writeAndWait { _ = SeedStage.tweet(50, in: $0) }
        #expect(try Tweet.count(in: stage.context) == 51)
    }
}
