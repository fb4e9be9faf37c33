import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// Purging stale objects without being asked each time.
@MainActor @Suite struct StalePurgeTests {
    @Test("A manager can purge stale objects when it opens, before other writes")
    func openingPurges() async throws {
        let folder = try TemporaryFolder()
        func open(_ purges: Bool) throws -> ContextManager {
            let options = StoreOptions { $0.purgesStaleObjectsWhenOpened = purges }
            return try ContextManager(
                model: SeedStage.model(), store: .sqlite(folder.path("tweets.sqlite")),
                alias: "purged \(folder.path(""))",
                options: options)
        }
        let first = try open(false)
        try await first.write { context in for id in 1...5 { SeedStage.tweet(id, age: id * 4, in: context) } }
        #expect(try await open(false).read { try Tweet.count(in: $0) } == 5)
        let second = try open(true)
        #expect(try await second.write { try Tweet.all(in: $0).map(\.id) } == [1, 2])
        #expect(try Tweet.count(in: second.mainContext) == 2)
        withExtendedLifetime(first) {}
    }

    @Test("A timer purges until it is cancelled")
    func timersPurge() async throws {
        let manager = try ContextManager(model: SeedStage.model(), store: .memory)
        let (counts, continuation) = AsyncStream.makeStream(of: Int.self)
        let purge = manager.purgeStaleObjects(every: .milliseconds(1)) { result in
            continuation.yield((try? result.get()) ?? -1)
        }
        var loop = counts.makeAsyncIterator()
        #expect(await loop.next(isolation: MainActor.shared) == 0)
        try await manager.write { context in for age in [5, 11, 12] { SeedStage.tweet(age, age: age, in: context) } }
        var total = 0
        while total < 2, let count = await loop.next(isolation: MainActor.shared) {
            #expect(count >= 0)
            total += count
        }
        #expect(total == 2)
        purge.cancel()
        #expect(try Tweet.all(in: manager.mainContext).map(\.age) == [5])
    }
}
