/// How the bytes of a source become JSON, where they are not JSON as it is defined.
public struct TextConversion: Sendable, Hashable, Codable {
    /// What becomes of NaN, Infinity and -Infinity, which JSON does not have but some programs write.
    public enum NonFinite: String, Sendable, Hashable, Codable, CaseIterable {
        /// They are syntax errors.
        case reject
        /// They become null.
        case null
        /// They become their names as text.
        case text
    }

    /// The name of the encoding, such as `latin1` or `windows-1252`; nil if it is detected among those of Unicode.
    public var encoding: String?
    /// What becomes of NaN and infinity.
    public var nonFinite = NonFinite.reject

    /// JSON as it is defined.
    public init() {}

    /// Whether bytes change, so that offsets are those of the converted text.
    var changesBytes: Bool { encoding != nil || nonFinite != .reject }
}
