/// The paths that are not profiled, since there are too many.
public struct FurtherPaths: Sendable, Hashable {
    /// The number of values at them.
    public internal(set) var values = 0
    /// The paths, by their hashes.
    public internal(set) var paths = LowestHashes()
    /// The most steps of a path that is profiled.
    public internal(set) var depth = PathLimits.depth
    /// Whether a profiled path has objects or arrays whose contents are not profiled.
    public var isEmpty: Bool { values == 0 }

    /// Adds a path with a hash.
    mutating func add(_ path: UInt64, values: Int) {
        self.values += values
        var one = LowestHashes()
        (one.hashes, one.counts) = ([path], [1])
        paths.merge(one, limit: Resolution.most)
    }

    mutating func merge(_ other: FurtherPaths) {
        values += other.values
        paths.merge(other.paths, limit: Resolution.most)
        depth = min(depth, other.depth)
    }
}
