/// A request that a model keeps under a name, with `$variables` to be filled.
public struct FetchTemplate: Sendable, Hashable {
    /// What a request gives.
    public enum Result: Int, Sendable, Hashable {
        /// Objects.
        case objects = 0
        /// Ids of objects.
        case ids = 1
        /// Dictionaries of values.
        case dictionaries = 2
    }

    /// The name.
    public var name: String
    /// The entity.
    public var entity: String
    /// The filter as a model file writes it; nil for all.
    public var predicate: String?
    /// At most so many; 0 is all.
    public var limit = 0
    /// How many at a time; 0 is all at once.
    public var batchSize = 0
    /// What it gives.
    public var result = Result.objects
    /// Whether objects of subentities count.
    public var includesSubentities = true
    /// Whether changes that are not saved count.
    public var includesPendingChanges = true
    /// Whether equal results come once.
    public var returnsDistinctResults = false
    /// Whatever the author wants to keep with it.
    public var userInfo: [String: String] = [:]

    /// A request for all objects of an entity.
    public init(_ name: String, of entity: String, where predicate: String? = nil) {
        self.name = name
        self.entity = entity
        self.predicate = predicate
    }
}
