/// A relationship as a model states it.
public struct RelationshipDescription: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The entity it leads to.
    public var destination: String
    /// The relationship of the destination that leads back, if there is one.
    public var inverse: String?
    /// The entity that has the inverse if it is not the destination itself: an ancestor of it.
    public var inverseEntity: String?
    /// Whether it leads to many.
    public var isToMany = false
    /// Whether the many have an order.
    public var isOrdered = false
    /// Whether there may be none when it is saved.
    public var isOptional = true
    /// Whether it lives in memory only.
    public var isTransient = false
    /// The least number of a to-many relationship.
    public var minimumCount = 0
    /// The greatest number of a to-many relationship; 0 is any.
    public var maximumCount = 0
    /// What happens when the owner is deleted.
    public var deleteRule = DeleteRule.nullify
    /// The name it had in an earlier version of the model.
    public var renamingIdentifier: String?
    /// Makes a version of its own where nothing else has changed.
    public var versionHashModifier: String?
    /// Whatever the author wants to keep with it.
    public var userInfo: [String: String] = [:]

    /// An optional relationship to one, which has no inverse.
    public init(_ name: String, to destination: String) {
        self.name = name
        self.destination = destination
    }
}
