/// Properties whose combined values are unique among the objects of an entity and its subentities.
public struct UniquenessConstraint: Sendable, Hashable {
    /// The attributes and to-one relationships, in the order of the model.
    public let properties: [Property]
    /// The name of the entity that declares it.
    public let entityName: String
}
