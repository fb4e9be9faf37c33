/// The value of a relationship to one, as a key path knows it.
public protocol ToOneProperty {
    /// The class of the object.
    associatedtype Object: ManagedObject
    /// The object, if there is one.
    var relatedObject: Object? { get }
}

extension Optional: ToOneProperty where Wrapped: ManagedObject {
    /// Itself.
    public var relatedObject: Wrapped? { self }
}
