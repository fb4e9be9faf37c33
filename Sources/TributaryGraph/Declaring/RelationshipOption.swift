/// An option of a relationship in its declaration.
public struct RelationshipOption: Sendable {
    /// The name in the model, if it is not that of the property.
    let name: String?
    let apply: @Sendable (inout RelationshipDescription) -> Void

    init(name: String? = nil, _ apply: @escaping @Sendable (inout RelationshipDescription) -> Void = { _ in }) {
        (self.name, self.apply) = (name, apply)
    }

    /// It must have at least one destination when its object is saved.
    public static var required: RelationshipOption { RelationshipOption { $0.isOptional = false } }

    /// It exists in memory only.
    public static var transient: RelationshipOption { RelationshipOption { $0.isTransient = true } }

    /// The name in the model, which need not be a name in Swift.
    public static func named(_ name: String) -> RelationshipOption { RelationshipOption(name: name) }

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

    /// The minimum of its number of destinations: `.count(1...)`.
    public static func count(_ range: PartialRangeFrom<Int>) -> RelationshipOption {
        RelationshipOption { $0.minimumCount = range.lowerBound }
    }

    /// A text that changes the version hash when nothing else has changed.
    public static func versionHashModifier(_ modifier: String) -> RelationshipOption {
        RelationshipOption { $0.versionHashModifier = modifier }
    }

    /// Custom entries, such as the path of the objects in JSON.
    public static func userInfo(_ entries: [String: String]) -> RelationshipOption {
        RelationshipOption { $0.userInfo = entries }
    }
}
