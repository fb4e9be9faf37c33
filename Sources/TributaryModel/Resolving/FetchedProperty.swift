/// A property that is a request, evaluated when it is read.
public struct FetchedProperty: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The entity it finds.
    public var entity: String
    /// The filter; `$FETCH_SOURCE` is the object.
    public var predicate: String?
    /// Whatever the author wants to keep with it.
    public var userInfo: [String: String] = [:]

    /// A property that finds objects of an entity.
    public init(_ name: String, of entity: String, where predicate: String? = nil) {
        self.name = name
        self.entity = entity
        self.predicate = predicate
    }
}
