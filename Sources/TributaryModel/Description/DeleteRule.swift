/// The effect of deleting an object on the destinations of a relationship.
public enum DeleteRule: String, Sendable, Hashable {
    /// References back to the deleted object become nil.
    case nullify = "Nullify"
    /// The destinations are deleted too.
    case cascade = "Cascade"
    /// The object cannot be deleted while the relationship has destinations.
    case deny = "Deny"
    /// Nothing changes, so references may dangle.
    case noAction = "No Action"
}
