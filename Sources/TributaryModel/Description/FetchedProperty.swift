/// A property whose value is the result of a request, executed when the property is read.
public struct FetchedProperty: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The name of the entity that it fetches.
    public var entity: String
    /// The filter as text; `$FETCH_SOURCE` is the object that has the property.
    public var predicate: String?
    /// Custom entries, which the library does not interpret.
    public var userInfo: [String: String] = [:]

    /// A property that fetches objects of an entity.
    public init(_ name: String, of entity: String, where predicate: String? = nil) {
        self.name = name
        self.entity = entity
        self.predicate = predicate
    }
}
