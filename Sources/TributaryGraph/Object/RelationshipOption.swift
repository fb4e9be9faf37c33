/// An option of a relationship in its declaration.
public struct RelationshipOption: Sendable {
    let apply: @Sendable (inout RelationshipDescription) -> Void

    /// It must have at least one destination when its object is saved.
    public static var required: RelationshipOption { RelationshipOption { $0.isOptional = false } }

    /// It exists in memory only.
    public static var transient: RelationshipOption { RelationshipOption { $0.isTransient = true } }

    /// The name it had in an earlier version of the model.
    public static func renamed(from name: String) -> RelationshipOption {
        RelationshipOption { $0.renamingIdentifier = name }
    }

    /// The range of its number of destinations.
    public static func count(_ range: ClosedRange<Int>) -> RelationshipOption {
        RelationshipOption {
            $0.minimumCount = range.lowerBound
            $0.maximumCount = range.upperBound
        }
    }
}
