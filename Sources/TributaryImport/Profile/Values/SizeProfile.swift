/// The numbers of elements of the arrays at a path.
public struct SizeProfile: Sendable, Hashable, Codable {
    /// The fewest elements.
    public private(set) var least = Int.max
    /// The most elements.
    public private(set) var most = 0
    /// The numbers of elements and one, by ranges; up to 127 they are exact.
    package private(set) var ranges = Histogram(shift: Histogram.shiftOfDoubles)

    /// Counts an array.
    @inline(__always)
    mutating func add(_ size: Int, limit: Int) {
        if size < least { least = size }
        if size > most { most = size }
        ranges.add(Histogram.key(Double(size + 1)), limit: limit)
    }

    mutating func merge(_ other: SizeProfile, limit: Int) {
        (least, most) = (min(least, other.least), max(most, other.most))
        ranges.merge(other.ranges, limit: limit)
    }

    mutating func cut(to limit: Int) { ranges.cut(to: limit) }
}
