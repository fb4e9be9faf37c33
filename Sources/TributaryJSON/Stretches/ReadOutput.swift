import TributaryConcurrency

/// What a reader delivers, and what it has read so far.
final class ReadOutput: Sendable {
    let chunks: BoundedQueue<RecordChunk>
    private let state = Guarded(ReadReport())
    private let duplicates = Guarded(DuplicateKeys())
    private let foundPlaces = Guarded(PlaceTree())

    init(capacity: Int) { chunks = BoundedQueue(capacity: capacity) }

    var report: ReadReport { state.withLock { $0 } }

    /// The places of all records in the sources that were read to their end, if they are looked for.
    var places: PlaceTree { foundPlaces.withLock { $0 } }

    // MARK: On the parsing threads

    func add(bytes count: Int) { state.withLock { $0.bytes += count } }

    func addPartAhead() { state.withLock { $0.partsAhead += 1 } }

    func add(_ source: SourceReport) { state.withLock { $0.sources.append(source) } }

    func finishSource(_ outside: OutsideReport, verifiedBytes: Int, _ places: PlaceTree) {
        state.withLock { report in
            report.outside = outside
            report.verifiedBytes += verifiedBytes
        }
        foundPlaces.withLock { $0 = places }
    }

    /// Passes a chunk to the consumer; throws if that has stopped.
    func deliver(_ chunk: RecordChunk) throws {
        state.withLock { report in
            report.records += chunk.count
            report.rejects += chunk.rejects.count
            report.rejectedBytes += chunk.rejects.reduce(0) { $0 + $1.length }
        }
        let weight = (chunk.isFirstOfBlock ? chunk.byteCount : 0) + chunk.rejects.reduce(0) { $0 + $1.memory }
        guard chunks.push(chunk, weight: weight) else { throw CancellationError() }
    }

    func finish(throwing error: (any Error)? = nil) { chunks.finish(throwing: error) }

    // MARK: On the thread or task of the consumer

    /// Counts the duplicate keys of a chunk, unless its parser has.
    func prepare(_ chunk: RecordChunk) -> RecordChunk {
        var chunk = chunk
        let repeated = chunk.knownDuplicateKeys ?? duplicates.withLock { chunk.countDuplicateKeys(&$0) }
        if repeated > 0 { state.withLock { $0.duplicateKeys += repeated } }
        return chunk
    }
}
