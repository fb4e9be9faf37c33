/// How a `RecordReader` reads.
public struct ReadOptions: Sendable {
    /// How values follow one another; inferred from the first bytes by default.
    public var format = RecordFormat.auto
    /// The paths of the records; inferred from the first bytes if nil.
    ///
    /// Several paths are read in one pass; the `route` of a record is the index of its path.
    public var paths: [RecordPath]?
    /// The limits on sizes, counts and depths.
    public var limits = ReadLimits()
    /// What happens to a part of the source that is not a valid record.
    public var onError = ErrorPolicy.stop
    /// The name of the member that holds the key of a record in an object of records.
    public var keyName = "_key"
    /// The name of the member that holds a value of an object of records that is not an object.
    public var valueName = "_value"
    /// The most records in a chunk.
    public var chunkRecords = 10_000
    /// The number of bytes after which a chunk is full.
    public var chunkBytes = 1 << 20
    /// The number of bytes to read at once, at most `ReadLimits.largestRecord`.
    public var bufferBytes = 256 << 10
    /// The number of bytes that pending chunks may take.
    public var queueBytes = 6 << 20
    /// The most parsers that read one source at once, where its layout permits; nil for one per processor.
    public var parsers: Int?
    /// How the bytes of a source become JSON.
    public var conversion = TextConversion()
    /// The size of the parts of a source that parsers take in turn, for tests, which parse them ahead whether they have
    /// their turn or not; nil for one that fits into the memory.
    package var stretchBytes: Int?
    /// Whether hashes of the sources are kept.
    package var digests = false
    /// Whether all arrays of objects of a text have records, where detection finds several.
    var findsAllPlaces = false

    /// The defaults.
    public init() {}
}
