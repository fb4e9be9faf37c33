package import TributarySQLite

/// The values of a uniqueness constraint for which a filter asks.
package struct UniqueKey {
    /// The attributes of the constraint.
    package let attributes: [AttributeProperty]
    /// The value of each attribute, as it is stored.
    package let values: [SQLValue]

    /// The key of a filter; nil unless it compares exactly the attributes of a constraint with values, for equality.
    package init?(_ filter: Filter, of entity: Entity) {
        var constants: [String: FilterValue] = [:]
        let parts: [Filter] = if case .and(let parts) = filter.form { parts } else { [filter] }
        for part in parts {
            guard let (name, value) = Self.equality(part), constants.updateValue(value, forKey: name) == nil else {
                return nil
            }
        }
        let constraint = entity.uniquenessConstraints.first { constraint in
            constraint.properties.count == constants.count
                && constraint.properties.allSatisfy { constants[$0.name] != nil }
        }
        guard let constraint, constants.count <= KeyTable.width else { return nil }
        var (attributes, values): ([AttributeProperty], [SQLValue]) = ([], [])
        let row = Row.allocate(entity.properties.count)
        defer { row.deallocate() }
        for property in constraint.properties {
            guard let attribute = entity.attribute(named: property.name), let constant = constants[property.name],
                (try? attribute.write(constant, to: row)) != nil
            else { return nil }
            let value = attribute.storedValue(in: row)
            // A value that the attribute changes, or a null, is not a key: the filter decides what it equals.
            guard value != .null, attribute.filterValue(stored: value) == constant else { return nil }
            attributes.append(attribute)
            values.append(value)
        }
        (self.attributes, self.values) = (attributes, values)
    }

    private static func equality(_ filter: Filter) -> (name: String, value: FilterValue)? {
        guard case .comparison(let comparison) = filter.form, comparison.operator == .equal,
            comparison.options.isEmpty, comparison.modifier == .direct
        else { return nil }
        switch (comparison.left, comparison.right) {
        case (.keyPath(let path), .constant(let value)), (.constant(let value), .keyPath(let path)):
            return path.count == 1 ? (path[0], value) : nil
        default: return nil
        }
    }
}
