/// An attribute or a relationship of a resolved entity.
public enum Property: Sendable, Hashable {
    /// An attribute.
    case attribute(AttributeProperty)
    /// A relationship.
    case relationship(RelationshipProperty)

    /// The name.
    public var name: String {
        switch self {
        case .attribute(let attribute): attribute.name
        case .relationship(let relationship): relationship.name
        }
    }

    /// The entity that declares it.
    public var entity: Entity {
        switch self {
        case .attribute(let attribute): attribute.entity
        case .relationship(let relationship): relationship.entity
        }
    }

    /// The slot of its value in a row of its entity, and of every subentity.
    package var slot: Int {
        switch self {
        case .attribute(let attribute): attribute.slot
        case .relationship(let relationship): relationship.slot
        }
    }

    /// The attribute; nil for a relationship.
    public var attribute: AttributeProperty? {
        guard case .attribute(let attribute) = self else { return nil }
        return attribute
    }

    /// The relationship; nil for an attribute.
    public var relationship: RelationshipProperty? {
        guard case .relationship(let relationship) = self else { return nil }
        return relationship
    }
}
