import TributaryStore
import TributaryJSON
import TributarySQLite

/// Writing groups of chunks, each in one transaction.
extension ImportRun {
    /// The maximum number of rows of a group; a larger group writes fewer pages for each row.
    private static let rows = 300_000
    /// The maximum where rows are appended: a larger group would not be faster, and the log would grow.
    private static let appendedRows = 50_000
    /// The maximum size of the records between two checkpoints of a load, in bytes.
    private static let loadedBytes = 64 << 20
    /// The maximum duration of a group; shorter if observers or other programs wait for it.
    private var time: Duration {
        .seconds(isLoading ? 2 : plan.stores.hasListeners || plan.store.isForeignDatabase ? 1 : 8)
    }

    /// Writes a group that begins with a chunk; true if the feed has ended.
    func group(from first: PreparedChunk, _ feed: ChunkFeed) throws -> Bool {
        watch.phase = .reading
        lastChunk = first.number
        var isAtEnd = false
        var cause: JSONError?
        if streams {
            try commit { connection in
                for writer in writers { try writer.begin(on: connection) }
                var group = Group(first)
                var next: PreparedChunk? = first
                while let chunk = next {
                    cause = try write([chunk], connection).cause
                    next = nil
                    if cause != nil { break }
                    try advance(to: chunk)
                    next = try more(&group, feed, &isAtEnd)
                }
                for load in loads { try load.checkpoint(in: plan.store, on: connection) }
            }
        } else {
            // Other threads may write until all chunks of the group are prepared.
            var chunks = [first]
            var group = Group(first)
            while let chunk = try more(&group, feed, &isAtEnd) { chunks.append(chunk) }
            try commit { connection in
                for writer in writers { try writer.begin(on: connection) }
                let written = try write(chunks, connection)
                cause = written.cause
                // Written chunks count even if the next chunk ends the import.
                if written.count > 0 { try advance(to: chunks[written.count - 1]) }
            }
        }
        try end(group: cause)
        return isAtEnd
    }

    /// Marks a group as committed; throws if the import ends with it.
    private func end(group cause: JSONError?) throws {
        comparer?.gate.markCommitted(through: lastChunk)
        if let cause {
            throw ImportError.rejected(cause)
        }
        try options.checkRejects(of: summary)
    }

    /// The size of a group so far.
    private struct Group {
        var rows = 0
        var bytes = 0
        /// The rejects of its chunks before they are written.
        var rejected = 0
        let begin = ContinuousClock.now

        init(_ first: PreparedChunk) { add(first) }

        mutating func add(_ chunk: PreparedChunk) {
            rows += chunk.recordCount
            bytes += chunk.byteCount
            rejected += chunk.rejects.count
        }
    }

    /// The next chunk of the group; nil if the group is full, or the feed has ended.
    private func more(_ group: inout Group, _ feed: ChunkFeed, _ isAtEnd: inout Bool) throws -> PreparedChunk? {
        let rows = isLoading ? Int.max : appends ? ImportRun.appendedRows : ImportRun.rows
        let bytes = isLoading ? ImportRun.loadedBytes : streams ? Int.max : plan.memory.group
        while group.rows < rows, group.bytes < bytes, !watch.isStopped {
            if plan.store.hasWaitingWriters || ContinuousClock.now >= group.begin + time { return nil }
            // With too many rejects the import ends after this group.
            if case .count(let limit)? = options.maxErrors,
                summary.counts.rejected + (streams ? 0 : group.rejected) > limit
            {
                return nil
            }
            if let lastAdmittedChunk, lastChunk >= lastAdmittedChunk { return nil }
            do {
                switch try feed.next(milliseconds: 20) {
                case .notYet: continue
                case .end:
                    isAtEnd = true
                    return nil
                case .chunk(let chunk):
                    group.add(chunk)
                    lastChunk = chunk.number
                    return chunk
                }
            } catch {
                // Write the earlier chunks; asking for the next chunk throws the error again.
                return nil
            }
        }
        return nil
    }

    /// Whether chunks are written one by one, not at the end of their group.
    private var streams: Bool {
        // What threads prepare ahead of a chunk with relations is all that they can: they work while it is written.
        if related != nil || comparer == nil && summary.read == 0 { return true }
        return appends || writers.contains(where: \.appliesRecords)
    }

    /// Whether the rows of a route are appended to its table.
    private var appends: Bool { writers.contains(where: \.appends) }

    private func advance(to chunk: PreparedChunk) throws {
        try journal.advance(to: chunk.checkpoint, watch.reader, sources, options)
    }
}
