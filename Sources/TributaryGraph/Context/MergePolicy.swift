/// What a save does when a row has changed since its object was loaded, or when a unique value is taken.
///
/// Links between many and many have no version: they are changes of both ends, and are written under every policy. A
/// deletion whose row has changed is given up where the store wins; if it has taken others along, or out of references,
/// which nobody else has touched, the save fails instead.
public enum MergePolicy: Sendable, Hashable {
    /// The save fails and says which objects are concerned.
    case error
    /// Value by value: what the store has wins where both have changed.
    case storeTrump
    /// Value by value: what the object has wins where both have changed.
    case objectTrump
    /// All values of the object are written, changed or not.
    case overwrite
    /// The changes of the object are dropped.
    case rollback
}
