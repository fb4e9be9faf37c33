/// A Swift type that a `@Relationship` can have: an optional object, `ToMany` or `OrderedToMany`.
public protocol RelationshipValue {
    /// The class of the destinations.
    static var destinationType: ManagedObject.Type { get }
    /// Whether the relationship is to-many.
    static var isToMany: Bool { get }
    /// Whether the relationship is ordered.
    static var isOrdered: Bool { get }
    /// The value without destinations.
    static var nothing: Self { get }
    /// The value in the slot of an object.
    static func read(_ object: ManagedObject, _ slot: Int) -> Self
    /// Sets the value in the slot of an object, and updates the inverse.
    func write(_ object: ManagedObject, _ slot: Int)
}
