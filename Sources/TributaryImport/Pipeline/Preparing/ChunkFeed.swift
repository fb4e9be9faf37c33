import TributaryConcurrency
import TributaryJSON

/// Provides prepared chunks in feed order, while a reader reads ahead and several threads prepare.
///
/// It has its own threads: those of an operation queue may all wait for the thread that writes, which waits for a
/// chunk. The bytes of queued chunks are bounded: the threads wait until the thread that writes has caught up.
package final class ChunkFeed: Sendable {
    /// A chunk that is being prepared.
    private final class Slot: Sendable {
        let result = Monitor<Result<PreparedChunk, any Error>?>(nil)
        /// Its bytes in the queue.
        let bytes: Guarded<Int>

        init(bytes: Int) { self.bytes = Guarded(bytes) }
    }

    /// A chunk to prepare.
    private struct Job {
        let chunk: RecordChunk
        let count: Int
        /// The number of parts between the records that are no records.
        let unreadable: Int
        /// The number of the chunk, from 1.
        let number: Int
        let slot: Slot
    }

    /// The progress of reading.
    private struct Intake {
        /// The number of records, damaged ones included, that may still be read.
        var rest: Int
        var chunks = 0
        var isAtEnd = false
    }

    /// The size of the queue in bytes.
    private struct Room {
        var used = 0
        var isCancelled = false
    }

    private let reader: RecordReader
    private let maker: ChunkMaker
    private let comparer: ChunkComparer?
    private let survey: (any RecordSurvey)?
    private let order = ChunkOrder()
    /// Locked while a thread reads the next chunk.
    private let intake: Guarded<Intake>
    private let capacity: Int
    private let room = Monitor(Room())
    private let slots = BoundedQueue<Slot>(capacity: .max)
    /// The error of a chunk that could not be prepared.
    private let failure = Guarded<(any Error)?>(nil)
    private let threadCount: Int
    /// The number of running threads.
    private let running = Monitor(0)
    private let meter: ImportMeter

    /// Chunks of `reader`, prepared by `maker`, and compared with the tables if there is a comparer.
    init(
        _ reader: RecordReader, _ maker: ChunkMaker, _ comparer: ChunkComparer?,
        _ survey: (any RecordSurvey)? = nil, jobs: Int, queueBytes: Int,
        limit: Int?, _ watch: ImportWatch
    ) {
        watch.reader = reader
        meter = watch.meter
        self.reader = reader
        self.maker = maker
        self.comparer = comparer
        self.survey = survey
        intake = Guarded(Intake(rest: limit ?? .max))
        capacity = queueBytes
        threadCount = max(1, jobs)
    }

    /// A feed of sources, which begins where a journal says, or at the beginning without one.
    convenience init(
        _ sources: [any ByteSource], _ maker: ChunkMaker, _ comparer: ChunkComparer?, _ options: ImportOptions,
        _ memory: ImportMemory, from journal: Journal?, _ watch: ImportWatch
    ) {
        let reader = RecordReader(
            from: sources, options: maker.reading(options, memory, isDigested: true),
            resumingAt: journal?.entry.checkpoint, expected: journal?.expectedDigest)
        self.init(
            reader, maker, comparer, options.survey, jobs: options.threads, queueBytes: memory.feed,
            limit: options.limit.map { max(0, $0 - (journal?.entry.records ?? 0)) }, watch)
    }

    /// Starts the threads.
    package func start() throws {
        for number in 0..<threadCount {
            running.update { $0 += 1 }
            do {
                try WorkerThread.start(named: "prepare") { [self] in
                    while let job = nextJob() { WorkerThread.withAutoreleasePool { prepare(job) } }
                    running.update { $0 -= 1 }
                }
            } catch {
                running.update { $0 -= 1 }
                // One thread is enough.
                guard number == 0 else { break }
                throw error
            }
        }
    }

    // MARK: The threads that prepare

    /// Reads the next chunk; nil at the end.
    private func nextJob() -> Job? {
        intake.withLock { intake in
            guard !intake.isAtEnd else { return nil }
            do {
                if let job = try makeJob(&intake) { return job }
                slots.finish()
            } catch {
                slots.finish(throwing: error)
            }
            intake.isAtEnd = true
            meter.wait(for: nil)
            return nil
        }
    }

    private func makeJob(_ intake: inout Intake) throws -> Job? {
        guard intake.rest > 0 else { return nil }
        meter.wait(for: .input)
        guard let chunk = try reader.next() else { return nil }
        // Nothing else uses the chunk yet.
        survey?.add(chunk)
        let (count, unreadable) = chunk.counts(upTo: intake.rest)
        intake.rest -= count + unreadable
        intake.chunks += 1
        if intake.rest == 0 { reader.cancel() }
        let bytes = max(1, chunk.byteCount * chunk.count / max(1, chunk.storedCount))
        let slot = Slot(bytes: bytes)
        meter.resizeQueue(by: bytes)
        meter.wait(for: .room)
        guard reserveRoom(bytes), slots.push(slot, weight: 0) else { return nil }
        meter.wait(for: nil)
        return Job(chunk: chunk, count: count, unreadable: unreadable, number: intake.chunks, slot: slot)
    }

    private func reserveRoom(_ bytes: Int) -> Bool {
        room.wait { room in
            if room.isCancelled { return false }
            guard room.used == 0 || room.used < self.capacity else { return nil }
            room.used += bytes
            return true
        }
    }

    private func prepare(_ job: Job) {
        let result = Result {
            let prepared = try make(job)
            return try comparer?.work(prepared, number: job.number) ?? prepared
        }
        resize(job.slot, to: (try? result.get())?.byteCount ?? 0)
        job.slot.result.update { $0 = result }
    }

    private func make(_ job: Job) throws -> PreparedChunk {
        defer { order.end(job.number) }
        if room.read(\.isCancelled) { throw CancellationError() }
        return meter.preparing {
            maker.make(job.chunk, count: job.count, unreadable: job.unreadable) {
                order.waitForEarlier(than: job.number)
            }
        }
    }

    private func resize(_ slot: Slot, to bytes: Int) {
        let change = slot.bytes.withLock { held in
            defer { held = bytes }
            return bytes - held
        }
        meter.resizeQueue(by: change)
        room.update { $0.used += change }
    }

    // MARK: The thread that writes

    /// Waits for the next chunk; nil at the end.
    package func next() throws -> PreparedChunk? {
        try check()
        return try meter.during(.waiting) { try slots.pop().map(wait) }
    }

    /// The result of waiting for a bounded time.
    package enum Next {
        case chunk(PreparedChunk)
        /// No chunk has been read yet.
        case notYet
        case end
    }

    /// The next chunk, if one is read within `milliseconds`.
    package func next(milliseconds: Int) throws -> Next {
        try check()
        return try meter.during(.waiting) {
            guard let popped = try slots.pop(milliseconds: milliseconds) else { return .notYet }
            guard let slot = popped else { return .end }
            return .chunk(try wait(slot))
        }
    }

    /// Throws the error of a chunk that could not be prepared, at each call.
    private func check() throws { if let failure = failure.withLock({ $0 }) { throw failure } }

    private func wait(_ slot: Slot) throws -> PreparedChunk {
        do {
            let chunk = try slot.result.wait { $0 }.get()
            resize(slot, to: 0)
            return chunk
        } catch {
            failure.withLock { $0 = error }
            throw error
        }
    }

    /// Waits until all threads have ended, after the end or `cancel`.
    package func waitForThreads() { running.wait { $0 == 0 ? () : nil } }

    /// Stops reading, and drops the queued chunks.
    package func cancel() {
        reader.cancel()
        comparer?.gate.cancel()
        room.update { $0.isCancelled = true }
        slots.cancel()
    }
}

extension RecordChunk {
    /// How many records, and how many parts between them that are no records, the first `limit` of both are.
    fileprivate func counts(upTo limit: Int) -> (records: Int, unreadable: Int) {
        guard limit < count + rejects.count else { return (count, rejects.count) }
        var (records, unreadable) = (0, 0)
        while records + unreadable < limit {
            let isReject =
                records == count || unreadable < rejects.count && rejects[unreadable].offset < self[records].offset
            if isReject { unreadable += 1 } else { records += 1 }
        }
        return (records, unreadable)
    }
}
