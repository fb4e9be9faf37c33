/// The layout of the values in a source.
public enum RecordFormat: String, Sendable, CaseIterable {
    /// Inferred from the first bytes.
    case auto
    /// One JSON text; the path of its records is inferred, unless it is given.
    case json
    /// One array of records.
    case array
    /// One object, a single record.
    case object
    /// One value a line.
    case ndjson
    /// Concatenated values, on any number of lines.
    case concat
}
