/// How a reader handles a part of its source that is not a valid record.
public enum ErrorPolicy: String, Sendable {
    /// Delivers the records before it, then throws the error.
    case stop
    /// Reports the part as a reject without its bytes, and continues.
    case skip
    /// Reports the part as a reject with its bytes, and continues.
    case quarantine
}
