import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// What KarthVader did with contexts.
@MainActor @Suite struct KarthContextTests {
    @Test func objectsAreFetchedByFilterOrderAndChunk() async throws {
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
                try Tweet.fetch(in: stage.context, where: odd, sort: sort, limit: 0, offset: 8).map(\.id) == [47, 49])
            #expect(try Tweet.fetch(in: stage.context, sort: sort, limit: 5, offset: 100).isEmpty)
            #expect(try Tweet.first(in: stage.context, where: odd, sort: sort)?.id == 51)
            #expect(try Tweet.first(in: stage.context, where: "age > 99") == nil)
        }
        // Values are loaded in chunks as they are asked for.
        let context = stage.manager.newPrivateContext()
        try await context.perform { context in
            let tweets = try Tweet.fetch(in: context, sort: [SortKey("id")], batchSize: 20)
            #expect(tweets.count == 60 && tweets.allSatisfy(\.isFault))
            #expect(tweets[0].text == "even")
            #expect(tweets.count { $0.isFault } == 40)
        }
    }

    @Test func aFilterThatCannotBeReadIsToldAndNotATrap() throws {
        let stage = try SeedStage()
        #expect(throws: FilterError.self) { try Filter(format: "age > ") }
        #expect(throws: FilterError.self) { try Tweet.fetch(in: stage.context, where: "age > AND") }
        #expect(throws: (any Error).self) { try Tweet.fetch(in: stage.context, sort: [SortKey("nothing")]) }
    }

    @Test func aChildOfTheMainContextCommitsUpToTheStore() async throws {
        let stage = try SeedStage()
        let writing = stage.context.privateChild()
        try await writing.perform { context in
            SeedStage.tweet(1, "x", in: context)
            try context.save()
        }
        // One step up; the store has nothing yet.
        #expect(try Tweet.all(in: stage.context).map(\.text) == ["x"] && stage.context.hasChanges)
        #expect(try await stage.manager.newPrivateContext().perform { try Tweet.count(in: $0) } == 0)
        await withCheckedContinuation { continuation in
            writing.saveToStore { error in
                #expect(error == nil)
                continuation.resume()
            }
        }
        #expect(try await stage.manager.newPrivateContext().perform { try Tweet.count(in: $0) } == 1)
        // And waiting for it, once, at the root.
        try await writing.perform { context in
            SeedStage.tweet(2, in: context)
            try context.saveToStore()
        }
        #expect(try await stage.manager.newPrivateContext().perform { try Tweet.count(in: $0) } == 2)
        #expect(!stage.context.hasChanges)
    }

    @Test func whatIsWrongIsToldByTheContextThatCannotSave() async throws {
        let stage = try SeedStage()
        stage.tweet(1)
        try stage.context.save()
        let writing = stage.context.privateChild()
        let code: SaveError.Code? = await withCheckedContinuation { continuation in
            writing.perform { SeedStage.tweet(1, in: $0) }
            writing.saveToStore { continuation.resume(returning: ($0 as? SaveError)?.code) }
        }
        #expect(code == .uniqueness)
        // It stays where it got to, to be mended.
        #expect(stage.context.insertedObjects.count == 1)
        stage.context.rollback()
    }

    @Test func aTransactionIsWorkInANewContext() async throws {
        let stage = try SeedStage()
        let context = stage.manager.newPrivateContext()
        // On its own queue, while the caller waits; nothing is saved by it.
        let count = try context.performAndWait { context in
            SeedStage.tweet(1, in: context)
            return try context.performInside { try Tweet.count(in: $0) }
        }
        #expect(count == 1)
        #expect(try Tweet.count(in: stage.context) == 0)
        // Whoever wants it saved says so in one call.
        try stage.manager.writeAndWait { _ = SeedStage.tweet(2, in: $0) }
        #expect(try Tweet.all(in: stage.context).map(\.id) == [2])
        // The main context is reached from everywhere by going to the main actor.
        let manager = stage.manager
        #expect(
            try await Task.detached { try await MainActor.run { try Tweet.count(in: manager.mainContext) } }.value == 1)
    }

    @Test func aMissingModelIsTold() throws {
        let error = #expect(throws: ModelError.self) { try Model(named: "Nothing") }
        #expect(error?.description.contains("look at the spelling") == true)
        // Without a file there is memory; the manager is made when you say so, and with what you say.
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
