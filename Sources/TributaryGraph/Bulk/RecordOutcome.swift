/// How a record has ended; each ends in one of these ways.
public enum RecordOutcome: Sendable, CaseIterable {
    /// It made an object.
    case inserted
    /// It changed an object, or something around it.
    case updated
    /// It said nothing new.
    case unchanged
    /// Its key existed already, in a mode that only inserts.
    case duplicate
    /// The mode passes over it.
    case skipped
    /// It was rejected, and nothing of it is left.
    case rejected
}
