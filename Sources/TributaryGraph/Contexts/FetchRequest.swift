/// A request for the objects of an entity that match a filter, in an order.
///
///     var request = FetchRequest<Book>(where: "price > \(10)", sort: [SortKey("title")])
///     request.limit = 20
///     let books = try context.fetch(request)
///
/// A request is a value that names its entity. The context that executes it looks the entity up in its own model, so
/// one request can be used with any context.
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The name of the entity.
    public var entityName: String
    /// The condition for the objects; nil matches all.
    public var filter: Filter?
    /// The order; objects that are equal by all keys come in the order of their creation.
    public var sort: [SortKey] = []
    /// The maximum number of results; nil means no limit.
    public var limit: Int?
    /// The number of results to skip.
    public var offset = 0
    /// The number of rows to load at a time; 0 loads all at once.
    public var batchSize = 0
    /// Whether objects of subentities are included.
    public var includesSubentities = true
    /// Whether unsaved changes are included.
    ///
    /// The filter is evaluated in memory for changed objects, and in the store for all others. If the filter or the
    /// order follows relationships to changed objects, as `author.name == "Ursula"` after an author was renamed, it is
    /// evaluated in memory for all objects that are related to them: here for the books of that author.
    public var includesPendingChanges = true
    /// Whether loaded objects without changes are updated to the values in the store.
    public var refreshesLoadedObjects = false
    /// Key paths of relationships whose objects are fetched too, such as `author` or `author.books`.
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
