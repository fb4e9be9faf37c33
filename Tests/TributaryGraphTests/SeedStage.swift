import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// What the features of the seeds need beyond the library: an order of its own, a rule for what is stale, a family.
class Tweet: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var text: String?
    @Attribute var age: Int = 0
    @Relationship(inverse: \Reply.tweet, onDelete: .cascade) var replies: ToMany<Reply>
    override class var defaultSort: [SortKey] { [SortKey("text"), SortKey("id")] }
    override class var stalenessFilter: Filter? { "age > 10" }
}

/// Becomes stale later than others.
final class PinnedTweet: Tweet {
    override class var stalenessFilter: Filter? { "age > 1000" }
}

final class Reply: ManagedObject {
    @Attribute var text: String?
    @Relationship var tweet: Tweet?
}

/// A manager of tweets, in memory or in a folder of its own.
@MainActor
struct SeedStage {
    nonisolated static let classes: [ManagedObject.Type] = [Tweet.self, PinnedTweet.self, Reply.self]
    let folder: TemporaryFolder
    let manager: ContextManager

    init(_ store: StoreLocation? = .memory, alias: String? = nil, options: StoreOptions = StoreOptions()) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        manager = try ContextManager(
            model: SeedStage.model(), store: store ?? .sqlite(folder.path("tweets.sqlite")), alias: alias,
            options: options)
    }

    nonisolated static func model() throws -> Model { try Model(Tweet.self, PinnedTweet.self, Reply.self) }

    var context: ManagedObjectContext { manager.mainContext }

    @discardableResult
    func tweet(_ id: Int, _ text: String? = nil, age: Int = 0) -> Tweet {
        SeedStage.tweet(id, text, age: age, in: context)
    }

    @discardableResult
    nonisolated static func tweet(
        _ id: Int, _ text: String? = nil, age: Int = 0, in context: ManagedObjectContext
    ) -> Tweet {
        let tweet = context.insert(Tweet.self)
        tweet.id = id
        tweet.text = text
        tweet.age = age
        return tweet
    }

    /// The files beside a database, by their endings.
    nonisolated static func endings(of path: String) -> [String] {
        ["", "-wal", "-shm", "-journal", "-writer"].filter { FileManager.default.fileExists(atPath: path + $0) }
    }
}

/// Waits until what stands in the queue of the main actor by now is done, as merges are.
func mainQueue() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
}
