/// How SQLite keeps a value, whatever its column was declared to be.
public enum SQLStorage: String, Sendable, Hashable {
    /// No value.
    case null
    /// A whole number.
    case integer
    /// A number with a fraction.
    case real
    /// Text.
    case text
    /// Bytes.
    case blob
}
