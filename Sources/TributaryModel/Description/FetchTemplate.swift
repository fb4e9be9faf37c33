/// A named request in a model, with `$variables` for values that are set later.
public struct FetchTemplate: Sendable, Hashable {
    /// The form of the results.
    public enum Result: Int, Sendable, Hashable {
        /// Objects.
        case objects = 0
        /// IDs of objects.
        case ids = 1
        /// Dictionaries of values.
        case dictionaries = 2
    }

    /// The name.
    public var name: String
    /// The name of the entity.
    public var entity: String
    /// The filter as text; nil matches all.
    public var predicate: String?
    /// The maximum number of results; 0 means no limit.
    public var limit = 0
    /// The number of rows to load at a time; 0 loads all at once.
    public var batchSize = 0
    /// The form of the results.
    public var result = Result.objects
    /// Whether objects of subentities are included.
    public var includesSubentities = true
    /// Whether unsaved changes are included.
    public var includesPendingChanges = true
    /// Whether duplicate results are removed.
    public var returnsDistinctResults = false
    /// Custom entries, which the library does not interpret.
    public var userInfo: [String: String] = [:]

    /// A request for all objects of an entity.
    public init(_ name: String, of entity: String, where predicate: String? = nil) {
        self.name = name
        self.entity = entity
        self.predicate = predicate
    }
}
