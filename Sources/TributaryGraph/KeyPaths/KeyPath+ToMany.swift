/// A to-many relationship in a filter.
///
///     (\Author.books).any(\Book.price > 3)      SUBQUERY(books, $x, $x.price > 3).@count > 0
///     (\Author.books).count > 3                 books.@count > 3
extension KeyPath where Root: ManagedObject, Value: ToManyProperty {
    /// The number of objects.
    public var count: CountExpression { CountExpression(.keyPath(KeyPathNames.names(of: self) + ["@count"])) }

    /// Whether `filter` is true for at least one of the objects.
    public func any(_ filter: Filter) -> Filter { select(filter) > 0 }

    /// Whether `filter` is true for all objects, as it is if there are none.
    public func all(_ filter: Filter) -> Filter { select(.not(filter)) == 0 }

    /// Whether `filter` is true for none of the objects.
    public func none(_ filter: Filter) -> Filter { select(filter) == 0 }

    /// The number of objects for which `filter` is true.
    public func count(where filter: Filter) -> CountExpression { select(filter) }

    /// Whether `object` is one of the objects.
    public func contains(_ object: Value.Object) -> Filter {
        Filter(FilterExpression(self), .contains, .constant(object.filterConstant))
    }

    private func select(_ filter: Filter) -> CountExpression {
        let variable = filter.freeVariable
        let elements = FilterExpression.subquery(
            FilterExpression(self), variable: variable, filter.rooted(at: .variable(variable)))
        return CountExpression(.path(elements, ["@count"]))
    }
}
