/// What a reader has done so far.
public struct ReadReport: Sendable, Hashable {
    /// Records delivered or waiting to be taken.
    public var records = 0
    /// Parts cut out where a record stood or something else did.
    public var rejects = 0
    /// Bytes cut out.
    public var rejectedBytes = 0
    /// Keys that stand more than once in one object; the last one counts.
    public var duplicateKeys = 0
    /// Bytes read, after decompression.
    public var bytes = 0
    /// Bytes read, as they are stored.
    public var storedBytes = 0
    /// The sources that have been begun, and what each was found to be.
    public var sources: [SourceReport] = []
}
