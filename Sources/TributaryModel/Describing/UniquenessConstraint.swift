/// Properties whose values together stand once among the objects of an entity and its subentities.
public struct UniquenessConstraint: Sendable, Hashable {
    /// Attributes and relationships to one, in the order of the model.
    public let properties: [Property]
    /// The name of the entity that declares it.
    public let entityName: String
}
