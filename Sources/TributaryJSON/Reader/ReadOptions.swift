/// How a `RecordReader` reads.
public struct ReadOptions: Sendable {
    /// How values follow one another; found out from the first bytes as a rule.
    public var format = RecordFormat.auto
    /// Where the records are; found out from the first bytes if nil.
    ///
    /// Several paths are read in one pass, and each record knows by its `route` which one led to it.
    public var paths: [RecordPath]?
    /// How much of anything is accepted.
    public var limits = ReadLimits()
    /// What happens to a part that cannot be a record.
    public var onError = ErrorPolicy.stop
    /// The member under which a record of an object of records finds its own key.
    public var keyName = "_key"
    /// The member under which a value that is no object stands in an object of records.
    public var valueName = "_value"
    /// The most records in a chunk.
    public var chunkRecords = 10_000
    /// The bytes that make a chunk full.
    public var chunkBytes = 1 << 20
    /// The bytes read at once.
    public var bufferBytes = 256 << 10
    /// The bytes of chunks that may wait for their reader.
    public var queueBytes = 6 << 20
    /// Whether hashes are kept of what cannot be looked at again: pipes, and files that are compressed or converted.
    package var digests = false

    /// The defaults.
    public init() {}
}
