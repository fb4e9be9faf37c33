/// Consecutive records of one source, with their rejects and a checkpoint.
///
/// A chunk holds the bytes of its records; records and values are views into it. It can be sent to other threads and
/// read by several threads at once.
public struct RecordChunk: Sendable {
    let storage: ChunkStorage
    let range: Range<Int>
    /// The rejected parts of the source between the records of this chunk, in the order of the source.
    public let rejects: [Reject]
    let end: ResumePoint
    let hasMetPath: Bool
    /// The values outside of the records up to the end of the chunk.
    let outside: OutsideReport

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

    /// Counts duplicate keys; called once, before the chunk is delivered.
    func countDuplicateKeys(_ counter: inout DuplicateKeys) -> Int {
        var total = 0
        for index in range {
            let start = Int(storage.entry(index).tape)
            let end = start + storage.word(start).span
            let count = counter.count(in: storage.tape, from: start, to: end, arena: storage.arena)
            storage.entries[index].duplicateKeys = UInt32(truncatingIfNeeded: count)
            total += count
        }
        return total
    }

    var isFirstOfBlock: Bool { range.lowerBound == 0 }

    /// The number of duplicate keys in all records; the last one counts.
    public var duplicateKeys: Int {
        range.reduce(0) { $0 + Int(storage.entry($1).duplicateKeys) }
    }
}

extension RecordChunk: RandomAccessCollection {
    /// 0.
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
