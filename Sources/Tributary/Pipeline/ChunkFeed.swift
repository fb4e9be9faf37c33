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
    }

    private let reader: RecordReader
    private let maker: ChunkMaker
    private let limit: Int
    private let slots: BoundedQueue<Slot>
    private let operations = OperationQueue()

    init(_ reader: RecordReader, _ maker: ChunkMaker, jobs: Int, queueBytes: Int, limit: Int?) {
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
        do {
            var rest = limit
            while rest > 0, let chunk = try reader.next() {
                let slot = Slot()
                let count = min(rest, chunk.count)
                rest -= count
                let (maker, isLast) = (maker, rest == 0)
                operations.addOperation {
                    let made = maker.make(chunk, limit: count, isLast: isLast)
                    slot.result.update { $0 = made }
                }
                guard slots.push(slot, weight: max(1, chunk.byteCount * chunk.count / max(1, chunk.storedCount)))
                else { return }
            }
            if rest == 0 { reader.cancel() }
            slots.finish()
        } catch {
            slots.finish(throwing: error)
        }
    }

    /// The next chunk, waiting for it; nil at the end.
    func next() throws -> PreparedChunk? { try slots.pop().map(wait) }

    /// The next chunk; nothing if there is none within `milliseconds`, and nil inside at the end.
    func next(milliseconds: Int) throws -> PreparedChunk?? {
        switch try slots.pop(milliseconds: milliseconds) {
        case .none: .none
        case .some(.none): .some(nil)
        case .some(.some(let slot)): .some(wait(slot))
        }
    }

    private func wait(_ slot: Slot) -> PreparedChunk { slot.result.wait { $0 } }

    /// Stops reading; what has not been handed out is dropped.
    func cancel() {
        reader.cancel()
        slots.cancel()
    }
}
