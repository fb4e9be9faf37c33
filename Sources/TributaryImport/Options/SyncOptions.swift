public import TributaryStore

/// How an import makes the database what its feed holds: after it has read everything, it deletes the rows that the feed
/// once brought and no longer holds.
///
///     var options = ImportOptions()
///     options.sync = SyncOptions(feed: "shop")
///     let sync = StreamImport(into: manager, from: [.file("products.json")], routes: [.rows("Product")], options: options)
///
/// Rows that no sync has brought are never deleted, nor a row that another feed still holds. If the key of a
/// record cannot be read, nothing is deleted.
public struct SyncOptions: Sendable, Hashable {
    /// The limit under the name that the command uses.
    package typealias Limit = ErrorLimit

    /// The name of the feed; nil for one made of the entities and the places of their records.
    public var feed: String?
    /// The condition for the rows of the records that may be deleted; nil for all.
    ///
    /// With a scope, no row of another entity is deleted, except by the delete rules of the model.
    public var scope: Filter?
    /// The most rows that may be deleted: a number of rows of all entities, or a percentage of the rows of each entity that
    /// the feed has held.
    ///
    /// Beyond it nothing is deleted, and the import fails with ``ImportError/Code/tooManyDeletions``. Above 0 percent one
    /// row may be deleted in any case.
    public var limit = ErrorLimit.percent(10)
    /// The attribute of the records' entity that gets the date instead of a deletion; nil to delete rows.
    ///
    /// A record that comes back clears it.
    public var softDelete: String?

    /// A sync of a feed.
    public init(feed: String? = nil) { self.feed = feed }
}
