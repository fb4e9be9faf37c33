/// A to-one relationship in a filter.
///
///     \Book.author == ada || \Book.author?.name == "Bob"
extension KeyPath where Root: ManagedObject, Value: ToOneProperty {
    /// Whether the relationship is nil.
    public var isNil: Filter { Filter(FilterExpression(self), .equal, .constant(.null)) }

    /// Whether the relationship refers to `object`, or is nil if `object` is nil.
    public static func == (path: KeyPath, object: Value) -> Filter {
        Filter(FilterExpression(path), .equal, .constant(object.relatedObject?.filterConstant ?? .null))
    }

    /// Whether the relationship does not refer to `object`.
    public static func != (path: KeyPath, object: Value) -> Filter {
        Filter(FilterExpression(path), .notEqual, .constant(object.relatedObject?.filterConstant ?? .null))
    }

    /// Whether both refer to the same object.
    public static func == <Origin: ManagedObject>(left: KeyPath, right: KeyPath<Origin, Value>) -> Filter {
        Filter(FilterExpression(left), .equal, FilterExpression(right))
    }

    /// Whether they refer to different objects.
    public static func != <Origin: ManagedObject>(left: KeyPath, right: KeyPath<Origin, Value>) -> Filter {
        Filter(FilterExpression(left), .notEqual, FilterExpression(right))
    }

    /// Whether the relationship refers to one of `objects`.
    public func isIn(_ objects: some Sequence<Value.Object>) -> Filter {
        Filter(FilterExpression(self), .in, .constant(.list(objects.map(\.filterConstant))))
    }
}

extension ManagedObject {
    var filterConstant: FilterValue {
        guard let reference = filterReference else {
            fatalError("an object of \(type(of: self)) without a context cannot be used in a filter; insert it first")
        }
        return .object(reference)
    }
}
