/// An attribute of a resolved model.
///
/// An entity and its subentities share the same instance.
public final class AttributeProperty: Sendable, Hashable {
    /// The description of the attribute.
    public let declaration: AttributeDescription
    /// The slot of its value in a row of its entity, and of every subentity.
    package let slot: Int
    private unowned let model: Model
    private let entityIndex: Int

    init(_ declaration: AttributeDescription, slot: Int, entityIndex: Int, model: Model) {
        self.declaration = declaration
        self.slot = slot
        self.entityIndex = entityIndex
        self.model = model
    }

    /// The name.
    public var name: String { declaration.name }
    /// The type of its values.
    public var type: AttributeType { declaration.type }
    /// Whether the value may be nil when the object is saved.
    public var isOptional: Bool { declaration.isOptional }
    /// Whether it is kept in memory only and not stored.
    public var isTransient: Bool { declaration.isTransient }
    /// The entity that declares it.
    public var entity: Entity { model.entities[entityIndex] }

    /// Whether both are the same attribute of the same model.
    public static func == (left: AttributeProperty, right: AttributeProperty) -> Bool { left === right }

    /// Feeds the identity to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
