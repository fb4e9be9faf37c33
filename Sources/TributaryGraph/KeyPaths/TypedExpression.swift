/// A filter expression with a static type: a key path, or the number of objects of a to-many relationship.
///
///     \Book.title == "Emma"
///     (\Book.title).contains("em", options: .caseInsensitive) && \Book.author?.name != nil
///     (\Author.books).count > 3
///
/// Each of these filters equals the `Filter` that is read from the same text.
public protocol TypedExpression<Value> {
    /// The type of its value for an object.
    associatedtype Value: AttributeValue
    /// The expression of the filter.
    var filterExpression: FilterExpression { get }
}

extension KeyPath: TypedExpression where Root: ManagedObject, Value: AttributeValue {
    /// The path with the names of the properties.
    ///
    /// A key path that does not consist of properties of a model traps.
    public var filterExpression: FilterExpression { .keyPath(KeyPathNames.names(of: self)) }
}

/// Expressions made of key paths.
extension FilterExpression {
    /// The path with the names of the properties: `FilterExpression(\Book.author?.name)`.
    ///
    /// A key path that does not consist of properties of a model traps.
    public init<Root: ManagedObject, Value>(_ path: KeyPath<Root, Value>) {
        self = .keyPath(KeyPathNames.names(of: path))
    }
}

/// Sort keys made of key paths.
extension SortKey {
    /// A key path to sort by: `SortKey(\Book.title, ascending: false)`.
    ///
    /// A key path that does not consist of attributes of a model traps.
    public init<Root: ManagedObject, Value: AttributeValue>(
        _ path: KeyPath<Root, Value>, ascending: Bool = true, options: FilterOptions = []
    ) {
        self.init("", ascending: ascending, options: options)
        keyPath = KeyPathNames.names(of: path)
    }
}

extension AttributeValue {
    var filterValue: FilterValue {
        if let argument = self as? any FilterArgument, case .value(let value) = argument.filterOperand { return value }
        return Row.temporary(1) { row in
            write(row, 0)
            return Self.attributeType.filterValue(in: row, 0)
        }
    }
}
