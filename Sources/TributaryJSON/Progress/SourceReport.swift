/// The layout, compression and encoding of a source.
public struct SourceReport: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String
    /// The layout of its records.
    public let shape: RecordShape
    /// The compression, if any.
    public let compression: Compression?
    /// The encoding of its characters.
    public let encoding: TextEncoding
    /// What the source is if it is no JSON, such as `CSV`: then its layout says nothing; nil if it may be JSON.
    package let otherFormat: String?

    /// A readable line, as in `users.json.gz: an array of records, gzip`.
    public var description: String { "\(Excerpt.escape(name)): \(layout)" }

    /// The layout without the name, as in `an array of records, gzip`.
    public var layout: String {
        var text = "\(shape)"
        if let compression { text += ", \(compression)" }
        if encoding != .utf8 { text += ", converted from \(encoding)" }
        return text
    }
}
