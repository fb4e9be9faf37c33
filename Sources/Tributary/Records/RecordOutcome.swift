/// How a record has ended; each ends in one of these ways.
public enum RecordOutcome: UInt8, Sendable, CaseIterable {
    /// It has made an object.
    case inserted
    /// It has changed one, or something around it.
    case updated
    /// It told nothing new.
    case unchanged
    /// Its key was there already, in a mode that only inserts.
    case duplicate
    /// The mode passes over it.
    case skipped
    /// It was refused, and nothing of it is left.
    case rejected
}
