extension AttributeDescription {
    /// The type of the values in the column of an inferred attribute; nil for other attributes and for mixed values.
    package var inferredType: AttributeType? {
        let kinds = valueKinds
        guard type == .undefined, !isTransient, !kinds.isEmpty, !kinds.isMixed else { return nil }
        return kinds.contains(.text) ? .string : kinds.contains(.real) ? .double : .integer64
    }

    /// An inferred attribute with values of a type: text, or whole or floating point numbers; of any type for others.
    package static func inferred(_ name: String, storing type: AttributeType) -> AttributeDescription {
        switch type {
        case .string: .inferred(name, kinds: .text)
        case .double: .inferred(name, kinds: .real)
        case .integer64: .inferred(name, kinds: .integer)
        default: .inferred(name, kinds: .all)
        }
    }
}
