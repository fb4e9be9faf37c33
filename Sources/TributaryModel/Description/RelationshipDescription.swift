/// The description of a relationship in a model.
public struct RelationshipDescription: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The name of the destination entity.
    public var destination: String
    /// The name of the inverse relationship, if there is one.
    public var inverse: String?
    /// The ancestor of the destination that declares the inverse; nil if the destination does.
    public var inverseEntity: String?
    /// Whether it is to-many.
    public var isToMany = false
    /// Whether its destinations have an order.
    public var isOrdered = false
    /// Whether it may be empty when the object is saved.
    public var isOptional = true
    /// Whether it is kept in memory only and not stored.
    public var isTransient = false
    /// The minimum number of destinations of a to-many relationship.
    public var minimumCount = 0
    /// The maximum number of destinations of a to-many relationship; 0 means no limit.
    public var maximumCount = 0
    /// The effect of deleting the owner on the destinations.
    public var deleteRule = DeleteRule.nullify
    /// The name in an earlier version of the model.
    public var renamingIdentifier: String?
    /// A text that changes the version hash when nothing else has changed.
    public var versionHashModifier: String?
    /// Custom entries, which the library does not interpret.
    public var userInfo: [String: String] = [:]

    /// An optional to-one relationship without an inverse.
    public init(_ name: String, to destination: String) {
        self.name = name
        self.destination = destination
    }
}
