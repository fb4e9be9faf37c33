/// What a save does when a row has changed since its object was loaded, or when a unique value is taken.
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
