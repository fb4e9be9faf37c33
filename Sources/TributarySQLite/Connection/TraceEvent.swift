import CTributarySQLite

/// What a trace tells about a statement; its values are not in it.
public struct TraceEvent: Sendable, Hashable {
    /// The text with its question marks.
    public let sql: String
    /// How long it ran; nil when it starts.
    public let duration: Duration?
}
