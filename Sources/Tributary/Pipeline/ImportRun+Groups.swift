import TributaryGraph
import TributaryJSON
import TributarySQLite

/// A group of chunks shares a transaction.
extension ImportRun {
    /// The rows of a group.
    private static let rows = 300_000
    /// How long a group may stay open, in milliseconds.
    private static let time = Duration.seconds(1)

    /// Writes a group that begins with a chunk; true if the feed has ended.
    func group(from first: PreparedChunk, _ feed: ChunkFeed) throws -> Bool {
        var isAtEnd = false
        var cause: JSONError?
        if streams {
            try commit { connection, keys in
                try beginLanes(connection, keys)
                var group = Group(first)
                var next: PreparedChunk? = first
                while let chunk = next {
                    cause = try take([chunk], connection, keys)
                    next = nil
                    if cause != nil { break }
                    try advance(to: chunk, feed)
                    next = try more(&group, feed, &isAtEnd)
                }
            }
        } else {
            // Whoever wants to write meanwhile may.
            var chunks = [first]
            var group = Group(first)
            while let chunk = try more(&group, feed, &isAtEnd) { chunks.append(chunk) }
            try commit { connection, keys in
                try beginLanes(connection, keys)
                cause = try take(chunks, connection, keys)
                if let last = chunks.last, cause == nil { try advance(to: last, feed) }
            }
        }
        if let cause {
            throw ImportError(.rejected, "\(cause)", hint: "mend it, or let it be kept aside with onError")
        }
        if let limit = options.maxErrors, limit.isExceeded(by: books.rejected, of: books.read) {
            throw ImportError(
                .tooManyErrors, "\(books.rejected) of \(books.read) records were rejected, more than \(limit)",
                hint: "look at the rejects, or bear more")
        }
        return isAtEnd
    }

    /// How far a group has grown.
    private struct Group {
        var rows: Int
        var bytes: Int
        let deadline = ContinuousClock.now + ImportRun.time

        init(_ first: PreparedChunk) {
            rows = first.recordCount
            bytes = first.byteCount
        }

        mutating func add(_ chunk: PreparedChunk) {
            rows += chunk.recordCount
            bytes += chunk.byteCount
        }
    }

    /// The next chunk of the group; nil if the group is full, or the feed has ended.
    private func more(_ group: inout Group, _ feed: ChunkFeed, _ isAtEnd: inout Bool) throws -> PreparedChunk? {
        while group.rows < ImportRun.rows, streams || group.bytes < plan.memory.group, !watch.isStopped {
            if plan.store.isAwaited || ContinuousClock.now >= group.deadline { return nil }
            do {
                switch try feed.next(milliseconds: 20) {
                case .none: continue
                case .some(.none):
                    isAtEnd = true
                    return nil
                case .some(.some(let chunk)):
                    group.add(chunk)
                    return chunk
                }
            } catch {
                // What came before is written; the error is met again when the next chunk is asked for.
                return nil
            }
        }
        return nil
    }

    /// Whether chunks are written as they come, and not at the end of their group.
    private var streams: Bool {
        books.read == 0 || lanes.contains { $0 == nil || $0?.isLoadingFirst ?? false || $0?.table.key.isEmpty ?? false }
    }

    private func beginLanes(_ connection: Connection, _ keys: KeyTable) throws {
        let isHeard = plan.stores.hasListeners && session == nil
        for lane in lanes {
            lane?.keepsKeys = isHeard
            try lane?.begin(on: connection, keys)
        }
        for lane in objectLanes { try lane?.begin(on: connection, keys) }
    }

    private func advance(to chunk: PreparedChunk, _ feed: ChunkFeed) throws {
        try journal.advance(to: chunk.checkpoint, digest: watch.reader?.digest(before: chunk.checkpoint), sources)
    }

    // MARK: Chunks

    /// Why a chunk cannot be written, where the first refusal ends the import.
    private struct Stop: Error {
        let chunk: Int
        let cause: JSONError
    }

