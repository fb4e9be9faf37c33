import Dispatch
import TributaryGraph
import TributarySQLite

/// Writing chunks that were compared and evaluated ahead of this thread.
extension ImportRun {
    /// Writes all chunks; false if the import was stopped.
    ///
    /// Holds the connection that writes until another thread waits for it.
    func load(_ feed: ChunkFeed, _ gate: LookaheadGate) throws -> Bool {
        var isAtEnd = false
        defer { notificationQueue.sync {} }
        // A source that cannot be read must not cause indexes to be dropped.
        guard feed.waitForFirst() else { return try feed.next() == nil }
        while !isAtEnd {
            try plan.store.importing { connection in
                heldConnection = connection
                defer { heldConnection = nil }
                try updateStrategies()
                gate.open()
                // There may always be a waiting thread: ask for a chunk at least once before yielding.
                var hasAsked = false
                while !isAtEnd, !watch.isStopped, !(hasAsked && plan.store.hasWaitingWriters), !shouldEndFirstLoad {
                    hasAsked = true
                    switch try feed.next(milliseconds: 20) {
                    case .notYet: break
                    case .end: isAtEnd = true
                    case .chunk(let first): isAtEnd = try group(from: first, feed)
                    }
                }
                // Admitted chunks are written before another thread writes.
                let last = gate.close()
                lastAdmittedChunk = last
                defer { lastAdmittedChunk = nil }
                while !watch.isStopped, lastChunk < last, let first = try feed.next() {
                    isAtEnd = try group(from: first, feed)
                }
            }
            notificationQueue.sync {}
            if watch.isStopped { return false }
            plan.store.yieldWriter()
        }
        return true
    }

    private var shouldEndFirstLoad: Bool { objectWriters.contains { $0.firstLoad?.shouldEnd ?? false } }

    /// Sets how objects of later chunks are looked up, while all admitted chunks are committed.
    private func updateStrategies() throws {
        guard objectWriters.contains(where: { $0.evaluator != nil }) else { return }
        try commit { connection in
            try beginRoutes(connection)
            for writer in objectWriters { try writer.endFirstLoadIfDue(on: connection) }
        }
        guard try applyHeldBack() else { return }
        for writer in objectWriters { writer.updateStrategy() }
    }
}
