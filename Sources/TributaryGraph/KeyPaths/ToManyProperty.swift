/// The value type of a to-many relationship in a key path.
public protocol ToManyProperty {
    /// The class of the objects.
    associatedtype Object: ManagedObject
}

extension ToMany: ToManyProperty {
    /// The class of the objects.
    public typealias Object = Element
}

extension OrderedToMany: ToManyProperty {
    /// The class of the objects.
    public typealias Object = Element
}

extension Optional: ToManyProperty where Wrapped: ToManyProperty {
    /// The class of the objects.
    public typealias Object = Wrapped.Object
}
