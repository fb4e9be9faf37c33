/// A Swift type that a `@Relationship` can have: an optional object, `ToMany` or `OrderedToMany`.
public protocol RelationshipValue {
    /// The class of the objects that it leads to.
    static var destinationType: ManagedObject.Type { get }
    /// Whether it leads to many.
    static var isToMany: Bool { get }
    /// Whether the many have an order.
    static var isOrdered: Bool { get }
    /// The value without any object.
    static var nothing: Self { get }
    /// The value in the slot of an object.
    static func read(_ object: ManagedObject, _ slot: Int) -> Self
    /// Makes it the value in the slot of an object, and keeps the other side in step.
    func write(_ object: ManagedObject, _ slot: Int)
}
