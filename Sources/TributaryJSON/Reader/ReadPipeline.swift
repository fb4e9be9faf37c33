import TributaryConcurrency
import Synchronization

/// The two threads of a reader: one reads ahead, one parses.
final class ReadPipeline: Sendable {
    let chunks: BoundedQueue<RecordChunk>
    private let sources: [any ByteSource]
    private let options: ReadOptions
    private let checkpoint: Checkpoint?
    private let stop: Checkpoint?
    private let readAhead: ReadAhead
    /// The hashes of the sources, if they are requested.
    let trail: DigestTrail?
    private let hasStarted = Atomic<Bool>(false)
    private let state = Guarded(ReadReport())
    private let duplicates = Guarded(DuplicateKeys())
    private let foundPlaces = Guarded(PlaceTree())

    init(
        _ sources: [any ByteSource], options: ReadOptions, start: Checkpoint?, expected: DigestMark? = nil,
        stop: Checkpoint? = nil
    ) {
        self.sources = sources
        var options = options
        options.limits.depth = min(max(1, options.limits.depth), ReadLimits.deepest)
        // Offsets in the memory of a chunk have 32 bits.
        options.limits.record = min(options.limits.record, ReadLimits.largestRecord)
        options.limits.recovery = min(options.limits.recovery, ReadLimits.largestRecord)
        options.chunkRecords = max(1, options.chunkRecords)
        options.bufferBytes = max(1, min(options.bufferBytes, ReadLimits.largestRecord))
        options.chunkBytes = max(4096, min(options.chunkBytes, 1 << 30))
        self.options = options
        checkpoint = start
        self.stop = stop
        chunks = BoundedQueue(capacity: max(1, options.queueBytes))
        trail = options.digests || expected != nil ? DigestTrail() : nil
        readAhead = ReadAhead(sources, options, start: start, stop: stop, trail: trail, expected: expected)
    }

    var report: ReadReport {
        var report = state.withLock { $0 }
        report.storedBytes = readAhead.storedBytes
        return report
    }

    /// The places of all records in the sources that were read to their end, if they are looked for.
    var places: PlaceTree { foundPlaces.withLock { $0 } }

    private func start() throws {
        guard !hasStarted.exchange(true, ordering: .relaxed) else { return }
        let (readAhead, chunks) = (readAhead, chunks)
        do {
            try WorkerThread.start { readAhead.run() }
            try WorkerThread.start { [self] in
                do {
                    try parse()
                    chunks.finish()
                } catch {
                    readAhead.cancel()
                    chunks.finish(throwing: error)
                }
            }
        } catch {
            cancel()
            throw JSONError(.sourceRead, "\(error)", hint: "reduce the number of threads of this process")
        }
    }

    func cancel() {
        chunks.cancel()
        readAhead.cancel()
    }

    // MARK: On the thread or task of the consumer

    func next() throws -> RecordChunk? {
        try start()
        return try chunks.pop().map(prepare)
    }

    func nextAsynchronously() async throws -> RecordChunk? {
        try start()
        return try await withTaskCancellationHandler {
            try await chunks.next().map(prepare)
        } onCancel: {
            cancel()
        }
    }

    /// Counts duplicate keys here rather than on the parsing thread, so that another core does the work.
    private func prepare(_ chunk: RecordChunk) -> RecordChunk {
        let repeated = duplicates.withLock { chunk.countDuplicateKeys(&$0) }
        if repeated > 0 { state.withLock { $0.duplicateKeys += repeated } }
        return chunk
    }

    // MARK: On the parsing thread

    private func parse() throws {
        var (hasMetPath, outside, places) = (checkpoint?.hasMetPath ?? false, checkpoint?.outside, PlaceTree())
        var paths: [RecordPath] = []
        let pool = BlockPool(blockCapacity: options.chunkBytes + options.bufferBytes + 1024)
        while case .begin(let source, let compression, let encoding, let offset)? = try readAhead.queue.pop() {
            let name = sources[source].name
            let resumed = checkpoint.flatMap { $0.source == source ? $0 : nil }
            let parser = try SourceParser(options, name: name, offset: offset, shape: resumed?.shape) { [self] shape in
                let start =
                    resumed
                    ?? Checkpoint(
                        source: source, byte: offset, line: 1, lineStart: offset, record: 0, steps: [], shape: shape,
                        hasMetPath: hasMetPath, isBehindText: false, outside: outside)
                let records = try RecordParser(
                    options: options, shape: shape, source: source, sourceName: name, pool: pool, start: start,
                    stop: stop, deliver: deliver)
                records.places = places
                let report = SourceReport(name: name, shape: shape, compression: compression, encoding: encoding)
                state.withLock { $0.sources.append(report) }
                return records
            }
            try parse(parser)
            guard let records = parser.records else { continue }
            let (total, found) = (records.outside.total, records.places)
            (hasMetPath, outside, places) = (records.hasMetPath, total, found)
            state.withLock { report in
                report.outside = total
                report.verifiedBytes += records.verifiedBytes
            }
            foundPlaces.withLock { $0 = found }
            paths = records.shape.paths
        }
        // Only a given path can fail to match: an inferred one was found in the source.
        guard options.paths != nil, !paths.isEmpty, !hasMetPath else { return }
        // A damaged part may have been at the path, also before the checkpoint.
        guard checkpoint?.record ?? 0 == 0, state.withLock({ $0.rejects == 0 }) else { return }
        let names = report.sources.map { Excerpt.escape($0.name) }.joined(separator: ", ")
        throw JSONError(
            .shapeMissing, "\(names): found nothing at \(paths.map(\.description).joined(separator: ", "))",
            hint: "check the layout of the source, or leave the path out to have it inferred")
    }

    private func parse(_ parser: SourceParser) throws {
        while !chunks.isCancelled {
            do {
                switch try readAhead.queue.pop(milliseconds: 50) {
                case .none: try parser.flush()
                case .some(.bytes(let buffer)):
                    try parser.consume(buffer)
                    state.withLock { $0.bytes += buffer.count }
                    readAhead.recycle(buffer)
                case .some(.end(let invalidOffset)): return try parser.finish(invalidOffset: invalidOffset)
                case .some: throw CancellationError()
                }
            } catch {
                // The records read before the error come first.
                if !(error is CancellationError) { try? parser.flush() }
                throw error
            }
        }
        throw CancellationError()
    }

    /// Passes a chunk to the consumer, unless that has stopped.
    private func deliver(_ chunk: RecordChunk) throws {
        state.withLock { report in
            report.records += chunk.count
            report.rejects += chunk.rejects.count
            report.rejectedBytes += chunk.rejects.reduce(0) { $0 + $1.length }
        }
        let weight = (chunk.isFirstOfBlock ? chunk.byteCount : 0) + chunk.rejects.reduce(0) { $0 + $1.memory }
        guard chunks.push(chunk, weight: weight) else { throw CancellationError() }
    }
}
