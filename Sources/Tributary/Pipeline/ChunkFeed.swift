import TributaryConcurrency
import TributaryJSON

/// Hands out prepared chunks in the order of the feed, while a reader reads ahead and several threads prepare.
///
/// The threads are its own: those of a queue may all be waiting for the thread that writes, which waits for a chunk.
///
/// What waits is bounded in bytes: whoever is ahead sleeps until the writer has caught up. A chunk that is ready takes less
/// than one that is not.
final class ChunkFeed: Sendable {
    /// A chunk in the making.
    private final class Slot: Sendable {
        enum Stage: Sendable {
            case made(Result<PreparedChunk, any Error>)
            /// It waits until all chunks before are committed.
            case asking
        }

        let stage = Monitor<Stage?>(nil)
        /// What it takes of the room now.
        let bytes: Guarded<Int>

        init(bytes: Int) { self.bytes = Guarded(bytes) }
    }

    /// What a thread that prepares is to do.
    private struct Job: Sendable {
        let chunk: RecordChunk
        let count: Int
        let isLast: Bool
        /// The number of the chunk, from 1.
        let number: Int
        let slot: Slot
    }

    private struct Room {
        var used = 0
        var isCancelled = false
    }

    private let reader: RecordReader
    private let maker: ChunkMaker
    private let comparer: ChunkComparer?
    private let limit: Int
    private let capacity: Int
    private let room = Monitor(Room())
    private let jobs = BoundedQueue<Job>(capacity: .max)
    private let slots = BoundedQueue<Slot>(capacity: .max)
    /// Whether there is a chunk; nil as long as nobody knows.
    private let hasChunk = Monitor<Bool?>(nil)
    /// A chunk that was popped and belongs to the next group.
    private let putBack = Guarded<Slot?>(nil)
    /// Why a chunk could not be prepared.
    private let failure = Guarded<(any Error)?>(nil)
    /// How many threads are to prepare, and how many there are.
    private let threads: Int
    private let preparing = Monitor(0)
    private let meter: ImportMeter

    /// Chunks of `reader`, made by `maker`, and compared with the tables if there is a comparer.
    init(
        _ reader: RecordReader, _ maker: ChunkMaker, _ comparer: ChunkComparer?, jobs: Int, queueBytes: Int,
        limit: Int?, meter: ImportMeter
    ) {
        self.meter = meter
        self.reader = reader
        self.maker = maker
        self.comparer = comparer
        self.limit = limit ?? .max
        capacity = queueBytes
        threads = max(1, jobs)
    }

    /// Begins to read and to prepare.
    ///
    /// - Throws: `WorkerThread.Failure`.
    func start() throws {
        for number in 0..<threads {
            preparing.update { $0 += 1 }
            do {
                try WorkerThread.start { [self] in
                    prepareAll()
                    preparing.update { $0 -= 1 }
                }
            } catch {
                preparing.update { $0 -= 1 }
                // Some are enough.
                guard number == 0 else { break }
                throw error
            }
        }
        do {
            try WorkerThread.start { [self] in run() }
        } catch {
            jobs.finish()
            throw error
        }
    }

    private func run() {
        defer {
            jobs.finish()
            meter.wait(for: nil)
            hasChunk.update { $0 = $0 ?? false }
        }
        do {
            var (rest, number) = (limit, 0)
            meter.wait(for: .input)
            while rest > 0, let chunk = try reader.next() {
                let count = min(rest, chunk.count)
                rest -= count
                number += 1
                let slot = Slot(bytes: max(1, chunk.byteCount * chunk.count / max(1, chunk.storedCount)))
                let job = Job(chunk: chunk, count: count, isLast: rest == 0, number: number, slot: slot)
                let bytes = slot.bytes.withLock { $0 }
                meter.queue(count, bytes: bytes)
                meter.wait(for: .room)
                guard takeRoom(bytes), jobs.push(job, weight: 0), slots.push(slot, weight: 0) else { return }
                hasChunk.update { $0 = true }
                meter.wait(for: .input)
            }
            if rest == 0 { reader.cancel() }
            slots.finish()
        } catch {
            slots.finish(throwing: error)
        }
    }

