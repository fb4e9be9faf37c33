/// The value type of a to-one relationship in a key path.
public protocol ToOneProperty {
    /// The class of the object.
    associatedtype Object: ManagedObject
    /// The object, if there is one.
    var relatedObject: Object? { get }
}

extension Optional: ToOneProperty where Wrapped: ManagedObject {
    /// The wrapped object.
    public var relatedObject: Wrapped? { self }
}
