import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

@MainActor @Suite("Stack features known from RZVinyl") struct RZStackTests {
    @Test("Background work is merged into the main context before it completes")
    func backgroundWorkIsMergedBeforeItsCompletion() async throws {
        let stage = try SeedStage()
        let tweet = stage.tweet(1, "old")
        try stage.context.save()
        let manager = stage.manager
        let seen: String? = await withCheckedContinuation { continuation in
            manager.write { context in
                try #require(try Tweet.first(in: context)).text = "new"
                return "result"
            } completion: { result in
                continuation.resume(returning: (try? result.get()).map { "\($0) \(tweet.text ?? "")" })
            }
        }
        #expect(seen == "result new")
        try await manager.write { try #require(try Tweet.first(in: $0)).text = "newer" }
        #expect(tweet.text == "newer")
    }

    @Test("Background blocks of a manager run one after another")
    func backgroundWorkIsDoneInTurn() async throws {
        let stage = try SeedStage()
        let manager = stage.manager
        // Each block finds the object that the first block saved, so only one object is inserted.
        for _ in 0..<20 {
            manager.write { context in
                let tweet = try Tweet.findOrInsert(["id": 1], in: context)
                tweet.age += 1
            } completion: { _ in
            }
        }
        try manager.writeAndWait { context in
            #expect(try Tweet.all(in: context).map(\.age) == [20])
            // A nested block runs at once.
            try manager.writeAndWait { _ = SeedStage.tweet(2, in: $0) }
        }
        #expect(try Tweet.count(in: stage.context) == 2)
    }

    @Test("Background work that throws saves nothing and reports its error")
    func workThatThrowsSavesNothing() async throws {
        struct Trouble: Error {}
        let stage = try SeedStage()
        await #expect(throws: Trouble.self) {
            try await stage.manager.write { context in
                SeedStage.tweet(1, in: context)
                throw Trouble()
            }
        }
        stage.tweet(1)
        try stage.context.save()
        let error = await #expect(throws: SaveError.self) {
            try await stage.manager.write { _ = SeedStage.tweet(1, in: $0) }
        }
        #expect(error?.code == .uniqueness)
        let context = stage.manager.newPrivateContext()
        let told: SaveError.Code? = await withCheckedContinuation { continuation in
            context.perform { SeedStage.tweet(1, in: $0) }
            context.saveToStore { continuation.resume(returning: ($0 as? SaveError)?.code) }
        }
        #expect(told == .uniqueness)
        #expect(try Tweet.count(in: stage.context) == 1)
    }

    @Test("Changes in a scratch child reach the main context only when it is saved")
    func scratchContextsAreForTrying() throws {
        let stage = try SeedStage()
        stage.tweet(1, "old")
        try stage.context.save()
        let scratch = stage.context.scratchChild()
        try #require(try Tweet.first(in: scratch)).text = "tried"
        SeedStage.tweet(2, in: scratch)
        #expect(try Tweet.all(in: stage.context).map(\.text) == ["old"] && !stage.context.hasChanges)
        scratch.rollback()
        #expect(try Tweet.all(in: scratch).map(\.text) == ["old"])
        try #require(try Tweet.first(in: scratch)).text = "kept"
        try scratch.save()
        #expect(try Tweet.all(in: stage.context).map(\.text) == ["kept"] && stage.context.hasChanges)
    }

    @Test("saveToStore saves a child and all contexts above it")
    func savesGoUpToTheStore() async throws {
        let stage = try SeedStage()
        let child = stage.context.scratchChild()
        let grandchild = child.scratchChild()
        SeedStage.tweet(1, in: grandchild)
        // A parent without changes does not stop the save, and changes of the other parents are saved too.
        stage.tweet(2)
        try grandchild.saveToStore()
        #expect(try await stage.manager.newPrivateContext().perform { try Tweet.count(in: $0) } == 2)
        stage.tweet(3)
        try child.saveToStore()
        #expect(try await stage.manager.newPrivateContext().perform { try Tweet.count(in: $0) } == 3)
        let writing = stage.context.privateChild()
        try await writing.perform { _ = SeedStage.tweet(4, in: $0) }
        let failed: Bool = await withCheckedContinuation { continuation in
            writing.saveToStore { continuation.resume(returning: $0 != nil) }
        }
        #expect(!failed && !stage.context.hasChanges)
        #expect(try await stage.manager.newPrivateContext().perform { try Tweet.count(in: $0) } == 4)
    }

    @Test("A damaged store is erased on request, tables of another program never")
    func whatCannotBeReadIsDeletedOnDemand() async throws {
        let folder = try TemporaryFolder()
        let foreign = folder.path("foreign.sqlite")
        try Connection(.file(foreign)).execute("CREATE TABLE t AS SELECT 1 AS a")
        #expect(throws: StoreError.self) { try ContextManager.erase(.sqlite(foreign)) }
        let guest = try ContextManager(model: SeedStage.model(), store: .sqlite(foreign))
        await MainActor.run { guest.close() }
        #expect(try ContextManager.erase(.sqlite(foreign)))
        #expect(
            try Connection(.file(foreign)).rows(of: "SELECT \"name\", \"a\" FROM sqlite_master, t")
                == [["t", 1]])
        do {
            let path = try folder.write("this is no database".utf8, to: "damaged.sqlite")
            for ending in ["-wal", "-shm"] { _ = try folder.write("left over".utf8, to: "damaged.sqlite\(ending)") }
            let before = try folder.read("damaged.sqlite")
            #expect(throws: StoreError.self) { try ContextManager(model: SeedStage.model(), store: .sqlite(path)) }
            #expect(try folder.read("damaged.sqlite") == before)
            let options = StoreOptions { $0.deletesUnreadableStores = true }
            let manager = try ContextManager(model: SeedStage.model(), store: .sqlite(path), options: options)
            #expect(try manager.didEraseStores && Tweet.count(in: manager.mainContext) == 0)
            manager.close()
            #expect(
                try !ContextManager(model: SeedStage.model(), store: .sqlite(path), options: options).didEraseStores)
        }
    }

    @Test("A store of another model is refused, and erased on request")
    func aStoreOfAnotherModelIsDeletedOnDemand() throws {
        let stage = try SeedStage(nil)
        stage.manager.close()
        let store = StoreLocation.sqlite(stage.folder.path("tweets.sqlite"))
        let model = try Library().model
        let error = #expect(throws: StoreError.self) { try ContextManager(model: model, store: store) }
        #expect(error?.code == .incompatibleModel)
        let options = StoreOptions { $0.deletesUnreadableStores = true }
        #expect(try ContextManager(model: model, store: store, options: options).didEraseStores)
    }

    @Test("A store works with and without a log, and closing it leaves no log")
    func theLogBesideTheFileCanBeDoneWithout() throws {
        for usesLog in [true, false] {
            let stage = try SeedStage(nil, options: StoreOptions { $0.usesWriteAheadLog = usesLog })
            stage.tweet(1)
            try stage.context.save()
            let path = stage.folder.path("tweets.sqlite")
            #expect(SeedStage.endings(of: path).contains("-wal") == usesLog)
            // A closed store is one file, apart from the lock file of the writer.
            stage.manager.close()
            #expect(Set(SeedStage.endings(of: path)).isSubset(of: ["", "-writer"]))
        }
    }

    @Test("A read-only store can be fetched from, but not saved, rebuilt or erased")
    func readOnlyStoresAreRead() throws {
        let stage = try SeedStage(nil)
        stage.tweet(1, "x")
        try stage.context.save()
        let store = StoreLocation.sqlite(stage.folder.path("tweets.sqlite"))
        var options = StoreOptions()
        options.isReadOnly = true
        let reader = try ContextManager(model: SeedStage.model(), store: store, options: options)
        let tweet = try #require(try Tweet.first(in: reader.mainContext))
        tweet.text = "y"
        let error = #expect(throws: StoreError.self) { try reader.mainContext.save() }
        #expect(error?.code == .readOnly && tweet.hasChanges)
        #expect(throws: StoreError.self) { try reader.destroyAndRebuild() }
        options.erasesStores = true
        #expect(throws: StoreError.self) {
            try ContextManager(model: SeedStage.model(), store: store, alias: "\(UUID())", options: options)
        }
        #expect(try Tweet.count(in: stage.context) == 1)
        #expect(throws: StoreError.self) {
            let reading = StoreOptions { $0.isReadOnly = true }
            _ = try ContextManager(model: SeedStage.model(), store: .sqlite(stage.folder.path("no")), options: reading)
        }
    }
}
