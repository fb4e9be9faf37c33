/// The layout of a source, inferred by the reader or given in its options.
public struct RecordShape: Sendable, Hashable, Codable, CustomStringConvertible {
    /// How values follow one another.
    enum Framing: String, Sendable, Codable {
        /// One JSON text.
        case text
        /// One value on each line.
        case lines
        /// Values separated by blanks.
        case values
        /// Values that need no blanks between them.
        case gluedValues
    }
    let framing: Framing
    /// The paths of the records in each value.
    public let paths: [RecordPath]
    /// Whether the reader inferred the layout.
    public let isDetected: Bool

    /// Whether the source is NDJSON, which stays valid when lines are appended.
    package var isNDJSON: Bool { framing == .lines }

    /// A readable description, as in `an array of records` or `NDJSON, records at .doc`.
    public var description: String {
        let places = paths.map(\.description).shortList
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
