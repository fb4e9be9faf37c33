import Foundation
import TributaryConcurrency
import TributaryJSON

/// Hands out prepared chunks in the order of the feed, while a reader reads ahead and several operations prepare.
///
/// What waits is bounded in bytes: whoever is ahead sleeps until the writer has caught up.
final class ChunkFeed: Sendable {
    /// A chunk in the making.
    private final class Slot: Sendable {
        let result = Monitor<PreparedChunk?>(nil)
        let bytes: Int

        init(bytes: Int) { self.bytes = bytes }
    }

    private let reader: RecordReader
    private let maker: ChunkMaker
    private let limit: Int
    private let slots: BoundedQueue<Slot>
    private let operations = OperationQueue()
    private let meter: ImportMeter

    init(
        _ reader: RecordReader, _ maker: ChunkMaker, jobs: Int, queueBytes: Int, limit: Int?, meter: ImportMeter
    ) {
        self.meter = meter
        self.reader = reader
        self.maker = maker
        self.limit = limit ?? .max
        slots = BoundedQueue(capacity: queueBytes)
        operations.maxConcurrentOperationCount = max(1, jobs)
        operations.name = "tributary chunks"
    }

    /// Begins to read.
    func start() throws {
        let feed = self
        try WorkerThread.start { feed.run() }
    }

    private func run() {
        defer { meter.wait(for: nil) }
        do {
            var rest = limit
            meter.wait(for: .input)
            while rest > 0, let chunk = try reader.next() {
                let slot = Slot(bytes: max(1, chunk.byteCount * chunk.count / max(1, chunk.storedCount)))
                let count = min(rest, chunk.count)
                rest -= count
                let (maker, meter, isLast) = (maker, meter, rest == 0)
                operations.addOperation {
                    let made = meter.preparing { maker.make(chunk, limit: count, isLast: isLast) }
                    slot.result.update { $0 = made }
                }
                meter.queue(count, bytes: slot.bytes)
                meter.wait(for: .room)
                guard slots.push(slot, weight: slot.bytes) else { return }
                meter.wait(for: .input)
            }
            if rest == 0 { reader.cancel() }
            slots.finish()
        } catch {
            slots.finish(throwing: error)
        }
    }

    /// The next chunk, waiting for it; nil at the end.
    func next() throws -> PreparedChunk? { try meter.during(.waiting) { try slots.pop().map(wait) } }

    /// The next chunk; nothing if there is none within `milliseconds`, and nil inside at the end.
    func next(milliseconds: Int) throws -> PreparedChunk?? {
        try meter.during(.waiting) {
            switch try slots.pop(milliseconds: milliseconds) {
            case .none: .none
            case .some(.none): .some(nil)
            case .some(.some(let slot)): .some(wait(slot))
            }
        }
    }

    private func wait(_ slot: Slot) -> PreparedChunk {
        defer { meter.unqueue(bytes: slot.bytes) }
        return slot.result.wait { $0 }
    }

    /// Stops reading; what has not been handed out is dropped.
    func cancel() {
        reader.cancel()
        slots.cancel()
    }
}
