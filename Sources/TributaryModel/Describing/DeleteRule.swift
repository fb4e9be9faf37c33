/// What happens to the objects that a relationship leads to when its owner is deleted.
public enum DeleteRule: String, Sendable, Hashable {
    /// They stay, and no longer know the owner.
    case nullify = "Nullify"
    /// They are deleted as well.
    case cascade = "Cascade"
    /// The owner cannot be deleted while there are any.
    case deny = "Deny"
    /// Nothing: they may point at what is gone.
    case noAction = "No Action"
}
