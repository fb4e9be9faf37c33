import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

@MainActor @Suite("Context features known from KarthVader") struct KarthContextTests {
    @Test("Objects are fetched by filter, sort, limit, offset and batch size")
    func objectsAreFetchedByFilterOrderAndChunk() async throws {
        let stage = try SeedStage()
        for id in 0..<60 { stage.tweet(id, id.isMultiple(of: 2) ? "even" : "odd", age: id / 10) }
        let sort = [SortKey("age", ascending: false), SortKey("id")]
        for isSaved in [false, true] {
            if isSaved { try stage.context.save() }
            #expect(try Tweet.fetch(in: stage.context).count == 60)
            let odd = try Filter(format: "text == 'odd' AND age > %d", 3)
            #expect(try Tweet.fetch(in: stage.context, where: odd, sort: sort, limit: 4).map(\.id) == [51, 53, 55, 57])
            #expect(
                try Tweet.fetch(in: stage.context, where: odd, sort: sort, limit: 4, offset: 4).map(\.id) == [
                    59, 41, 43, 45,
                ])
            #expect(
                try Tweet.fetch(in: stage.context, where: odd, sort: sort, limit: nil, offset: 8).map(\.id) == [47, 49])
            #expect(try Tweet.fetch(in: stage.context, sort: sort, limit: 5, offset: 100).isEmpty)
            #expect(try Tweet.first(in: stage.context, where: odd, sort: sort)?.id == 51)
            #expect(try Tweet.first(in: stage.context, where: "age > 99") == nil)
        }
        // With a batch size, values are loaded in batches on first access.
        let context = stage.manager.newPrivateContext()
        try await context.perform { context in
            let tweets = try Tweet.fetch(in: context, sort: [SortKey("id")], batchSize: 20)
            #expect(tweets.count == 60 && tweets.allSatisfy(\.isFault))
            #expect(tweets[0].text == "even")
            #expect(tweets.count { $0.isFault } == 40)
        }
    }

    @Test("A malformed filter throws instead of trapping")
    func aFilterThatCannotBeReadIsToldAndNotATrap() throws {
        let stage = try SeedStage()
        #expect(throws: FilterError.self) { try Filter(format: "age > ") }
        #expect(throws: FilterError.self) { try Tweet.fetch(in: stage.context, where: "age > AND") }
        #expect(throws: (any Error).self) { try Tweet.fetch(in: stage.context, sort: [SortKey("nothing")]) }
    }

    @Test("A child's save() reaches its parent, and its saveToStore() the store")
    func aChildOfTheMainContextCommitsUpToTheStore() async throws {
        let stage = try SeedStage()
        let writing = stage.context.privateChild()
        try await writing.perform { context in
            SeedStage.tweet(1, "x", in: context)
            try context.save()
        }
        // `save()` reached only the parent; the store has nothing yet.
        #expect(try Tweet.all(in: stage.context).map(\.text) == ["x"] && stage.context.hasChanges)
        #expect(try await stage.manager.newPrivateContext().perform { try Tweet.count(in: $0) } == 0)
        await withCheckedContinuation { continuation in
            writing.saveToStore { error in
                #expect(error == nil)
                continuation.resume()
            }
        }
        #expect(try await stage.manager.newPrivateContext().perform { try Tweet.count(in: $0) } == 1)
        // Inside `perform`, `saveToStore()` returns once the store has the changes.
        try await writing.perform { context in
            SeedStage.tweet(2, in: context)
            try context.saveToStore()
        }
        #expect(try await stage.manager.newPrivateContext().perform { try Tweet.count(in: $0) } == 2)
        #expect(!stage.context.hasChanges)
    }

    @Test("A failed saveToStore() keeps the object in the context that failed")
    func whatIsWrongIsToldByTheContextThatCannotSave() async throws {
        let stage = try SeedStage()
        stage.tweet(1)
        try stage.context.save()
        let writing = stage.context.privateChild()
        let code: SaveError.Code? = await withCheckedContinuation { continuation in
            writing.perform { SeedStage.tweet(1, in: $0) }
            writing.saveToStore { continuation.resume(returning: ($0 as? SaveError)?.code) }
        }
        #expect(code == .uniqueness)
        // The object stays in the context that could not save it, where it can be corrected.
        #expect(stage.context.insertedObjects.count == 1)
        stage.context.rollback()
    }

    @Test("performAndWait() saves nothing by itself, and writeAndWait() saves")
    func aTransactionIsWorkInItsOwnContext() async throws {
        let stage = try SeedStage()
        let context = stage.manager.newPrivateContext()
        // The closure runs on the context's queue while the caller waits, and nothing is saved.
        let count = try context.performAndWait { context in
            SeedStage.tweet(1, in: context)
            return try context.performInside { try Tweet.count(in: $0) }
        }
        #expect(count == 1)
        #expect(try Tweet.count(in: stage.context) == 0)
        // `writeAndWait` saves in the same call.
        try stage.manager.writeAndWait { _ = SeedStage.tweet(2, in: $0) }
        #expect(try Tweet.all(in: stage.context).map(\.id) == [2])
        // Any task reaches the main context through the main actor.
        let manager = stage.manager
        #expect(
            try await Task.detached { try await MainActor.run { try Tweet.count(in: manager.mainContext) } }.value == 1)
    }

    @Test("A missing model throws with a hint, and memory stores are independent")
    func aMissingModelIsTold() throws {
        let error = #expect(throws: ModelError.self) { try Model(named: "Nothing") }
        #expect(error?.description.contains("check the spelling") == true)
        // Each manager has its own store in memory unless a file is named.
        let (one, other) = (try SeedStage(), try SeedStage())
        one.tweet(1)
        try one.context.save()
        #expect(try Tweet.count(in: other.context) == 0)
    }
}

extension ManagedObjectContext {
    fileprivate func performInside<Result>(_ body: (ManagedObjectContext) throws -> Result) rethrows -> Result {
        try body(self)
    }
}
