/// What a source was found to be.
public struct SourceReport: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String
    /// The layout of its records.
    public let shape: RecordShape
    /// The compression, if any.
    public let compression: Compression?
    /// How its characters are stored.
    public let encoding: TextEncoding

    /// For a person: `users.json.gz: an array of records, gzip`.
    public var description: String {
        var text = "\(Excerpt.escape(name)): \(shape)"
        if let compression { text += ", \(compression)" }
        if encoding != .utf8 { text += ", converted from \(encoding)" }
        return text
    }
}
