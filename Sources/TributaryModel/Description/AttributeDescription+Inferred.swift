extension AttributeDescription {
    /// The `userInfo` key of the kinds of values of an inferred attribute.
    private static let kindsKey = "tributary.values"

    /// The kinds of values that an inferred attribute has had; all if they are unknown.
    package var valueKinds: ValueKinds {
        get { userInfo[AttributeDescription.kindsKey].flatMap { UInt8($0) }.map(ValueKinds.init) ?? .all }
        set { userInfo[AttributeDescription.kindsKey] = "\(newValue.rawValue)" }
    }

    /// Whether its type follows from imported values.
    package var isInferred: Bool { type == .undefined && userInfo[AttributeDescription.kindsKey] != nil }

    /// The name of its type; `Any` for an inferred attribute with values of several types, or none yet.
    package var typeName: String { isInferred ? inferredType?.description ?? "Any" : type.description }

    /// The entries of `userInfo` that are not those of this library.
    package var ownUserInfo: [String: String] { userInfo.filter { $0.key != AttributeDescription.kindsKey } }

    /// An attribute without values so far, whose column gets the type that suits them.
    package static func inferred(_ name: String, kinds: ValueKinds = []) -> AttributeDescription {
        var attribute = AttributeDescription(name, .undefined)
        attribute.valueKinds = kinds
        return attribute
    }

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
