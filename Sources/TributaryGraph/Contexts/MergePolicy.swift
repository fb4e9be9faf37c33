/// The behavior of a save if a row has changed since its object was loaded, or another row has a unique value.
///
/// Many-to-many relationships have no version: they are changes of both objects, and are written under every policy. If
/// the row of a deleted object has changed and the store wins, the row is kept; if the deletion has cascaded to other
/// objects or removed references to the object, the save fails instead. Derived attributes of a merged row are computed
/// from the result, also if the changes of the object are discarded.
public enum MergePolicy: Sendable, Hashable {
    /// The save fails, and its error lists the objects.
    case error
    /// Per value: the stored value wins if both have changed.
    case storeTrump
    /// Per value: the object's value wins if both have changed.
    case objectTrump
    /// All values of the object are written, changed or not.
    case overwrite
    /// The changes of the object are discarded.
    case rollback
}
