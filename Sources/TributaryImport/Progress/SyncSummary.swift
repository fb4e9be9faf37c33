/// What a sync has deleted.
public struct SyncSummary: Sendable, Hashable, Codable {
    /// The name of the feed.
    public var feed: String
    /// For each entity the number of rows that were deleted, or got a date instead.
    public var deleted: [String: Int] = [:]
    /// The number of rows whose date was cleared, since their records came back.
    public var restored = 0
    /// Records whose keys could not be read, so that their rows are unknown; if there are any, nothing is deleted.
    public var unidentified = 0
    /// In a dry run why the sync would delete nothing; nil if it would.
    public var refusal: String?
    /// The date that rows got instead of being deleted, as ISO 8601; nil if they were deleted.
    public var softDeleted: String?

    /// The number of deleted rows of all entities.
    public var deletedCount: Int { deleted.values.reduce(0, +) }
}
