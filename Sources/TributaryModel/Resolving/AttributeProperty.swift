/// An attribute of a resolved model.
///
/// An entity and its subentities share one.
public final class AttributeProperty: Sendable, Hashable {
    /// What the model states.
    public let declaration: AttributeDescription
    /// Where its value lies in a row of its entity, and of every subentity.
    public let slot: Int
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
    /// What it holds.
    public var type: AttributeType { declaration.type }
    /// Whether it may be nil when it is saved.
    public var isOptional: Bool { declaration.isOptional }
    /// Whether it lives in memory only.
    public var isTransient: Bool { declaration.isTransient }
    /// The entity that declares it.
    public var entity: Entity { model.entities[entityIndex] }

    /// Whether both are the same attribute of the same model.
    public static func == (left: AttributeProperty, right: AttributeProperty) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
