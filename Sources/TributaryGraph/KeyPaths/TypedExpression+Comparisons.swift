extension TypedExpression {
    /// Whether both are equal; nil equals nil.
    public static func == (left: Self, right: Value) -> Filter {
        Filter(left.filterExpression, .equal, .constant(right.filterValue))
    }

    /// Whether both are equal; nil equals nil.
    public static func == <Other: TypedExpression>(left: Self, right: Other) -> Filter
    where Value.Unwrapped == Other.Value.Unwrapped {
        Filter(left.filterExpression, .equal, right.filterExpression)
    }

    /// Whether they differ.
    public static func != (left: Self, right: Value) -> Filter {
        Filter(left.filterExpression, .notEqual, .constant(right.filterValue))
    }

    /// Whether they differ.
    public static func != <Other: TypedExpression>(left: Self, right: Other) -> Filter
    where Value.Unwrapped == Other.Value.Unwrapped {
        Filter(left.filterExpression, .notEqual, right.filterExpression)
    }

    /// Whether the left is less; nil is neither less nor greater.
    public static func < (left: Self, right: Value) -> Filter {
        Filter(left.filterExpression, .less, .constant(right.filterValue))
    }

    /// Whether the left is less; nil is neither less nor greater.
    public static func < <Other: TypedExpression>(left: Self, right: Other) -> Filter
    where Value.Unwrapped == Other.Value.Unwrapped {
        Filter(left.filterExpression, .less, right.filterExpression)
    }

    /// Whether the left is not greater.
    public static func <= (left: Self, right: Value) -> Filter {
        Filter(left.filterExpression, .lessOrEqual, .constant(right.filterValue))
    }

    /// Whether the left is not greater.
    public static func <= <Other: TypedExpression>(left: Self, right: Other) -> Filter
    where Value.Unwrapped == Other.Value.Unwrapped {
        Filter(left.filterExpression, .lessOrEqual, right.filterExpression)
    }

    /// Whether the left is greater.
    public static func > (left: Self, right: Value) -> Filter {
        Filter(left.filterExpression, .greater, .constant(right.filterValue))
    }

    /// Whether the left is greater.
    public static func > <Other: TypedExpression>(left: Self, right: Other) -> Filter
    where Value.Unwrapped == Other.Value.Unwrapped {
        Filter(left.filterExpression, .greater, right.filterExpression)
    }

    /// Whether the left is not less.
    public static func >= (left: Self, right: Value) -> Filter {
        Filter(left.filterExpression, .greaterOrEqual, .constant(right.filterValue))
    }

    /// Whether the left is not less.
    public static func >= <Other: TypedExpression>(left: Self, right: Other) -> Filter
    where Value.Unwrapped == Other.Value.Unwrapped {
        Filter(left.filterExpression, .greaterOrEqual, right.filterExpression)
    }

    /// Whether the value is nil.
    public var isNil: Filter { Filter(filterExpression, .equal, .constant(.null)) }

    /// Whether the value is one of `values`.
    public func isIn(_ values: some Sequence<Value.Unwrapped>) -> Filter {
        Filter(filterExpression, .in, .constant(.list(values.map(\.filterValue))))
    }

    /// Whether the text is one of `values`, compared with some options.
    public func isIn(_ values: some Sequence<String>, options: FilterOptions) -> Filter
    where Value.Unwrapped == String {
        Filter(filterExpression, .in, .constant(.list(values.map { .string($0) })), options: options)
    }
}

extension TypedExpression where Value.Unwrapped: Comparable {
    /// Whether the value is within `bounds`, inclusive.
    public func isBetween(_ bounds: ClosedRange<Value.Unwrapped>) -> Filter {
        Filter(
            filterExpression, .between,
            .constant(.list([bounds.lowerBound.filterValue, bounds.upperBound.filterValue])))
    }
}
