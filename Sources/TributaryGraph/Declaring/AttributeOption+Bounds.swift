extension AttributeOption {
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
