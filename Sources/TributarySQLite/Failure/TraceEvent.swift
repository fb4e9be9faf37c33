/// The start or the end of a statement; its bound values are not included.
public struct TraceEvent: Sendable, Hashable {
    /// The SQL with its placeholders.
    public let sql: String
    /// The duration of the statement; nil at its start.
    public let duration: Duration?
}
