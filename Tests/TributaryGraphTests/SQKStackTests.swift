import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

@MainActor @Suite("Stack features known from SQKDataKit") struct SQKStackTests {
    @Test("A manager opens a store for a model, or throws if it cannot")
    func aManagerIsMadeOfAModelAndAPlace() throws {
        let library = try Library()
        #expect(library.manager.model === library.model && library.manager.storeNames.count == 1)
        #expect(!library.manager.didEraseStores && !library.manager.options.isReadOnly)
        #expect(throws: ModelError.self) {
            try ContextManager(model: Model(ModelDescription()), classes: [Reader.self])
        }
        let folder = try TemporaryFolder()
        let text = try folder.write("not a database".utf8, to: "x.sqlite")
        let error = #expect(throws: StoreError.self) { try ContextManager(model: library.model, store: .sqlite(text)) }
        #expect(error?.code == .damaged)
        #expect(throws: (any Error).self) {
            try ContextManager(model: library.model, store: .sqlite(folder.path("no/such/folder.sqlite")))
        }
    }

    @Test("The default file of a store is named after its alias")
    func theDefaultPlaceIsNamedByTheAlias() throws {
        let alias = "tributary-tests-\(UUID())"
        let location = try StoreLocation.default(for: alias)
        guard case .sqlite(let path) = location else { return #expect(Bool(false), "the default location is no file") }
        #expect(path.hasSuffix("/\(alias).sqlite") && !FileManager.default.fileExists(atPath: path))
        let manager = try ContextManager(model: SeedStage.model(), alias: alias)
        #expect(FileManager.default.fileExists(atPath: path) && manager.storeNames == [path])
        manager.close()
        #expect(try ContextManager.erase(location))
        #expect(SeedStage.endings(of: path) == [])
    }

    @Test("A manager has one main context, and creates a new private one on each call")
    func theMainContextIsOneAndPrivateOnesAreNew() async throws {
        let stage = try SeedStage()
        #expect(stage.manager.mainContext === stage.manager.mainContext)
        let (one, other) = (stage.manager.newPrivateContext(), stage.manager.newPrivateContext())
        #expect(one !== other)
        stage.tweet(1)
        // Private contexts read the store, so they do not see unsaved changes of the main context.
        #expect(try await one.perform { try Tweet.count(in: $0) } == 0)
        try stage.context.save()
        #expect(try await other.perform { try Tweet.count(in: $0) } == 1)
    }

    @Test("The main context merges saves of private contexts and reports watched rows")
    func savesOfPrivateContextsAreMerged() async throws {
        let stage = try SeedStage()
        let tweet = stage.tweet(1, "old")
        stage.tweet(2, "old")
        try stage.context.save()
        // The second tweet is not retained, but an observer that watches it receives its change.
        var heard: [String] = []
        let watching = try stage.context.watch("Tweet", where: "text == \("new")")
        let observation = stage.context.observeChanges { _, changes in
            heard += (changes.inserted.union(changes.refreshed)).compactMap { ($0 as? Tweet).map { "\($0.id)" } }
        }
        let context = stage.manager.newPrivateContext()
        try await context.perform { context in
            for tweet in try Tweet.all(in: context) { tweet.text = "new" }
            SeedStage.tweet(3, "new", in: context)
            try context.save()
        }
        await mainQueue()
        #expect(tweet.text == "new" && !tweet.hasChanges)
        #expect(heard.sorted() == ["1", "2", "3"])
        #expect(try Tweet.count(in: stage.context, where: "text == \("new")") == 3)
        withExtendedLifetime((watching, observation)) {}
    }

    @Test("shouldMergeOnSave of the saving context decides whether others merge its save")
    func mergingIsASwitchOfTheContextThatSaves() async throws {
        let stage = try SeedStage()
        let tweet = stage.tweet(1, "old")
        try stage.context.save()
        let context = stage.manager.newPrivateContext()
        try await context.perform { context in
            #expect(context.shouldMergeOnSave)
            context.shouldMergeOnSave = false
            try #require(try Tweet.first(in: context)).text = "new"
            try context.save()
        }
        await mainQueue()
        #expect(tweet.text == "old")
        try stage.context.refresh(tweet, mergeChanges: true)
        #expect(tweet.text == "new")
    }

    @Test("A save to another store is not merged")
    func aForeignStoreIsNotMerged() async throws {
        let (one, other) = (try SeedStage(), try SeedStage())
        let (mine, theirs) = (one.tweet(1, "mine"), other.tweet(1, "theirs"))
        try one.context.save()
        try other.context.save()
        let observation = one.manager.observeSaves { saved in
            Task { @MainActor in other.context.merge(saved) }
        }
        try await one.manager.write { try Tweet.first(in: $0)?.text = "changed" }
        await mainQueue()
        #expect(mine.text == "changed" && theirs.text == "theirs")
        withExtendedLifetime(observation) {}
    }

    @Test("destroyAndRebuild gives every manager of the alias an empty store")
    func destroyedStoresAreRebuilt() async throws {
        let stage = try SeedStage(nil, alias: "destroyed \(UUID())")
        let path = stage.folder.path("tweets.sqlite")
        let sibling = try ContextManager(model: SeedStage.model(), store: .sqlite(path), alias: stage.manager.alias)
        stage.tweet(1)
        try stage.context.save()
        let (old, background) = (stage.context, stage.manager.newPrivateContext())
        let siblings = sibling.mainContext
        #expect(try Tweet.count(in: siblings) == 1)
        try stage.manager.destroyAndRebuild()
        #expect(stage.context !== old && sibling.mainContext !== siblings)
        #expect(try Tweet.count(in: stage.context) == 0 && Tweet.count(in: sibling.mainContext) == 0)
        #expect { try Tweet.count(in: old) } throws: { ($0 as? StoreError)?.code == .missing }
        await #expect(throws: StoreError.self) { try await background.perform { try Tweet.count(in: $0) } }
        SeedStage.tweet(1, in: sibling.mainContext)
        try sibling.mainContext.save()
        #expect(try Tweet.count(in: stage.context) == 1)
    }

    @Test("Other stores are opened, closed and erased while a store is being opened")
    func openingWaitsForNoOtherStore() throws {
        let folder = try TemporaryFolder()
        let model = try SeedStage.model()
        let paths = ["a", "b", "c"].map { folder.path("\($0).sqlite") }
        try ContextManager(model: model, store: .sqlite(paths[2])).close()
        let isFirst = Guarded(true)
        let outcome = Guarded<Result<Bool, any Error>?>(nil)
        var options = StoreOptions()
        options.trace = { _ in
            let isNow = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isNow else { return }
            // The first store is being opened by this thread.
            let result = MainActor.assumeIsolated {
                Result {
                    try ContextManager(model: model, store: .sqlite(paths[1])).close()
                    return try ContextManager.erase(.sqlite(paths[2]))
                }
            }
            outcome.withLock { $0 = result }
        }
        _ = try ContextManager(model: model, store: .sqlite(paths[0]), options: options)
        #expect(try outcome.withLock { $0 }?.get() == true)
    }

    @Test("Managers that open a file at the same time share its store")
    func openingOneFileIsDoneOnce() async throws {
        let folder = try TemporaryFolder()
        let model = try SeedStage.model()
        let failures = Guarded<[String]>([])
        await StartLine.run(4) { number, line in
            for round in 0..<10 {
                // Two threads open each file.
                let path = folder.path("\(round) \(number % 2).sqlite")
                let result = Result {
                    let manager = try ContextManager(model: model, store: .sqlite(path))
                    try manager.writeAndWait { _ = SeedStage.tweet(number, in: $0) }
                    return manager
                }
                line.pass()
                let found = Result {
                    let manager = try result.get()
                    if (try? ContextManager.erase(.sqlite(path))) != nil { return -1 }
                    return try manager.readAndWait { try Tweet.count(in: $0) }
                }
                if (try? found.get()) != 2 { failures.withLock { $0.append("\(path): \(found)") } }
                line.pass()
            }
        }
        #expect(failures.withLock { $0 }.isEmpty)
    }

    @Test("Models are found by name in folders, and can be merged")
    func modelsAreFoundByNameAndMerged() throws {
        let model = try Model(named: "Library", in: ["/no/such/folder", ModelSamples.folder])
        #expect(model["Book"] != nil && model.declaration.versionIdentifiers == ["2"])
        let error = #expect(throws: ModelError.self) { try Model(named: "Librarry", in: [ModelSamples.folder]) }
        #expect(error?.description.contains("no model \"Librarry\"") == true)
        let folder = try TemporaryFolder()
        for name in ["One", "Two"] {
            let place = folder.url.appending(path: "\(name).resources/\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let text = ModelFile.write(ModelDescription([EntityDescription(name)]))
            try Data(text.utf8).write(to: place.appending(path: "contents"))
        }
        #expect(try Model.merging(in: [folder.url.path]).entities.map(\.name) == ["One", "Two"])
        #expect(throws: ModelError.self) { try Model.merging(in: []) }
        // A merged model keeps the classes of its entities.
        let merged = try Model.merging([SeedStage.model(), Library().model])
        let manager = try ContextManager(model: merged, store: .memory)
        #expect(try manager.mainContext.insert(entity: "Reader") is Reader)
    }

    @Test("An entity is named after its class unless the class names it")
    func entityNamesAreTheLastPartOfTheClass() throws {
        #expect(Tweet.entityName == "Tweet" && Reader.entityName == "Reader" && Named.entityName == "OtherName")
        let manager = try ContextManager(model: Model(Named.self), store: .memory)
        let context = manager.mainContext
        context.insert(Named.self).title = "x"
        #expect(try context.fetch(FetchRequest<Named>()).count == 1)
        #expect(try context.fetch(FetchRequest<ManagedObject>(entity: "OtherName")).first is Named)
        #expect(try context.entity(named: "OtherName")["title"]?.name == "title")
        #expect(try context.entity(named: "OtherName")["no"] == nil)
        #expect { try context.entity(named: "Named") } throws: { ($0 as? ContextError)?.code == .unknownEntity }
    }

    @Test("A fetch request resolves its entity when it is executed")
    func requestsFindTheirEntityWhenTheyAreExecuted() throws {
        let request = FetchRequest<ManagedObject>(entity: "Tweet", where: "text BEGINSWITH \("a")")
        let (one, other) = (try SeedStage(), try Library())
        one.tweet(1, "ab")
        one.tweet(2, "b")
        #expect(try one.context.fetch(request).count == 1)
        #expect(throws: ContextError.self) { try other.context.fetch(request) }
        try one.manager.destroyAndRebuild()
        #expect(try one.context.fetch(request).isEmpty)
    }

    @Test("findOrInsert inserts one object per key, and an invalid value inserts none")
    func objectsAreFoundByAKeyOrMade() throws {
        let stage = try SeedStage()
        let made = try Tweet.findOrInsert(["id": 7], in: stage.context)
        #expect(made.id == 7 && made.isInserted)
        #expect(try Tweet.findOrInsert(["id": 7], in: stage.context) === made)
        try stage.context.save()
        #expect(try Tweet.findOrInsert(["id": 7], in: stage.context) === made && !made.hasChanges)
        // A value of the wrong type and an unknown attribute throw, and leave no inserted object.
        #expect(throws: (any Error).self) { try Tweet.findOrInsert(["id": "seven"], in: stage.context) }
        #expect(throws: (any Error).self) { try Tweet.findOrInsert(["no": 1], in: stage.context) }
        #expect(try !stage.context.hasChanges && Tweet.count(in: stage.context) == 1)
    }

    @Test("deleteAll deletes matching objects, from the store with the next save")
    func allOrSomeAreDeletedByTheNextSave() async throws {
        let stage = try SeedStage()
        for id in 0..<10 { stage.tweet(id, age: id) }
        try stage.context.save()
        #expect(try Tweet.deleteAll(in: stage.context, where: "age < 3") == 3)
        #expect(try Tweet.count(in: stage.context) == 7)
        #expect(try await stage.manager.newPrivateContext().perform { try Tweet.count(in: $0) } == 10)
        #expect(try Tweet.deleteAll(in: stage.context) == 7)
        try stage.context.save()
        #expect(try await stage.manager.newPrivateContext().perform { try Tweet.count(in: $0) } == 0)
    }
}

/// The only class of the tests whose entity has another name.
private final class Named: ManagedObject {
    @Attribute var title: String?
    override class var entityName: String { "OtherName" }
}
