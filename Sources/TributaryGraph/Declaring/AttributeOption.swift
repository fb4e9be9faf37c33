/// An option of an attribute in its declaration.
public struct AttributeOption: Sendable {
    let isUnique: Bool
    /// The name in the model, if it is not that of the property.
    let name: String?
    let apply: @Sendable (inout AttributeDescription) -> Void

    init(
        isUnique: Bool = false, name: String? = nil,
        _ apply: @escaping @Sendable (inout AttributeDescription) -> Void = { _ in }
    ) {
        (self.isUnique, self.name, self.apply) = (isUnique, name, apply)
    }

    /// No two objects have the same value.
    public static var unique: AttributeOption { AttributeOption(isUnique: true) }

    /// The store has an index of its values.
    public static var indexed: AttributeOption { AttributeOption { $0.isIndexed = true } }

    /// It exists in memory only.
    public static var transient: AttributeOption { AttributeOption { $0.isTransient = true } }

    /// The name in the model, which need not be a name in Swift: `@Attribute(.named("first name")) var firstName: String`.
    public static func named(_ name: String) -> AttributeOption { AttributeOption(name: name) }

    /// The name it had in an earlier version of the model.
    public static func renamed(from name: String) -> AttributeOption {
        AttributeOption { $0.renamingIdentifier = name }
    }

    /// The expression that computes its value when its object is saved.
    public static func derived(_ expression: String) -> AttributeOption {
        AttributeOption { $0.derivation = expression }
    }

    /// The default, if it is not a value of the Swift type, such as 0.1 of a Float.
    public static func defaultValue(_ value: ModelValue) -> AttributeOption {
        AttributeOption { $0.defaultValue = value }
    }

    /// Its bytes encode a value: `@Attribute(.transformable, .transformer("ColourTransformer")) var colour: Data?`.
    public static var transformable: AttributeOption { AttributeOption { $0.type = .transformable } }

    /// Its column was made by an import without a model, which may later store values of other types.
    public static var inferred: AttributeOption {
        AttributeOption {
            $0.userInfo = AttributeDescription.inferred($0.name, storing: $0.type).userInfo
            $0.type = .undefined
        }
    }

    /// The name of the transformer of a transformable value.
    public static func transformer(_ name: String) -> AttributeOption {
        AttributeOption { $0.transformerName = name }
    }

    /// The name of the class of a transformable value.
    public static func valueClass(_ name: String) -> AttributeOption {
        AttributeOption { $0.valueClassName = name }
    }

    /// A text that changes the version hash when nothing else has changed.
    public static func versionHashModifier(_ modifier: String) -> AttributeOption {
        AttributeOption { $0.versionHashModifier = modifier }
    }

    /// Custom entries, such as the path of the values in JSON.
    public static func userInfo(_ entries: [String: String]) -> AttributeOption {
        AttributeOption { $0.userInfo = entries }
    }

    // MARK: Bounds

    /// The range of its values: numbers or dates.
    public static func range<Bound: AttributeValue & Comparable & Sendable>(
        _ range: ClosedRange<Bound>
    ) -> AttributeOption {
        AttributeOption {
            $0.minimum = range.lowerBound.modelValue
            $0.maximum = range.upperBound.modelValue
        }
    }

    /// The minimum of its values: `.range(0...)`.
    public static func range<Bound: AttributeValue & Comparable & Sendable>(
        _ range: PartialRangeFrom<Bound>
    ) -> AttributeOption {
        AttributeOption { $0.minimum = range.lowerBound.modelValue }
    }

    /// The maximum of its values: `.range(...100)`.
    public static func range<Bound: AttributeValue & Comparable & Sendable>(
        _ range: PartialRangeThrough<Bound>
    ) -> AttributeOption {
        AttributeOption { $0.maximum = range.upperBound.modelValue }
    }

    /// The range of its number of characters.
    public static func length(_ range: ClosedRange<Int>) -> AttributeOption { .range(range) }

    /// The minimum of its number of characters: `.length(1...)`.
    public static func length(_ range: PartialRangeFrom<Int>) -> AttributeOption { .range(range) }

    /// The maximum of its number of characters: `.length(...80)`.
    public static func length(_ range: PartialRangeThrough<Int>) -> AttributeOption { .range(range) }

    /// The regular expression that its whole value must match.
    public static func matching(_ pattern: String) -> AttributeOption {
        AttributeOption { $0.regularExpression = pattern }
    }
}
