/// What is known about the feed at a border, once everything before it was parsed.
struct FeedPlace {
    /// The number of bytes before a fault that an error shows.
    static let contextBytes = 32

    /// The number of records before it in the source.
    var record: Int
    /// The number of items before it in each open container, outermost first.
    var counts: [Int]
    /// The number of items before it in the container that is divided.
    var index: Int { counts.last ?? 0 }
    var line: Int
    /// The offset of the first byte of that line.
    var lineStart: Int
    /// Samples of the records before it.
    var samples: RecordSamples
    var verifiedBytes: Int
    var hasMetPath: Bool
    /// The values outside of the records before it, in all sources.
    var outside: OutsideReport
    /// The end of the latest chunk.
    var end: ResumePoint
    /// The last bytes before it, which errors show.
    var context: [UInt8]

    /// The checkpoint of a parser that begins at the border.
    func checkpoint(source: Int, byte: Int, _ division: Division) -> Checkpoint {
        var steps = division.steps(before: index)
        // Only an error shows the key of the item before.
        if division.holdsMembers, end.steps.count >= division.depth, case .key = end.steps[division.depth - 1] {
            steps[division.depth - 1] = end.steps[division.depth - 1]
        }
        return Checkpoint(
            source: source, byte: byte, line: line, lineStart: lineStart, record: record,
            steps: steps, shape: division.shape, hasMetPath: hasMetPath, isBehindText: false, samples: samples,
            verifiedBytes: verifiedBytes, outside: outside)
    }

    /// The place after a stretch from here to `end`, whose counts begin with it.
    func advanced(to end: FeedPlace, isSameContainer: Bool, overlap: Int) -> FeedPlace {
        var place = self
        place.record += end.record
        if isSameContainer {
            if !counts.isEmpty { place.counts[counts.count - 1] += end.index }
        } else {
            place.counts = end.counts
        }
        if end.line > 1 { place.lineStart = end.lineStart }
        place.line += end.line - 1
        place.hasMetPath = hasMetPath || end.hasMetPath
        place.outside = outside.adding(end.outside)
        place.context = Array((context.dropLast(overlap) + end.context).suffix(FeedPlace.contextBytes))
        return place
    }

    /// The first place of a stretch whose feed is not known.
    static func unknown(_ offset: Int, _ division: Division) -> FeedPlace {
        var counts = division.steps.map { if case .index(let index) = $0 { index } else { 0 } }
        if !counts.isEmpty { counts[counts.count - 1] = 0 }
        return FeedPlace(
            record: 0, counts: counts, line: 1, lineStart: offset, samples: RecordSamples(), verifiedBytes: 0,
            hasMetPath: false, outside: OutsideReport(), end: ResumePoint(offset: offset),
            context: division.kind == .items ? [UInt8(ascii: ",")] : [])
    }
}
