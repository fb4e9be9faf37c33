/// The limits of a reader on sizes, counts and depths.
///
/// A record beyond a limit is rejected, and reading continues if the error policy permits. Limits in bytes count the
/// bytes of the text as it is written, with its escapes.
public struct ReadLimits: Sendable, Hashable, Codable {
    /// The depth of nested arrays and objects, including the outermost.
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
    /// The decompressed bytes per compressed byte, checked after the first 64 MiB.
    public var ratio = 1000
    /// The window (zstd) or dictionary (xz) of a compressed stream, in bytes.
    public var window = 128 << 20
    /// How far the reader searches for the next record after a damaged one, in bytes; at most `largestRecord`.
    public var recovery = 16 << 20
    /// How many raw bytes of a rejected record are kept.
    public var rejectedBytes = 64 << 10

    /// The largest possible `record`, because a tape holds lengths in 28 bits.
    public static let largestRecord = 1 << 28 - 1

    /// The largest possible `depth`, because each level takes memory in advance.
    public static let deepest = 1_000_000

    /// The defaults.
    public init() {}

    /// The limits for examining text that the parser checks later.
    var forExamining: ReadLimits {
        var limits = asWideAsPossible
        limits.depth = max(ReadLimits().depth, limits.depth)
        return limits
    }

    /// The limits for reading a record again that was within these limits before.
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
