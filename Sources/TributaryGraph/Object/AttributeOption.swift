/// An option of an attribute in its declaration.
public struct AttributeOption: Sendable {
    let apply: @Sendable (inout AttributeDescription) -> Void
    /// Whether its values are unique.
    var isUnique = false

    /// No two objects have the same value.
    public static var unique: AttributeOption {
        var option = AttributeOption { _ in }
        option.isUnique = true
        return option
    }

    /// The store has an index of its values.
    public static var indexed: AttributeOption { AttributeOption { $0.isIndexed = true } }

    /// It exists in memory only.
    public static var transient: AttributeOption { AttributeOption { $0.isTransient = true } }

    /// The name it had in an earlier version of the model.
    public static func renamed(from name: String) -> AttributeOption {
        AttributeOption { $0.renamingIdentifier = name }
    }

    /// The expression that computes its value when its object is saved.
    public static func derived(_ expression: String) -> AttributeOption {
        AttributeOption { $0.derivation = expression }
    }

    /// The range of its integer values.
    public static func range(_ range: ClosedRange<Int>) -> AttributeOption {
        AttributeOption {
            $0.minimum = .integer(Int64(range.lowerBound))
            $0.maximum = .integer(Int64(range.upperBound))
        }
    }

    /// The range of its values.
    public static func range(_ range: ClosedRange<Double>) -> AttributeOption {
        AttributeOption {
            $0.minimum = .double(range.lowerBound)
            $0.maximum = .double(range.upperBound)
        }
    }

    /// The range of its number of characters.
    public static func length(_ range: ClosedRange<Int>) -> AttributeOption { .range(range) }

    /// The regular expression that its whole value must match.
    public static func matching(_ pattern: String) -> AttributeOption {
        AttributeOption { $0.regularExpression = pattern }
    }
}
