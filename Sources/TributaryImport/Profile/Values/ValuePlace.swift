/// Where a value is in the sources of a profile.
public struct ValuePlace: Sendable, Hashable, Codable, Comparable {
    /// The index of the source, from 0.
    public let source: Int
    /// The number of the record in its source, from 1.
    public let record: Int
    /// The line, from 1.
    public let line: Int
    /// The offset in bytes, from 0.
    public let byte: Int

    /// A place.
    package init(source: Int, record: Int, line: Int, byte: Int) {
        (self.source, self.record, self.line, self.byte) = (source, record, line, byte)
    }

    /// Whether one place comes before the other in the feed.
    public static func < (one: ValuePlace, other: ValuePlace) -> Bool {
        (one.source, one.byte) < (other.source, other.byte)
    }
}
