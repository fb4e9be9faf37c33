/// The storage class of a value, whatever the declared type of its column.
public enum SQLStorage: String, Sendable, Hashable {
    /// Null.
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
