/// The kind of a value, as a profile counts them.
public enum ValueKind: Int, Sendable, CaseIterable, Codable {
    /// `null`
    case null
    /// `false`
    case no
    /// `true`
    case yes
    /// A number without a point and an exponent.
    case integer
    /// A number with a point or an exponent.
    case real
    /// Text.
    case text
    /// `{…}`
    case object
    /// `[…]`
    case array
}
