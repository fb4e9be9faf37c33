import TributaryGraph

/// Writing chunks that were compared with their tables ahead of this thread.
extension ImportRun {
    /// Writes all chunks, keeping the writer's place as long as nobody else wants it; false if the import was stopped.
    func load(_ feed: ChunkFeed, _ flight: ChunkFlight) throws -> Bool {
        var isAtEnd = false
        while !isAtEnd {
            try plan.store.importing { connection, keys in
                place = (connection, keys)
                defer { place = nil }
                flight.open()
                while !isAtEnd, !watch.isStopped, !plan.store.isAwaited {
                    switch try feed.next(milliseconds: 20) {
                    case .none: break
                    case .some(.none): isAtEnd = true
                    case .some(.some(let first)): isAtEnd = try group(from: first, feed)
                    }
                }
                // What is on its way is written before somebody else writes.
                let last = flight.close()
                while !watch.isStopped, lastChunk < last, let first = try feed.next() {
                    isAtEnd = try group(from: first, feed)
                }
            }
            if watch.isStopped { return false }
            plan.store.letOthersWrite()
        }
        return true
    }
}
