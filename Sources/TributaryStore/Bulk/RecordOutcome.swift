/// The outcome of a record; each record has exactly one.
public enum RecordOutcome: Sendable, CaseIterable {
    /// It inserted an object.
    case inserted
    /// It changed its object or another one.
    case updated
    /// It changed nothing.
    case unchanged
    /// Its key existed already, in a mode that only inserts.
    case duplicate
    /// The mode skips it.
    case skipped
    /// It was rejected, and its changes were undone.
    case rejected
}
