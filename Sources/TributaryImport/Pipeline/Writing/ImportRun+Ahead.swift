import Dispatch
import TributaryStore
import TributarySQLite

/// Writing chunks that were compared and evaluated ahead of this thread.
extension ImportRun {
    /// Writes all chunks; false if the import was stopped.
    ///
    /// Holds the connection that writes until another thread waits for it.
    func load(_ feed: ChunkFeed, _ gate: LookaheadGate) throws -> Bool {
        var isAtEnd = false
        defer { notificationQueue.sync {} }
        while !isAtEnd {
            try plan.store.importing { connection in
                heldConnection = connection
                defer { heldConnection = nil }
                gate.open()
                // There may always be a waiting thread: ask for a chunk at least once before yielding.
                var hasAsked = false
                while !isAtEnd, !watch.isStopped, !(hasAsked && plan.store.hasWaitingWriters) {
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
}
