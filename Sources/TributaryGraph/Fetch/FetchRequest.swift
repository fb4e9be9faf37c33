/// What to fetch: objects of an entity that pass a filter, in an order.
///
///     var request = FetchRequest<Book>(where: "price > \(10)", sort: [SortKey("title")])
///     request.limit = 20
///     let books = try context.fetch(request)
///
/// A request is a value: it names its entity, and the context that executes it finds it in its own model. It may be
/// used again with any context.
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The name of the entity.
    public var entityName: String
    /// What objects must pass; nil for all.
    public var filter: Filter?
    /// The order; objects that no key tells apart come in the order in which they were made.
    public var sort: [SortKey] = []
    /// At most so many; 0 is all.
    public var limit = 0
    /// So many are left out at the start.
    public var offset = 0
    /// How many rows are loaded at a time; 0 is all at once.
    public var batchSize = 0
    /// Whether objects of subentities count.
    public var includesSubentities = true
    /// Whether changes that are not saved count.
    ///
    /// Objects that have changed are asked in memory, all others in the store. But where the filter looks through a
    /// relationship at an entity of which objects have changed, as `author.name == "Ursula"` while any author has unsaved
    /// changes, every object of the request's entity is loaded and asked in memory: the store cannot know whom the changes
    /// concern. With many rows, save before such a fetch, or leave the changes out.
    public var includesPendingChanges = true
    /// Whether objects that are loaded already and unchanged take the values that the store has now.
    public var refreshesLoadedObjects = false
    /// Relationships whose objects are fetched along, as `author` or `author.books`.
    public var prefetch: [String] = []
    /// The values of `$variables` in the filter.
    public var variables: [String: FilterValue] = [:]

    /// A request for the objects of a class.
    public init(where filter: Filter? = nil, sort: [SortKey] = []) {
        self.init(entity: Object.entityName, where: filter, sort: sort)
    }

    /// A request for the objects of an entity.
    public init(entity name: String, where filter: Filter? = nil, sort: [SortKey] = []) {
        entityName = name
        self.filter = filter
        self.sort = sort
    }
}
