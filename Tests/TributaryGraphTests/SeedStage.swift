import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// An entity with a default sort order, a staleness filter and a subentity, which the library model lacks.
class Tweet: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var text: String?
    @Attribute var age: Int = 0
    @Relationship(inverse: \Reply.tweet, onDelete: .cascade) var replies: ToMany<Reply>
    override class var defaultSort: [SortKey] { [SortKey("text"), SortKey("id")] }
    override class var stalenessFilter: Filter? { "age > 10" }
}

/// A tweet that becomes stale later than others.
final class PinnedTweet: Tweet {
    override class var stalenessFilter: Filter? { "age > 1000" }
}

/// A reply to a tweet, which may mention others; they do not refer to it.
final class Reply: ManagedObject {
    @Attribute var text: String?
    @Relationship var tweet: Tweet?
    @Relationship var mentions: ToMany<Tweet>
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

    /// The endings of the files that exist for a database, with an empty one for the database itself.
    nonisolated static func endings(of path: String) -> [String] {
        ["", "-wal", "-shm", "-journal", "-writer"].filter { FileManager.default.fileExists(atPath: path + $0) }
    }
}

/// Waits until the main queue has run all blocks enqueued so far, such as merges.
func mainQueue() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
}
