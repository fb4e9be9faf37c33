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

    /// Whether it may become longer and still be what it was: a value a line.
    package var isNDJSON: Bool { framing == .lines }

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
