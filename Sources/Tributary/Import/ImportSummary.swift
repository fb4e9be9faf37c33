/// The books of an import: each record read is in exactly one of six counts, or waits to be counted.
public struct ImportSummary: Sendable, Hashable, Codable {
    /// Records read, and parts that could not be read as records.
    public var read = 0
    /// Records that made an object.
    public var inserted = 0
    /// Records that changed one.
    public var updated = 0
    /// Records that told nothing new.
    public var unchanged = 0
    /// Records whose key was there already, in a mode that only inserts.
    public var duplicate = 0
    /// Records that the mode passes over.
    public var skipped = 0
    /// Records that were refused, and parts that could not be read.
    public var rejected = 0
    /// Records that wait until a first load has its indexes; none when an import has finished.
    public var waiting = 0
    /// Bytes read, after decompression.
    public var bytes = 0
    /// How long it took, resumed runs together.
    public var seconds = 0.0
    /// The most memory the process had, in bytes.
    public var peakMemory = 0
    /// The record behind which an earlier run had stopped; nil if this run began at the beginning.
    public var resumedAt: Int?
    /// The number of the run in the journal.
    public var run = 0

    /// Nothing yet.
    public init() {}

    /// Records read in a second.
    public var rowsPerSecond: Double { seconds > 0 ? Double(read) / seconds : 0 }
    /// Whether each record is in one of the counts.
    public var isBalanced: Bool { read == inserted + updated + unchanged + duplicate + skipped + rejected + waiting }
}
