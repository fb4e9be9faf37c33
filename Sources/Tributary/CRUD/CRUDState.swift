/// What became of the object of a dictionary.
public enum CRUDState: String, Sendable {
    /// It was created.
    case created
    /// It existed and was updated.
    case updated
    /// It existed and was kept as it was.
    case unchanged
    /// It was deleted, because it was invalid.
    case deleted
}
