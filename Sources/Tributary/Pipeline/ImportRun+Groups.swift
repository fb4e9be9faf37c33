import TributaryGraph
import TributaryJSON
import TributarySQLite

/// A group of chunks shares a transaction.
extension ImportRun {
    /// The rows of a group; the more change at once, the fewer pages are written for each.
    private static let rows = 300_000
    /// Fewer where rows are appended, which costs the same in any group: the log is copied between groups.
    private static let appendedRows = 50_000
    /// How long a group may grow: somebody who watches sees what comes, and a large group takes less for each row.
    private var time: Duration { .seconds(plan.stores.hasListeners ? 1 : 8) }

    /// Writes a group that begins with a chunk; true if the feed has ended.
    func group(from first: PreparedChunk, _ feed: ChunkFeed) throws -> Bool {
        watch.phase = .reading
        guard try applyWaiting() else { return false }
        lastChunk = first.number
        var isAtEnd = false
        var cause: JSONError?
        if streams {
            try commit { connection in
                try beginLanes(connection)
                var group = Group(first)
                var next: PreparedChunk? = first
                while let chunk = next {
                    cause = try take([chunk], connection).cause
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
            try commit { connection in
                try beginLanes(connection)
                let taken = try take(chunks, connection)
                cause = taken.cause
                // What is written is behind us, also where the next chunk ends the import.
                if taken.count > 0 { try advance(to: chunks[taken.count - 1], feed) }
            }
        }
        try end(group: cause)
        return isAtEnd
    }

    /// A group is committed; `cause` is why the import ends with it.
    func end(group cause: JSONError?) throws {
        comparer?.flight.land(lastChunk)
        if let cause {
            throw ImportError(.rejected, "\(cause)", hint: ImportError.keepAside)
        }
        try demandFewErrors()
    }

    /// Ends the import where more was refused than is borne.
    func demandFewErrors(isAtEnd: Bool = false) throws {
        guard let limit = options.maxErrors, limit.isExceeded(by: books.rejected, of: books.read, isAtEnd: isAtEnd)
        else { return }
        throw ImportError(
            .tooManyErrors, "\(books.rejected) of \(books.read) records were rejected, more than \(limit)",
            hint: "look at the rejects, or bear more")
    }

    /// How far a group has grown.
    private struct Group {
        var rows = 0
        var bytes = 0
        /// What was refused before anything is written.
        var refused = 0
        let begin = ContinuousClock.now

        init(_ first: PreparedChunk) { add(first) }

        mutating func add(_ chunk: PreparedChunk) {
            rows += chunk.recordCount
            bytes += chunk.byteCount
            refused += chunk.refusals.count
        }
    }

    /// The next chunk of the group; nil if the group is full, or the feed has ended.
    private func more(_ group: inout Group, _ feed: ChunkFeed, _ isAtEnd: inout Bool) throws -> PreparedChunk? {
        let rows = appends ? ImportRun.appendedRows : ImportRun.rows
        while group.rows < rows, streams || group.bytes < plan.memory.group, !watch.isStopped {
            if plan.store.isAwaited || ContinuousClock.now >= group.begin + time { return nil }
            // Nothing is gained by reading on where too much was refused.
            if case .count(let limit)? = options.maxErrors, books.rejected + (streams ? 0 : group.refused) > limit {
                return nil
            }
            if let landing, lastChunk >= landing { return nil }
            // A first load has ended; what it has set aside comes first.
            if streams, hasWaiting { return nil }
            do {
                switch try feed.next(milliseconds: 20, isFirst: false) {
                case .notYet: continue
                case .asksForCommit: return nil
                case .end:
                    isAtEnd = true
                    return nil
                case .chunk(let chunk):
                    group.add(chunk)
                    lastChunk = chunk.number
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
        if comparer == nil, books.read == 0 { return true }
        return appends || lanes.indices.contains { lanes[$0] == nil && !(objectLanes[$0]?.isLookingUp ?? false) }
    }

    /// Whether the rows of a route go behind all others.
    private var appends: Bool {
        lanes.indices.contains { number in
            if let lane = lanes[number] { return lane.isLoadingFirst || lane.table.key.isEmpty }
            return objectLanes[number]?.isLoadingFirst ?? false
        }
    }

    func beginLanes(_ connection: Connection) throws {
        for lane in lanes { try lane?.begin(on: connection) }
        for lane in objectLanes { try lane?.begin(on: connection) }
    }

    func advance(to chunk: PreparedChunk, _ feed: ChunkFeed) throws {
        try journal.advance(to: chunk.checkpoint, digest: watch.reader?.digest(before: chunk.checkpoint), sources)
    }

    // MARK: Chunks

    /// Why a chunk cannot be written, where the first refusal ends the import.
    private struct Stop: Error {
        let chunk: Int
        let cause: JSONError
    }

    /// Writes chunks; gives back how many, and why the import ends with them, if it does: then those before the one that
    /// is to blame are written.
    func take(
        _ chunks: [PreparedChunk], _ connection: Connection
    ) throws -> (count: Int, cause: JSONError?) {
        try settle(before: chunks, connection)
        // What was found out about them ahead has not seen what closures have done here meanwhile.
        var chunks = (hasReachedFurther ? chunks.map { $0.untouched ?? $0 } : chunks)[...]
        var cause: JSONError?
        if let place = chunks.firstIndex(where: \.endsImport) {
            cause = chunks[place].refusals.last?.reject.error
            chunks = chunks[..<place]
        }
        let mayStop = options.onError == .stop && chunks.contains { $0.chunk != nil }
        guard mayStop || !mayLookAround else {
            try write(chunks, connection)
            return (chunks.count, cause)
        }
        while true {
            let earlier = (books, written.mark, journal.entry.records, objectLanes.map { $0?.heldSaveCount ?? 0 })
            func takeBack() {
                (books, journal.entry.records) = (earlier.0, earlier.2)
                written.cut(to: earlier.1)
                for (lane, count) in zip(objectLanes, earlier.3) { lane?.cutHeldSaves(to: count) }
            }
            do {
                try connection.transaction { try write(chunks, connection) }
                return (chunks.count, cause)
            } catch let stop as Stop {
                // Refusals come in the order of the keys: among the chunks before may be another one.
                takeBack()
                chunks = chunks[..<stop.chunk]
                cause = stop.cause
            } catch is ObjectLane.LooksAround {
                takeBack()
                // One that has ended since then has been taken back as well.
                for lane in lanes { try lane?.endFirstLoad(on: connection) }
                for lane in objectLanes { try lane?.endFirstLoad(on: connection) }
                try settle(before: Array(chunks), connection)
            }
        }
    }

    /// Whether closures find all that came before: no table is being filled without its indexes, and nothing waits.
    private var mayLookAround: Bool {
        if objectLanes.allSatisfy({ $0 == nil }) { return true }
        return !hasWaiting && !lanes.contains { $0?.isLoadingFirst ?? false }
            && !objectLanes.contains { $0?.isLoadingFirst ?? false }
    }

    /// Ends first loads that must end, and applies what begins to wait in this very transaction: somebody else has made the
    /// indexes, or they have just been made.
    ///
    /// What closures have made of the chunks before the first one that is left to this thread are new rows of a first load.
    private func settle(before chunks: [PreparedChunk], _ connection: Connection) throws {
        let callsClosures = chunks.contains { $0.parts.contains(where: \.isLeft) }
        for lane in lanes.indices {
            if callsClosures, let objects = objectLanes[lane], objects.mustLookUp {
                try objects.endFirstLoad(on: connection)
            }
            while hasWaiting(lane), try applyAside(lane, connection) {}
        }
    }

    /// Chunks while they are written.
    private struct Writing {
        let chunks: ArraySlice<PreparedChunk>
        /// For each chunk the first number of each table.
        let firsts: [[Int64]]
        var refusals: [[PreparedChunk.Refusal]]
    }

    /// A part of a chunk that goes the way of one route.
    private struct Share {
        let chunk: Int
        let part: PreparedChunk.Part
    }

    private func write(_ chunks: ArraySlice<PreparedChunk>, _ connection: Connection) throws {
        guard !chunks.isEmpty else { return }
        let firsts = try chunks.map { try plan.numbering.reserve($0.numbers, connection) }
        var writing = Writing(chunks: chunks, firsts: firsts, refusals: chunks.map(\.refusals))
        for table in 0..<plan.maker.tableCount {
            let routes = lanes.indices.filter { plan.maker.tables[$0] == table }
            let shares = chunks.enumerated().flatMap { offset, chunk in
                chunk.parts.filter { routes.contains($0.route) }.map { Share(chunk: offset, part: $0) }
            }
            if routes.count == 1 {
                try write(shares, of: routes[0], &writing, connection)
            } else {
                // Several routes lead here: what comes first in the feed is written first.
                for share in shares { try write([share], of: share.part.route, &writing, connection) }
            }
        }
        for (offset, chunk) in chunks.enumerated() {
            books.read += chunk.recordCount + chunk.unreadable
            journal.entry.records += chunk.recordCount
            for refusal in writing.refusals[offset].sorted(by: { $0.reject.offset < $1.reject.offset }) {
                try refuse(refusal.reject, lane: refusal.route)
            }
        }
        watch.meter.wrote(books.read)
    }

    private func write(_ shares: [Share], of lane: Int, _ writing: inout Writing, _ connection: Connection) throws {
        guard !shares.isEmpty else { return }
        if let objects = objectLanes[lane] {
            // What was evaluated is written together, as far as it follows one another.
            var rest = shares[...]
            while !rest.isEmpty {
                let evaluated = rest.prefix(while: \.part.isEvaluated)
                try write(evaluated: Array(evaluated), of: lane, objects, &writing, connection)
                rest = rest[evaluated.endIndex...]
                if let share = rest.popFirst() { try write(share, of: lane, objects, &writing, connection) }
            }
        } else if let rows = lanes[lane] {
            try write(shares, of: lane, rows, &writing, connection)
        }
    }

    /// Writes the records of a route with a closure.
    private func write(
        _ share: Share, of lane: Int, _ objects: ObjectLane, _ writing: inout Writing, _ connection: Connection
    ) throws {
        let first = writing.firsts[share.chunk][plan.maker.tables[lane]]
        let outcome = try objects.take(
            share.part.records, hashes: share.part.hashes, numbers: share.part.ordinals.map { first + Int64($0) },
            mayLookAround: mayLookAround, on: connection)
        count(outcome)
        books.waiting += share.part.records.count - outcome.total
        for reject in outcome.rejects { try note(reject, share.chunk, lane, &writing) }
    }

    /// Writes what closures have made of records already.
    private func write(
        evaluated shares: [Share], of lane: Int, _ objects: ObjectLane, _ writing: inout Writing,
        _ connection: Connection
    ) throws {
        guard !shares.isEmpty else { return }
        let firsts = firstKeys(shares, lane, writing)
        count(try objects.write(shares.map(\.part), firsts: firsts), lane: lane)
        for (share, first) in zip(shares, firsts) {
            guard let late = share.part.lateRecords else { continue }
            let (outcome, reachesFurther) = try objects.take(late, first: first, on: connection)
            if reachesFurther {
                comparer?.flight.reachFurther()
                hasReachedFurther = true
            }
            count(outcome)
            books.waiting += late.count - outcome.total
            for reject in outcome.rejects { try note(reject, share.chunk, lane, &writing) }
        }
    }

    /// Writes the rows of a route.
    private func write(
        _ shares: [Share], of lane: Int, _ rowLane: RowLane, _ writing: inout Writing, _ connection: Connection
    ) throws {
        if rowLane.isCompared {
            try take(compared: shares, of: lane, rowLane, &writing)
        } else {
            try take(shares, of: lane, rowLane, &writing, connection)
        }
    }

    private func take(
        _ shares: [Share], of lane: Int, _ rowLane: RowLane, _ writing: inout Writing, _ connection: Connection
    ) throws {
        let batches = shares.compactMap(\.part.rows)
        let found = RecordFinder(writing.chunks, routes: plan.maker.tables, lane: lane)
        let kept = options.reading.limits.rejectedBytes
        let outcome = try rowLane.take(batches, firstKeys: firstKeys(shares, lane, writing), on: connection) {
            batch, row in
            let entry = batches[batch].entries[row]
            guard entry.isIncomplete, let record = found.record(shares[batch].chunk, entry.ordinal) else { return "" }
            return RowOrigin(record, keepingBytes: kept).text
        }
        count(outcome, lane: lane)
        books.waiting += batches.reduce(0) { $0 + $1.count } - outcome.total
        let refused = outcome.refused.map {
            RowLane.Refused($0.batch, batches[$0.batch].entries[$0.row].ordinal, $0.fault)
        }
        try note(refused, shares, lane, &writing)
    }

    private func take(compared shares: [Share], of lane: Int, _ rowLane: RowLane, _ writing: inout Writing) throws {
        let (outcome, refused) = try rowLane.take(
            shares.compactMap(\.part.rows), shares.compactMap(\.part.comparison), late: shares.map(\.part.late),
            firstKeys: firstKeys(shares, lane, writing))
        count(outcome, lane: lane)
        try note(refused, shares, lane, &writing)
    }

    /// For each share the number that the record of ordinal 0 gets.
    private func firstKeys(_ shares: [Share], _ lane: Int, _ writing: Writing) -> [Int64] {
        shares.map { writing.firsts[$0.chunk][plan.maker.tables[lane]] }
    }

    /// Notes rows that are refused for what the table has.
    private func note(
        _ refused: [RowLane.Refused], _ shares: [Share], _ lane: Int, _ writing: inout Writing
    ) throws {
        let found = RecordFinder(writing.chunks, routes: plan.maker.tables, lane: lane)
        for refused in refused {
            let place = shares[refused.batch].chunk
            guard let record = found.record(place, refused.ordinal) else {
                fatalError("a row that may be refused keeps its record")
            }
            let reject = record.reject(refused.fault.error, keepingBytes: options.reading.limits.rejectedBytes)
            try note(reject, place, lane, &writing)
        }
    }

    /// Notes that a record is refused; the first one may end the import.
    private func note(_ reject: Reject, _ chunk: Int, _ lane: Int, _ writing: inout Writing) throws {
        if options.onError == .stop {
            throw Stop(chunk: writing.chunks.startIndex + chunk, cause: reject.error)
        }
        writing.refusals[chunk].append(.init(reject: reject, route: lane))
    }
}
