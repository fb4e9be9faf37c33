extension TypedExpression {
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