    private func takeRoom(_ bytes: Int) -> Bool {
        room.wait { room in
            if room.isCancelled { return false }
            guard room.used == 0 || room.used < self.capacity else { return nil }
            room.used += bytes
            return true
        }
    }

    // MARK: The threads that prepare

    /// Prepares chunks in the order of the feed: so whoever waits for his turn waits for somebody who is at work.
    private func prepareAll() {
        while let job = try? jobs.pop() {
            if room.read(\.isCancelled) {
                job.slot.stage.update { $0 = .made(.failure(CancellationError())) }
            } else {
                WorkerThread.withPool { prepare(job) }
            }
        }
    }

    private func prepare(_ job: Job) {
        let made = meter.preparing { maker.make(job.chunk, limit: job.count, isLast: job.isLast) }
        guard let comparer else { return hand(.success(made), to: job.slot) }
        comparer.work(made, number: job.number) {
            job.slot.stage.update { $0 = .asking }
        } _: { [self] in
            hand($0, to: job.slot)
        }
    }

    private func hand(_ result: Result<PreparedChunk, any Error>, to slot: Slot) {
        resize(slot, to: (try? result.get())?.byteCount ?? 0)
        slot.stage.update { $0 = .made(result) }
    }

    private func resize(_ slot: Slot, to bytes: Int) {
        let change = slot.bytes.withLock { held in
            defer { held = bytes }
            return bytes - held
        }
        meter.resize(by: change)
        room.update { $0.used += change }
    }

    // MARK: The thread that writes

    /// Waits until a chunk has been read; false if there is none.
    func waitForFirst() -> Bool { hasChunk.wait { $0 } }

    /// The next chunk, waiting for it; nil at the end.
    func next() throws -> PreparedChunk? {
        try check()
        return try meter.during(.waiting) { try (takePutBack() ?? slots.pop()).map(wait) }
    }

    /// What there is for a thread that does not wait for ever.
    enum Next {
        case chunk(PreparedChunk)
        /// The next chunk is not ready.
        case notYet
        /// The next chunk waits until those before are committed.
        case asksForCommit
        case end
    }

    /// The next chunk, if it comes within `milliseconds`; one that waits for those before is ready only as the first of a
    /// group.
    func next(milliseconds: Int, isFirst: Bool) throws -> Next {
        try check()
        return try meter.during(.waiting) {
            let slot: Slot
            if let known = takePutBack() {
                slot = known
            } else {
                guard let popped = try slots.pop(milliseconds: milliseconds) else { return .notYet }
                guard let next = popped else { return .end }
                slot = next
            }
            if !isFirst, case .asking = slot.stage.wait(until: { $0 }) {
                putBack.withLock { $0 = slot }
                return .asksForCommit
            }
            return .chunk(try wait(slot))
        }
    }

    /// Behind a chunk that could not be prepared none is handed out, and there is no end.
    private func check() throws { if let failure = failure.withLock({ $0 }) { throw failure } }

    private func takePutBack() -> Slot? {
        putBack.withLock { slot in
            defer { slot = nil }
            return slot
        }
    }

    private func wait(_ slot: Slot) throws -> PreparedChunk {
        let result = slot.stage.wait { stage -> Result<PreparedChunk, any Error>? in
            if case .made(let result) = stage { result } else { nil }
        }
        do {
            let chunk = try result.get()
            resize(slot, to: 0)
            meter.unqueue()
            return chunk
        } catch {
            failure.withLock { $0 = error }
            throw error
        }
    }

    /// Waits until nobody prepares anything any more, behind the end or `cancel`.
    func waitForThreads() { preparing.wait { $0 == 0 ? () : nil } }

    /// Stops reading; what has not been handed out is dropped.
    func cancel() {
        reader.cancel()
        comparer?.flight.cancel()
        room.update { $0.isCancelled = true }
        slots.cancel()
        hasChunk.update { $0 = $0 ?? false }
    }
}
