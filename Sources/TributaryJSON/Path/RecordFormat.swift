/// The layout of the values in a source.
public struct RecordFormat: Sendable, Hashable, CustomStringConvertible {
    enum Kind: String, Sendable { case auto, json, array, object, ndjson, concat }
    let kind: Kind

    /// The name, as in `ndjson`.
    public var description: String { kind.rawValue }

    /// Inferred from the first bytes.
    public static let auto = RecordFormat(kind: .auto)
    /// One JSON text; the path of its records is inferred, unless it is given.
    public static let json = RecordFormat(kind: .json)
    /// One array of records.
    public static let array = RecordFormat(kind: .array)
    /// One object, a single record.
    public static let object = RecordFormat(kind: .object)
    /// One value a line.
    public static let ndjson = RecordFormat(kind: .ndjson)
    /// Concatenated values, on any number of lines.
    public static let concat = RecordFormat(kind: .concat)

    /// All formats.
    public static let all: [RecordFormat] = [.auto, .json, .array, .object, .ndjson, .concat]

    init(kind: Kind) { self.kind = kind }

    /// The format with this name, if there is one.
    public init?(_ name: String) {
        guard let kind = Kind(rawValue: name) else { return nil }
        self.kind = kind
    }
}
