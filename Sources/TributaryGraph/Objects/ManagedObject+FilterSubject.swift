extension ManagedObject: FilterSubject {
    /// A reference with the ID of the object.
    public var filterReference: FilterReference? {
        registry?.context == nil ? nil : FilterReference(objectID)
    }

    /// The value of an attribute, or the destinations of a relationship.
    ///
    /// - Throws: An error with the code `filter.key` if there is no such key.
    public func filterValue(forKey key: String) throws(FilterError) -> FilterProperty {
        guard let property = entity[key] else {
            if key == "objectID" || key == "self" { return .value(filterReference.map(FilterValue.object) ?? .null) }
            throw FilterError(.key, "\(entity.name) has no property \(key)")
        }
        switch property {
        case .attribute(let attribute): return .value(filterValue(of: attribute))
        case .relationship(let relationship):
            if relationship.isToMany { return .many(many(relationship.slot)) }
            return .one(one(relationship.slot))
        }
    }
}

extension ManagedObject {
    /// The value of an attribute.
    package final func filterValue(of attribute: AttributeProperty) -> FilterValue {
        attribute.filterValue(in: rowToRead(UInt16(attribute.slot)))
    }

    /// The primary key of the row of the object; nil if no save has assigned it.
    package final var storedKey: Int64? { key > 0 ? key : nil }
}
