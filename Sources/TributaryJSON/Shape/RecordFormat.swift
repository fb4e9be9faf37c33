/// How a source lays out its values.
public struct RecordFormat: Sendable, Hashable, CustomStringConvertible {
    enum Kind: String, Sendable { case auto, json, array, object, ndjson, concat }
    let kind: Kind

    /// The name, as the command line has it.
    public var description: String { kind.rawValue }

    /// Found out from the first bytes.
    public static let auto = RecordFormat(kind: .auto)
    /// One JSON text; where its records are is found out, unless a path says.
    public static let json = RecordFormat(kind: .json)
    /// One array of records.
    public static let array = RecordFormat(kind: .array)
    /// One object, a single record.
    public static let object = RecordFormat(kind: .object)
    /// One value a line.
    public static let ndjson = RecordFormat(kind: .ndjson)
    /// Values one behind the other, on any number of lines.
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
