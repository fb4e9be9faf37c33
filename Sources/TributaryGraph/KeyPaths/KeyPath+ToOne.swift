/// A relationship to one in a filter.
///
///     \Book.author == ada || \Book.author?.name == "Bob"
extension KeyPath where Root: ManagedObject, Value: ToOneProperty {
    /// Whether it leads to nobody.
    public var isNil: Filter { Filter(path, .equal, .constant(.null)) }

    /// Whether it leads to `object`; for nil, to nobody.
    public static func == (path: KeyPath, object: Value) -> Filter {
        Filter(path.path, .equal, .constant(object.relatedObject?.filterConstant ?? .null))
    }

    /// Whether it leads to another object than `object`, or to none.
    public static func != (path: KeyPath, object: Value) -> Filter {
        Filter(path.path, .notEqual, .constant(object.relatedObject?.filterConstant ?? .null))
    }

    /// Whether both lead to the same object.
    public static func == <Origin: ManagedObject>(left: KeyPath, right: KeyPath<Origin, Value>) -> Filter {
        Filter(left.path, .equal, .keyPath(KeyPathNames.names(of: right)))
    }

    /// Whether they lead to different objects.
    public static func != <Origin: ManagedObject>(left: KeyPath, right: KeyPath<Origin, Value>) -> Filter {
        Filter(left.path, .notEqual, .keyPath(KeyPathNames.names(of: right)))
    }

    /// Whether it leads to one of `objects`.
    public func isIn(_ objects: some Sequence<Value.Object>) -> Filter {
        Filter(path, .in, .constant(.list(objects.map(\.filterConstant))))
    }

    private var path: FilterExpression { .keyPath(KeyPathNames.names(of: self)) }
}

extension ManagedObject {
    /// The object as a constant of a filter: what stands for it.
    var filterConstant: FilterValue {
        guard let reference = filterReference else {
            fatalError("an object of \(type(of: self)) has nothing that stands for it in a filter; it needs a context")
        }
        return .object(reference)
    }
}
