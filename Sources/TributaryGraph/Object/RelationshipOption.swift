/// What can be said of a relationship where it is declared.
public struct RelationshipOption: Sendable {
    let apply: @Sendable (inout RelationshipDescription) -> Void

    /// There must be at least one when it is saved.
    public static var required: RelationshipOption { RelationshipOption { $0.isOptional = false } }

    /// It lives in memory only.
    public static var transient: RelationshipOption { RelationshipOption { $0.isTransient = true } }

    /// The name it had in an earlier version of the model.
    public static func renamed(from name: String) -> RelationshipOption {
        RelationshipOption { $0.renamingIdentifier = name }
    }

    /// How many there may be.
    public static func count(_ range: ClosedRange<Int>) -> RelationshipOption {
        RelationshipOption {
            $0.minimumCount = range.lowerBound
            $0.maximumCount = range.upperBound
        }
    }
}
