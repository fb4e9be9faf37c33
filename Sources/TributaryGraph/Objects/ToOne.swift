extension Optional: RelationshipValue where Wrapped: ManagedObject {
    /// The class of the object.
    public static var destinationType: ManagedObject.Type { Wrapped.self }
    /// False.
    public static var isToMany: Bool { false }
    /// False.
    public static var isOrdered: Bool { false }
    /// No object.
    public static var nothing: Wrapped? { nil }
    /// The object in the slot.
    public static func read(_ object: ManagedObject, _ slot: Int) -> Wrapped? { object.one(slot) as? Wrapped }
    /// Sets the destination of the slot to this object.
    public func write(_ object: ManagedObject, _ slot: Int) { object.setOne(slot, self) }
}
