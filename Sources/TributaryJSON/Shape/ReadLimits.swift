/// How much of anything a reader accepts.
///
/// A record past a limit is rejected, and the run goes on if the error policy says so. A limit counts bytes as they stand in the text.
public struct ReadLimits: Sendable, Hashable, Codable {
    /// Arrays and objects inside one another, the outermost included.
    public var depth = 512
    /// The bytes between the quotes of a string.
    public var string = 16 << 20
    /// The bytes between the quotes of a key.
    public var key = 64 << 10
    /// The characters of a number.
    public var number = 1024
    /// The bytes of a record.
    public var record = 16 << 20
    /// The members of one object.
    public var keys = 100_000
    /// The bytes of a source after decompression, or nil for any.
    public var total: Int?
    /// Decompressed bytes for each compressed one, counted after the first 64 MiB.
    public var ratio = 1000
    /// The window (zstd) or dictionary (xz) of a compressed stream, in bytes.
    public var window = 128 << 20
    /// How far the reader looks for the next record behind a damaged one, in bytes.
    public var recovery = 16 << 20
    /// How many raw bytes of a rejected record are kept.
    public var rejectedBytes = 64 << 10

    /// The largest `record` that can be set: a tape holds lengths in 28 bits.
    public static let largestRecord = 1 << 28 - 1

    /// The largest `depth` that can be set: a frame of memory belongs to each level.
    public static let deepest = 1_000_000

    /// The defaults.
    public init() {}

    /// The same for what has been read within these limits and is read once more.
    package var asWideAsPossible: ReadLimits {
        var limits = self
        limits.depth = min(ReadLimits.deepest, depth + 2)
        limits.record = ReadLimits.largestRecord
        limits.string = ReadLimits.largestRecord
        limits.key = ReadLimits.largestRecord
        limits.number = ReadLimits.largestRecord
        limits.keys = .max
        limits.total = nil
        return limits
    }
}
