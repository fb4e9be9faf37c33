/// A relationship of a resolved model.
///
/// An entity and its subentities share the same instance. It refers to entities by their index in the model, because
/// strong references between entities would be cycles.
public final class RelationshipProperty: Sendable, Hashable {
    /// The description of the relationship.
    public let declaration: RelationshipDescription
    /// The slot of its value in a row of its entity, and of every subentity.
    package let slot: Int
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
    /// Whether it is to-many.
    public var isToMany: Bool { declaration.isToMany }
    /// Whether its destinations have an order.
    public var isOrdered: Bool { declaration.isOrdered }
    /// Whether it may be empty when the object is saved.
    public var isOptional: Bool { declaration.isOptional }
    /// Whether it is kept in memory only and not stored.
    public var isTransient: Bool { declaration.isTransient }
    /// The effect of deleting the owner on the destinations.
    public var deleteRule: DeleteRule { declaration.deleteRule }
    /// The entity that declares it.
    public var entity: Entity { model.entities[entityIndex] }
    /// The destination entity.
    public var destination: Entity { model.entities[destinationIndex] }
    /// The inverse relationship; itself if it is symmetric.
    public var inverse: RelationshipProperty? { inverseSlot.flatMap { destination.properties[$0].relationship } }

    /// Whether it is to-many with a rule for the number of its destinations.
    package var isCounted: Bool {
        isToMany && (!isOptional || declaration.minimumCount > 0 || declaration.maximumCount > 0)
    }

    /// What a number of destinations of a saved object violates, and whether there are too many; nil if it is permitted.
    package func fault(of count: Int) -> (isTooMany: Bool, reason: String)? {
        let least = max(declaration.minimumCount, isOptional ? 0 : 1)
        // An optional relationship may be empty even if it has a minimum count.
        if count < least, !(isOptional && count == 0) {
            return (false, "has \(count) objects, expected at least \(least)")
        }
        let most = declaration.maximumCount
        return most > 0 && count > most ? (true, "has \(count) objects, expected at most \(most)") : nil
    }

    /// Whether both are the same relationship of the same model.
    public static func == (left: RelationshipProperty, right: RelationshipProperty) -> Bool { left === right }

    /// Feeds the identity to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
