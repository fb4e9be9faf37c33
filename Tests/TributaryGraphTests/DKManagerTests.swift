import Foundation
import Synchronization
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

private final class Told: Sendable {
    let texts = Mutex<[String]>([])
}

@MainActor @Suite("Manager features known from DKDBManager") struct DKManagerTests {
    @Test("Opening with erasesStores erases a store that is not in use")
    func storesAreErasedAtSetUpOnDemand() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("x.sqlite")
        let options = StoreOptions { $0.erasesStores = true }
        do {
            // There is no file yet, so that nothing is erased.
            let stage = try SeedStage(.sqlite(path), options: options)
            #expect(!stage.manager.didEraseStores)
            stage.tweet(1)
            try stage.context.save()
            // A store in use must not be erased.
            #expect { try SeedStage(.sqlite(path), options: options) } throws: { ($0 as? StoreError)?.code == .inUse }
            let sibling = try SeedStage(.sqlite(path))
            #expect(try !sibling.manager.didEraseStores && Tweet.count(in: sibling.context) == 1)
            stage.manager.close()
        }
        let kept = try SeedStage(.sqlite(path))
        #expect(try !kept.manager.didEraseStores && Tweet.count(in: kept.context) == 1)
        kept.manager.close()
        let fresh = try SeedStage(.sqlite(path), options: options)
        #expect(try fresh.manager.didEraseStores && Tweet.count(in: fresh.context) == 0)
        #expect(!SeedStage.endings(of: path).isEmpty)
    }

    @Test("Erasing a store removes its companion files, unless it is in use")
    func filesAreErasedWithWhatLiesBeside() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("x.sqlite")
        #expect(try !ContextManager.erase(.sqlite(path)) && !ContextManager.erase(.memory))
        var stage: SeedStage? = try SeedStage(.sqlite(path))
        try #require(stage).tweet(1)
        try stage?.context.save()
        let error = #expect(throws: StoreError.self) { try ContextManager.erase(.sqlite(path)) }
        #expect(error?.code == .inUse && SeedStage.endings(of: path).contains("-wal"))
        // A context that is still held does not keep the store open once its manager is deallocated.
        let left = try #require(stage).context
        stage = nil
        #expect(try ContextManager.erase(.sqlite(path)))
        #expect(SeedStage.endings(of: path) == [])
        #expect(throws: StoreError.self) { try Tweet.count(in: left) }
        for ending in ["", "-wal", "-shm", "-journal"] { _ = try folder.write("x".utf8, to: "x.sqlite\(ending)") }
        #expect(try ContextManager.erase(.sqlite(path)))
        #expect(SeedStage.endings(of: path) == [])
    }

    @Test("A store can be reopened while objects of an earlier manager are alive")
    func aManagerIsOpenedAgainWhileItsObjectsLive() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("x.sqlite")
        var stage: SeedStage? = try SeedStage(.sqlite(path))
        let tweet = try #require(stage).tweet(1, "x")
        try stage?.context.save()
        stage = nil
        // The object and the main queue still keep the first context, so that both managers share its store.
        let again = try SeedStage(.sqlite(path))
        again.tweet(2)
        try again.context.save()
        tweet.text = "y"
        try tweet.context?.save()
        #expect(try Tweet.count(in: again.context) == 2)
    }

    @Test("Contexts of a closed manager throw, and its store can be reopened")
    func closedStoresAreOfNoUse() async throws {
        let stage = try SeedStage(nil)
        let tweet = stage.tweet(1)
        try stage.context.save()
        let (old, background) = (stage.context, stage.manager.newPrivateContext())
        stage.manager.close()
        #expect(tweet.context == nil)
        for context in [old, stage.context] {
            #expect { try Tweet.count(in: context) } throws: { ($0 as? StoreError)?.code == .missing }
        }
        await #expect(throws: StoreError.self) { try await stage.manager.write { _ = SeedStage.tweet(2, in: $0) } }
        await #expect(throws: StoreError.self) { try await background.perform { try Tweet.count(in: $0) } }
        let again = try SeedStage(.sqlite(stage.folder.path("tweets.sqlite")))
        #expect(try Tweet.count(in: again.context) == 1)
    }

    @Test("A class's default sort orders its objects unless a sort is given")
    func allComeInTheOrderOfTheirClass() throws {
        let stage = try SeedStage()
        for (id, text) in [(1, "c"), (3, "a"), (2, "a")] { stage.tweet(id, text) }
        for isSaved in [false, true] {
            if isSaved { try stage.context.save() }
            #expect(try Tweet.all(in: stage.context).map(\.id) == [2, 3, 1])
            #expect(try Tweet.all(in: stage.context, sort: [SortKey("id")]).map(\.id) == [1, 2, 3])
            #expect(try Tweet.count(in: stage.context) == 3)
        }
        #expect(PinnedTweet.defaultSort == Tweet.defaultSort && Reply.defaultSort == [])
    }

    @Test("All objects can be deleted class by class or by root entity")
    func everythingIsDeletedClassByClassOrAtOnce() throws {
        let stage = try SeedStage()
        for id in 0..<5 {
            let reply = stage.context.insert(Reply.self)
            reply.tweet = stage.tweet(id)
        }
        stage.context.insert(PinnedTweet.self).id = 9
        try stage.context.save()
        #expect(
            stage.context.model.entities.filter { !$0.isAbstract }.map(\.name) == ["Tweet", "PinnedTweet", "Reply"])
        #expect(try PinnedTweet.deleteAll(in: stage.context) == 1)
        #expect(try Tweet.count(in: stage.context) == 5)
        for entity in stage.context.model.rootEntities {
            for object in try stage.context.fetch(FetchRequest<ManagedObject>(entity: entity.name)) { object.delete() }
        }
        try stage.context.save()
        #expect(try Tweet.count(in: stage.context) == 0 && Reply.count(in: stage.context) == 0)
    }

    @Test("exists() and isDeleted follow deletions here and in other contexts")
    func objectsTellWhetherTheyExist() async throws {
        let stage = try SeedStage()
        let tweet = stage.tweet(1)
        #expect(try tweet.context != nil && tweet.exists() && !tweet.isDeleted)
        try stage.context.save()
        #expect(try tweet.exists())
        // An object that is deleted elsewhere is marked as deleted here once that save is merged.
        let key = tweet.objectID
        let context = stage.manager.newPrivateContext()
        try await context.perform { context in
            context.delete(try context.existingObject(with: key))
            try context.save()
        }
        await mainQueue()
        #expect(try tweet.isDeleted && !tweet.exists())
        #expect(stage.context.deletedObjects == [tweet])
        #expect(try Tweet.count(in: stage.context) == 0)
        try stage.context.save()
        #expect(try tweet.context == nil && !tweet.isDeleted && !tweet.exists())
        // An object that is marked as deleted here does not exist for this context, even before the save.
        let other = stage.tweet(2)
        try stage.context.save()
        other.delete()
        #expect(try other.isDeleted && !other.exists() && other.context != nil)
        stage.context.rollback()
        #expect(try other.exists())
    }

    @Test("The trace reports each statement without its values")
    func theTraceTellsWhatIsDone() throws {
        let told = Told()
        var options = StoreOptions()
        options.trace = { event in told.texts.withLock { $0.append(event.sql) } }
        let stage = try SeedStage(options: options)
        stage.tweet(1, "secret")
        try stage.context.save()
        _ = try Tweet.all(in: stage.context)
        let texts = told.texts.withLock { $0 }
        #expect(texts.contains { $0.hasPrefix("INSERT INTO \"Tweet\"") } && texts.contains { $0.hasPrefix("SELECT") })
        #expect(!texts.contains { $0.contains("secret") })
    }

    @Test("A ContextManager subclass can add properties and methods")
    func aManagerMayBeSubclassed() async throws {
        final class Twitter: ContextManager, @unchecked Sendable {
            // The subclass has no stored properties, and so remains Sendable.
            @MainActor var longest: Tweet? {
                get throws { try Tweet.first(in: mainContext, sort: [SortKey("text", ascending: false)]) }
            }

            func post(_ id: Int, _ text: String) async throws {
                try await write { _ = SeedStage.tweet(id, text, in: $0) }
            }
        }
        let twitter = try Twitter(model: SeedStage.model(), store: .memory)
        try await twitter.post(1, "a")
        try await twitter.post(2, "b")
        #expect(try twitter.longest?.id == 2)
        try twitter.destroyAndRebuild()
        #expect(try twitter.longest == nil)
    }
}