    /// Writes chunks; gives back why the import ends with them, if it does: then those before the one that is to blame are
    /// written.
    private func take(_ chunks: [PreparedChunk], _ connection: Connection, _ keys: KeyTable) throws -> JSONError? {
        var chunks = chunks[...]
        var cause: JSONError?
        if let place = chunks.firstIndex(where: \.endsImport) {
            cause = chunks[place].refusals.last?.reject.error
            chunks = chunks[..<place]
        }
        guard options.onError == .stop, chunks.contains(where: { $0.chunk != nil }) else {
            try write(chunks, connection)
            if cause == nil { return nil }
            return cause
        }
        do {
            try connection.transaction { try write(chunks, connection) }
        } catch let stop as Stop {
            try write(chunks[..<stop.chunk], connection)
            return stop.cause
        }
        return cause
    }

    /// Writes the records of a route with a closure, chunk by chunk.
    private func write(
        _ chunks: ArraySlice<PreparedChunk>, _ firsts: [[Int64]], _ lane: Int, _ objects: ObjectLane,
        _ connection: Connection, _ before: ImportSummary, _ refusals: inout [[PreparedChunk.Refusal]]
    ) throws {
        for (offset, chunk) in chunks.enumerated() {
            for part in chunk.parts where part.route == lane {
                let first = firsts[offset][plan.maker.tables[lane]]
                let outcome = try objects.take(
                    part.records, hashes: part.hashes, numbers: part.ordinals.map { first + Int64($0) }, on: connection)
                if options.onError == .stop, let reject = outcome.rejects.first {
                    books = before
                    throw Stop(chunk: chunks.startIndex + offset, cause: reject.error)
                }
                count(outcome)
                refusals[offset] += outcome.rejects.map { .init(reject: $0, route: lane) }
            }
        }
    }

    private func write(_ chunks: ArraySlice<PreparedChunk>, _ connection: Connection) throws {
        guard !chunks.isEmpty else { return }
        let firsts = try chunks.map { try plan.numbering.reserve($0.numbers, connection) }
        var refusals = chunks.map(\.refusals)
        let before = books
        for lane in lanes.indices {
            if let objects = objectLanes[lane] {
                try write(chunks, firsts, lane, objects, connection, before, &refusals)
                continue
            }
            var batches: [RowBatch] = []
            var firstKeys: [Int64] = []
            var origins: [(chunk: Int, part: Int)] = []
            for (offset, chunk) in chunks.enumerated() {
                for (number, part) in chunk.parts.enumerated() where part.route == lane {
                    guard let rows = part.rows else { continue }
                    batches.append(rows)
                    firstKeys.append(firsts[offset][plan.maker.tables[lane]])
                    origins.append((offset, number))
                }
            }
            guard !batches.isEmpty, let rowLane = lanes[lane] else { continue }
            let found = RecordFinder(chunks, routes: plan.maker.tables, lane: lane)
            let kept = options.reading.limits.rejectedBytes
            let outcome = try rowLane.take(batches, firstKeys: firstKeys, on: connection) { batch, row in
                let entry = batches[batch].entries[row]
                guard entry.isIncomplete, let record = found.record(origins[batch].chunk, entry.ordinal) else {
                    return ""
                }
                return RowOrigin(record, keepingBytes: kept).text
            }
            count(outcome, lane: lane)
            for refused in outcome.refused {
                let place = origins[refused.batch].chunk
                let ordinal = batches[refused.batch].entries[refused.row].ordinal
                guard let record = found.record(place, ordinal) else {
                    fatalError("a row that may be refused keeps its record")
                }
                let reject = record.reject(refused.fault.error, keepingBytes: kept)
                if options.onError == .stop {
                    books = before
                    throw Stop(chunk: chunks.startIndex + place, cause: reject.error)
                }
                refusals[place].append(.init(reject: reject, route: lane))
            }
        }
        for (offset, chunk) in chunks.enumerated() {
            books.read += chunk.recordCount + chunk.unreadable
            for refusal in refusals[offset].sorted(by: { $0.reject.offset < $1.reject.offset }) {
                try refuse(refusal.reject, lane: refusal.route)
            }
        }
        watch.meter.wrote(books.read)
    }
}
