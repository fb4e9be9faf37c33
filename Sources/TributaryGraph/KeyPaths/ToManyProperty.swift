/// The value of a relationship to many, as a key path knows it.
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
