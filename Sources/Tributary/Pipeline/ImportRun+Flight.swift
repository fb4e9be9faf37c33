import Dispatch
import TributaryGraph
import TributarySQLite

/// Writing chunks that were worked on ahead of this thread.
extension ImportRun {
    /// Writes all chunks, keeping the writer's place as long as nobody else wants it; false if the import was stopped.
    func load(_ feed: ChunkFeed, _ flight: ChunkFlight) throws -> Bool {
        var isAtEnd = false
        defer { telling.sync {} }
        // The indexes stay where they are if the source cannot even be read.
        guard feed.waitForFirst() else { return try feed.next() == nil }
        while !isAtEnd {
            try plan.store.importing { connection in
                place = connection
                defer { place = nil }
                try settleWays()
                flight.open()
                // Somebody may always want the place: whoever has it gets something done.
                var hadTurn = false
                while !isAtEnd, !watch.isStopped, !(hadTurn && plan.store.isAwaited), !wantsOtherWays {
                    hadTurn = true
                    switch try feed.next(milliseconds: 20, isFirst: true) {
                    case .notYet, .asksForCommit: break
                    case .end: isAtEnd = true
                    case .chunk(let first): isAtEnd = try group(from: first, feed)
                    }
                }
                // What is on its way is written before somebody else writes.
                let last = flight.close()
                landing = last
                defer { landing = nil }
                while !watch.isStopped, lastChunk < last, let first = try feed.next() {
                    isAtEnd = try group(from: first, feed)
                }
            }
            telling.sync {}
            if watch.isStopped { return false }
            plan.store.letOthersWrite()
        }
        return true
    }

    /// Whether a first load should end.
    private var wantsOtherWays: Bool { objectLanes.contains { $0?.wantsOtherWay ?? false } }

    /// Says how chunks that take off from now on are treated; none is on its way.
    private func settleWays() throws {
        guard objectLanes.contains(where: { $0?.evaluator != nil }) else { return }
        try commit { connection in
            try beginLanes(connection)
            for lane in objectLanes where lane?.wantsOtherWay ?? false { try lane?.endFirstLoad(on: connection) }
        }
        guard try applyWaiting() else { return }
        for lane in objectLanes { lane?.settleWay() }
    }
}
