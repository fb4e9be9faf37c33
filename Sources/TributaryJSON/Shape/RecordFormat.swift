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

/// What a reader found a source to be, or was told that it is.
public struct RecordShape: Sendable, Hashable, CustomStringConvertible {
    /// How values follow one another.
    enum Framing: String, Sendable {
        /// One JSON text.
        case text
        /// A value a line.
        case lines
        /// Values divided by blanks.
        case values
        /// Values that may touch one another.
        case gluedValues
    }
    let framing: Framing
    /// Where the records are in each value.
    public let paths: [RecordPath]
    /// Whether the reader found this out by itself.
    public let isDetected: Bool

    /// For a person: `an array of records`, `NDJSON, records at .doc`.
    public var description: String {
        let places = paths.map(\.description).joined(separator: ", ")
        switch (framing, paths) {
        case (.text, [.elements]): return "an array of records"
        case (.text, [.members]): return "an object of records"
        case (.text, [.root]): return "a single record"
        case (.text, _): return "records at \(places)"
        case (.lines, [.root]): return "NDJSON, a record a line"
        case (.lines, _): return "NDJSON, records at \(places)"
        case (_, [.root]): return "concatenated records"
        default: return "concatenated values, records at \(places)"
        }
    }
}
