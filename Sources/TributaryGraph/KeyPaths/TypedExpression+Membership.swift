extension TypedExpression {
    /// Whether it is nothing.
    public var isNil: Filter { Filter(filterExpression, .equal, .constant(.null)) }

    /// Whether it is one of `values`.
    public func isIn(_ values: some Sequence<Value.Unwrapped>) -> Filter {
        Filter(filterExpression, .in, .constant(.list(values.map(\.filterValue))))
    }

    /// Whether it is one of `values`, which are equal if they are so with these options.
    public func isIn(_ values: some Sequence<String>, options: FilterOptions) -> Filter
    where Value.Unwrapped == String {
        Filter(filterExpression, .in, .constant(.list(values.map { .string($0) })), options: options)
    }
}

extension TypedExpression where Value.Unwrapped: Comparable {
    /// Whether it is within `bounds`, these included.
    public func isBetween(_ bounds: ClosedRange<Value.Unwrapped>) -> Filter {
        Filter(
            filterExpression, .between,
            .constant(.list([bounds.lowerBound.filterValue, bounds.upperBound.filterValue])))
    }
}
