/// Consecutive records of one source, with their rejects and a checkpoint.
///
/// A chunk holds the bytes of its records; records and values are views into it. It can be sent to other threads and
/// read by several threads at once.
public struct RecordChunk: Sendable {
    let storage: ChunkStorage
    let range: Range<Int>
    /// The rejected parts of the source between the records of this chunk, in the order of the source.
    public let rejects: [Reject]
    private(set) var end: ResumePoint
    private(set) var hasMetPath: Bool
    /// The values outside of the records up to the end of the chunk.
    private(set) var outside: OutsideReport
    /// The number of duplicate keys, if the parsing thread has counted them.
    private(set) var knownDuplicateKeys: Int?

    /// The name of the source.
    public var sourceName: String { storage.sourceName }
    /// The index of the source among the reader's sources, from 0.
    public var source: Int { storage.source }
    /// The layout of the source.
    public var shape: RecordShape { storage.shape }
    /// The memory that the chunk retains, shared with the other chunks of the same bytes.
    public var byteCount: Int { storage.block.byteCount }

    /// The number of records of all chunks of the same bytes.
    package var storedCount: Int { storage.entryCount }

    /// The position from which reading can resume after this chunk.
    public var checkpoint: Checkpoint {
        let place = storage.position(
            Swift.max(storage.prefix, Swift.min(storage.byteCount, end.offset - storage.base)))
        let last = range.isEmpty ? nil : storage.entry(range.upperBound - 1)
        let lastRecord = last.map { storage.firstNumber + Int($0.number) + 1 } ?? storage.firstNumber
        // A reject that stops the reader is read again when reading resumes.
        let lastReject = rejects.last { $0.record != nil && $0.offset + $0.length <= end.offset }?.record ?? 0
        return Checkpoint(
            source: source, byte: end.offset, line: place.line, lineStart: place.byte - place.column + 1,
            record: Swift.max(lastRecord, lastReject), steps: end.steps, shape: shape, hasMetPath: hasMetPath,
            isBehindText: end.isBehindText, samples: samples,
            verifiedBytes: end.verifiedBytes > 0 ? end.verifiedBytes : nil, outside: outside.isEmpty ? nil : outside)
    }

    /// Samples of the last records up to the end of the chunk.
    private var samples: RecordSamples? {
        guard shape.framing != .lines else { return nil }
        var samples = storage.samples
        samples.add(storage.entries, ..<range.upperBound, of: storage.bytes)
        return samples
    }

    init(
        storage: ChunkStorage, range: Range<Int>, rejects: [Reject], end: ResumePoint, hasMetPath: Bool,
        outside: OutsideReport
    ) {
        (self.storage, self.range, self.rejects) = (storage, range, rejects)
        (self.end, self.hasMetPath, self.outside) = (end, hasMetPath, outside)
    }

    /// Counts from `place` on, which was not known while the chunk was parsed.
    ///
    /// The records before it have moved already, if they are in the same storage.
    mutating func move(to place: FeedPlace, in division: Division) {
        if isFirstOfBlock { storage.move(to: place, in: division) }
        division.move(&end.steps, to: place)
        end.verifiedBytes = place.verifiedBytes
        hasMetPath = hasMetPath || place.hasMetPath
        outside = place.outside.adding(outside)
    }

    /// Samples of the last records up to the end of the block.
    var samplesAfterBlock: RecordSamples {
        var samples = storage.samples
        samples.add(storage.entries, ..<storage.entryCount, of: storage.bytes)
        return samples
    }

    /// Whether the first byte of the last record differs in kind from those of all records before it.
    var isLastRecordUnlikeOthers: Bool {
        guard let last = range.last else { return false }
        var known = storage.samples
        known.add(storage.entries, ..<last, of: storage.bytes)
        return !known.isEmpty && !known.canOpen(storage.bytes[Int(storage.entry(last).raw)])
    }

    /// Counts duplicate keys; called once, before the chunk is delivered.
    mutating func countDuplicateKeys(_ counter: inout DuplicateKeys) -> Int {
        var total = 0
        for index in range {
            let start = Int(storage.entry(index).tape)
            let end = start + storage.word(start).span
            let count = counter.count(in: storage.tape, from: start, to: end, arena: storage.arena)
            storage.entries[index].duplicateKeys = UInt32(truncatingIfNeeded: count)
            total += count
        }
        knownDuplicateKeys = total
        return total
    }

    var isFirstOfBlock: Bool { range.lowerBound == 0 }

    /// The number of duplicate keys in all records; the last one counts.
    public var duplicateKeys: Int {
        range.reduce(0) { $0 + Int(storage.entry($1).duplicateKeys) }
    }
}

extension RecordChunk: RandomAccessCollection {
    /// The position of the first record, 0.
    public var startIndex: Int { 0 }
    /// The number of records.
    public var endIndex: Int { range.count }

    /// The record at `position`, from 0.
    public subscript(position: Int) -> Record {
        precondition(
            position >= 0 && position < range.count, "the chunk has \(range.count) records, not \(position + 1)")
        return Record(storage: storage, index: range.lowerBound + position)
    }
}
