import TributaryConcurrency
import Synchronization

/// The threads of a reader: some read ahead, others parse.
final class ReadPipeline: Sendable {
    private let options: ReadOptions
    private let output: ReadOutput
    private let readAhead: ReadAhead
    private let crew: ParserCrew
    private let threads: (reading: Int, parsing: Int)
    /// The hashes of the sources, if they are requested.
    let trail: DigestTrail?
    private let hasStarted = Atomic<Bool>(false)

    init(
        _ sources: [any ByteSource], options: ReadOptions, start: Checkpoint?, expected: DigestMark? = nil,
        stop: Checkpoint? = nil
    ) {
        var options = options
        options.limits.depth = min(max(1, options.limits.depth), ReadLimits.deepest)
        // Offsets in the memory of a chunk have 32 bits.
        options.limits.record = min(options.limits.record, ReadLimits.largestRecord)
        options.limits.recovery = min(options.limits.recovery, ReadLimits.largestRecord)
        options.chunkRecords = max(1, options.chunkRecords)
        options.bufferBytes = max(1, min(options.bufferBytes, ReadLimits.largestRecord))
        options.chunkBytes = max(4096, min(options.chunkBytes, 1 << 30))
        let parsers = stop == nil ? max(1, options.parsers ?? ReadPipeline.parsers(for: sources)) : 1
        let stretchBytes = parsers > 1 ? options.stretchBytes(parsers) : nil
        self.options = options
        trail = options.digests || expected != nil ? DigestTrail() : nil
        // Stretches that are parsed ahead take a half of the memory.
        output = ReadOutput(capacity: max(1, parsers > 1 ? options.queueBytes / 2 : options.queueBytes))
        readAhead = ReadAhead(
            sources, options, start: start, stop: stop, stretchBytes: stretchBytes,
            lead: min(parsers, 8), trail: trail, expected: expected)
        let pool = BlockPool(
            blockCapacity: (stretchBytes ?? options.chunkBytes) + options.bufferBytes + 1024, keeping: parsers + 3)
        let feed = FeedParser(sources, options, start: start, stop: stop, pool: pool, output: output)
        crew = ParserCrew(
            sources, options, readAhead: readAhead, feed: feed, pool: pool, output: output, stretchBytes: stretchBytes)
        // One more than parsers, since a thread may wait for its turn.
        threads = (min(parsers, max(1, sources.count)), parsers > 1 ? parsers + 1 : 1)
    }

    /// The parsers that are worth their threads.
    private static func parsers(for sources: [any ByteSource]) -> Int {
        let isSmall = sources.allSatisfy { $0.byteCount.map { $0 < 64 << 10 } ?? false }
        return isSmall ? 1 : Processors.count
    }

    var report: ReadReport {
        var report = output.report
        report.storedBytes = readAhead.storedBytes
        return report
    }

    /// The places of all records in the sources that were read to their end, if they are looked for.
    var places: PlaceTree { output.places }

    private func start() throws {
        guard !hasStarted.exchange(true, ordering: .relaxed) else { return }
        let (readAhead, crew) = (readAhead, crew)
        do {
            for _ in 0..<threads.reading { try WorkerThread.start(named: "read") { readAhead.run() } }
            for _ in 0..<threads.parsing { try WorkerThread.start(named: "parse") { crew.run() } }
        } catch {
            cancel()
            throw JSONError(.sourceRead, "\(error)", hint: "reduce the number of threads of this process")
        }
    }

    func cancel() {
        output.chunks.cancel()
        readAhead.cancel()
        crew.cancel()
    }

    // MARK: On the thread or task of the consumer

    func next() throws -> RecordChunk? {
        try start()
        return try output.chunks.pop().map(output.prepare)
    }

    func nextAsynchronously() async throws -> RecordChunk? {
        try start()
        return try await withTaskCancellationHandler {
            try await output.chunks.next().map(output.prepare)
        } onCancel: {
            cancel()
        }
    }
}

extension ReadOptions {
    /// The size of stretches for a number of parsers.
    fileprivate func stretchBytes(_ parsers: Int) -> Int {
        stretchBytes ?? max(16 << 10, min(chunkBytes, queueBytes / 2 / (parsers + 4)))
    }
}
