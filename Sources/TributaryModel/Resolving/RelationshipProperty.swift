/// A relationship of a resolved model.
///
/// An entity and its subentities share one.
/// It keeps places in its model, no references: entities that lead to one another would never be freed.
public final class RelationshipProperty: Sendable, Hashable {
    /// What the model states.
    public let declaration: RelationshipDescription
    /// Where its value lies in a row of its entity, and of every subentity.
    public let slot: Int
    private unowned let model: Model
    private let entityIndex: Int
    private let destinationIndex: Int
    private let inverseSlot: Int?

    init(
        _ declaration: RelationshipDescription, slot: Int, entityIndex: Int, destinationIndex: Int, inverseSlot: Int?,
        model: Model
    ) {
        self.declaration = declaration
        self.slot = slot
        self.entityIndex = entityIndex
        self.destinationIndex = destinationIndex
        self.inverseSlot = inverseSlot
        self.model = model
    }

    /// The name.
    public var name: String { declaration.name }
    /// Whether it leads to many.
    public var isToMany: Bool { declaration.isToMany }
    /// Whether the many have an order.
    public var isOrdered: Bool { declaration.isOrdered }
    /// Whether there may be none when it is saved.
    public var isOptional: Bool { declaration.isOptional }
    /// Whether it lives in memory only.
    public var isTransient: Bool { declaration.isTransient }
    /// What happens when the owner is deleted.
    public var deleteRule: DeleteRule { declaration.deleteRule }
    /// The entity that declares it.
    public var entity: Entity { model.entities[entityIndex] }
    /// The entity it leads to.
    public var destination: Entity { model.entities[destinationIndex] }
    /// The relationship that leads back; itself if it is symmetric.
    public var inverse: RelationshipProperty? { inverseSlot.flatMap { destination.properties[$0].relationship } }

    /// Whether both are the same relationship of the same model.
    public static func == (left: RelationshipProperty, right: RelationshipProperty) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
