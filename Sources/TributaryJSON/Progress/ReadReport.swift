/// The progress of a reader.
public struct ReadReport: Sendable, Hashable {
    /// Records delivered or pending.
    public var records = 0
    /// Rejected parts of the sources, records or not.
    public var rejects = 0
    /// Bytes of the rejected parts.
    public var rejectedBytes = 0
    /// Bytes read, more than once, to find records after damage, in the sources that were read to their end.
    package var verifiedBytes = 0
    /// The parts of sources that were parsed before their turn.
    package var partsAhead = 0
    /// Duplicate keys within one object; the last one counts.
    public var duplicateKeys = 0
    /// Bytes read, after decompression.
    public var bytes = 0
    /// Bytes read, before decompression.
    public var storedBytes = 0
    /// The values that are neither records nor inside them, in the sources that were read to their end.
    public var outside = OutsideReport()
    /// The sources that have been opened, with their layouts.
    public var sources: [SourceReport] = []
}
