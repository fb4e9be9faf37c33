/// The form in which `query` prints rows.
enum QueryFormat: String, CaseIterable {
    /// Columns of a width, for reading.
    case table
    /// One array of objects.
    case json
    /// An object on each line.
    case ndjson
    /// Values in quotes where they need them, with commas between them (RFC 4180).
    case csv
    /// Values with tabs between them.
    case tsv
    /// A table of Markdown.
    case markdown
    /// A value on each line, after its name.
    case list
}
