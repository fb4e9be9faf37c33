extension ObjectID: FilterArgument {
    /// The object as a constant: `"author == \(id)"`.
    public var filterOperand: FilterOperand { .value(.object(self)) }
}

/// Objects as values of a filter.
extension FilterValue {
    /// An object by its ID, as the value of a variable.
    public static func object(_ id: ObjectID) -> FilterValue { .object(FilterReference(id)) }

    /// An object, as the value of a variable; an unsaved object matches in its own context only.
    public static func object(_ object: ManagedObject) -> FilterValue { .object(object.objectID) }
}
