/// An object of a model: an entity's attributes and relationships.
///
/// Subclasses declare their properties with `@Attribute` and `@Relationship`; they have no initialisers of their own.
/// An object belongs to the queue of its context; it is not `Sendable`.
open class ManagedObject {
    @usableFromInline final let row: Row
    /// What the object is; nil while its class is being described.
    private final let described: Entity?

    /// Called by the library alone.
    public required init(_ seed: ObjectSeed) {
        row = seed.row
        described = seed.entity
    }

    deinit { row.deallocate() }

    /// The name of the entity that the class stands for: that of the class, unless it is overridden.
    open class var entityName: String { String(describing: self) }

    /// Whether the entity has no objects of its own; to be overridden in the class itself.
    open class var isAbstractEntity: Bool { false }

    /// What the object is.
    public final var entity: Entity {
        guard let described else { preconditionFailure("this object only describes its class") }
        return described
    }

    /// Whether it only tells what its class declares.
    final var isDescription: Bool { described == nil }

    /// The row, to read a slot of it.
    @inlinable
    @inline(__always)
    final func rowToRead(_ slot: UInt16) -> Row { row }

    /// The row, to write a slot of it; nil if it holds the value already.
    @inlinable
    @inline(__always)
    final func rowToWrite(_ slot: UInt16, unless isEqual: (Row) -> Bool) -> Row? { isEqual(row) ? nil : row }
}

extension ManagedObject: Hashable {
    /// Whether both are the same object.
    public static func == (one: ManagedObject, other: ManagedObject) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@available(*, unavailable, message: "objects stay on the queue of their context; pass their ids")
extension ManagedObject: Sendable {}
