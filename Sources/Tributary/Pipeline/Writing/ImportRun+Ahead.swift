import Dispatch
import TributaryGraph
import TributarySQLite

/// Writing chunks that were worked on ahead of this thread.
extension ImportRun {
    /// Writes all chunks, holding the connection that writes as long as no other thread wants it; false if the import was
    /// stopped.
    func load(_ feed: ChunkFeed, _ gate: LookaheadGate) throws -> Bool {
        var isAtEnd = false
        defer { notificationQueue.sync {} }
        // The indexes stay where they are if the source cannot even be read.
        guard feed.waitForFirst() else { return try feed.next() == nil }
        while !isAtEnd {
            try plan.store.importing { connection in
                heldConnection = connection
                defer { heldConnection = nil }
                try updateStrategies()
                gate.open()
                // Others may want the connection all the time: each turn gets something done.
                var hadTurn = false
                while !isAtEnd, !watch.isStopped, !(hadTurn && plan.store.hasWaitingWriters), !shouldEndFirstLoad {
                    hadTurn = true
                    switch try feed.next(milliseconds: 20) {
                    case .notYet: break
                    case .end: isAtEnd = true
                    case .chunk(let first): isAtEnd = try group(from: first, feed)
                    }
                }
                // Admitted chunks are written before another thread writes.
                let last = gate.close()
                drainThrough = last
                defer { drainThrough = nil }
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

    /// Decides how objects of chunks are found that are admitted from now on; all earlier chunks are committed.
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
