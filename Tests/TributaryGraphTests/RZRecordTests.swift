import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

@MainActor @Suite("Record features known from RZVinyl") struct RZRecordTests {
    private func filled() throws -> SeedStage {
        let stage = try SeedStage()
        for (id, text) in [(3, "c"), (1, "a"), (2, "b"), (4, "b")] { stage.tweet(id, text, age: id) }
        return stage
    }

    @Test("An object is found by attribute values, or else inserted with them")
    func objectsAreFoundByAttributesOrMade() throws {
        let stage = try filled()
        let found = try #require(try Tweet.find(["text": "b", "age": 4], in: stage.context))
        #expect(found.id == 4)
        #expect(try Tweet.find(["text": "b", "age": 5], in: stage.context) == nil)
        try stage.context.save()
        // A found object is not changed; of several matches, the first is found.
        #expect(try Tweet.findOrInsert(["text": "b"], in: stage.context).id == 2)
        #expect(!stage.context.hasChanges)
        let made = try Tweet.findOrInsert(["text": "b", "id": 5, "age": 5], in: stage.context)
        #expect(made.isInserted && made.text == "b" && made.id == 5 && made.age == 5)
        // Null is compared like any other value.
        #expect(try Tweet.find(["text": nil], in: stage.context) == nil)
        made.text = nil
        #expect(try Tweet.find(["text": nil], in: stage.context) === made)
    }

    @Test("Unsaved objects are fetched, sorted and counted")
    func whatIsNotSavedIsFound() throws {
        let stage = try filled()
        #expect(try Tweet.all(in: stage.context).map(\.id) == [1, 2, 4, 3])
        #expect(try Tweet.all(in: stage.context, sort: [SortKey("age", ascending: false)]).map(\.id) == [4, 3, 2, 1])
        #expect(try Tweet.all(in: stage.context, sort: []).map(\.id) == [3, 1, 2, 4])
        let filter: Filter = "age >= \(2) AND text != \("c")"
        #expect(try Set(Tweet.fetch(in: stage.context, where: filter).map(\.id)) == [2, 4])
        #expect(try Tweet.fetch(in: stage.context, where: filter, sort: [SortKey("id")]).map(\.id) == [2, 4])
        #expect(try Tweet.count(in: stage.context) == 4 && Tweet.count(in: stage.context, where: filter) == 2)
        #expect(try Tweet.fetch(in: stage.context, where: "age > 100").isEmpty)
        #expect(throws: FilterError.self) { try Tweet.fetch(in: stage.context, where: "age >") }
        #expect(throws: FilterError.self) { try Tweet.count(in: stage.context, where: "nothing == 1") }
    }

    @Test("Objects are deleted one by one or by a filter, and a reset restores them")
    func objectsAreDeleted() throws {
        let stage = try filled()
        try stage.context.save()
        let tweet = try #require(try Tweet.find(["id": 1], in: stage.context))
        tweet.delete()
        #expect(tweet.isDeleted)
        #expect(try Tweet.count(in: stage.context) == 3)
        #expect(try Tweet.deleteAll(in: stage.context, where: "text == \("b")") == 2)
        #expect(try Tweet.all(in: stage.context).map(\.id) == [3])
        // The deletions are not saved yet, so a reset restores the objects.
        stage.context.reset()
        #expect(try Tweet.count(in: stage.context) == 4)
        try Tweet.deleteAll(in: stage.context)
        try stage.context.save()
        #expect(try Tweet.count(in: stage.context) == 0)
        // Deleting an object without a context has no effect.
        tweet.delete()
        #expect(tweet.context == nil)
    }

    @Test("An object can be looked up in another context of the same stores")
    func theSameObjectInAnotherContext() throws {
        let stage = try SeedStage()
        let tweet = stage.tweet(1, "x")
        #expect(try tweet.object(in: stage.context) === tweet)
        let scratch = stage.context.scratchChild()
        let id = tweet.objectID
        let same = try tweet.object(in: scratch)
        // The lookup assigned the permanent ID of the object.
        #expect(id.isTemporary && !tweet.objectID.isTemporary && same.objectID == tweet.objectID)
        #expect(same !== tweet && same.text == "x" && same.context === scratch)
        let beside = stage.manager.newPrivateContext()
        let key = tweet.objectID
        let missing = beside.performAndWait { context in
            #expect(throws: ContextError.self) { try context.existingObject(with: key) }?.code
        }
        #expect(missing == .missing)
        try stage.context.save()
        #expect(try beside.performAndWait { (try $0.existingObject(with: key) as? Tweet)?.text } == "x")
        let foreign = try SeedStage()
        #expect { try tweet.object(in: foreign.context) } throws: { ($0 as? ContextError)?.code == .foreignID }
        tweet.delete()
        try stage.context.save()
        #expect(throws: ContextError.self) { try tweet.object(in: scratch) }
    }

    /// The default manager belongs to the process, so no other test may set it.
    @Test("With a default manager, record methods need no context")
    func theDefaultManagerMaySpareTheContext() throws {
        #expect(ContextManager.default == nil)
        #expect { try Tweet.all() } throws: { ($0 as? ContextError)?.code == .noDefault }
        let stage = try SeedStage()
        ContextManager.default = stage.manager
        defer { ContextManager.default = nil }
        let tweet = Tweet.insert()
        tweet.id = 1
        #expect(tweet.context === stage.context)
        let other = try Tweet.findOrInsert(["id": 2, "text": "a"])
        #expect(try Tweet.find(["id": 2]) === other && Tweet.first(where: "id == 2") === other)
        #expect(try Tweet.all() == [tweet, other] && Tweet.fetch(where: "id > 1", sort: [SortKey("id")]) == [other])
        #expect(try Tweet.count() == 2 && Tweet.deleteAll(where: "id == 1") == 1 && Tweet.count() == 1)
    }

    @Test("An inserted object has its entity, its context and default values")
    func objectsAreMadeInAContext() throws {
        let stage = try SeedStage()
        let tweet = Tweet.insert(in: stage.context)
        #expect(tweet.isInserted && tweet.age == 0 && tweet.context === stage.context)
        #expect(PinnedTweet.insert(in: stage.context).entity.parent?.name == "Tweet")
    }
}
