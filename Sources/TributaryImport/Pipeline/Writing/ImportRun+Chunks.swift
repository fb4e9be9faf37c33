import TributaryStore
import TributaryJSON
import TributarySQLite

/// Writing chunks in the transaction of their group.
extension ImportRun {
    /// A reject that ends the import, and the index of its chunk.
    private struct Stop: Error {
        let chunk: Int
        let cause: JSONError
    }

    /// Writes chunks; returns their number, and the reject that ends the import, if any.
    ///
    /// In that case only the chunks before the rejected record's chunk are written.
    func write(
        _ chunks: [PreparedChunk], _ connection: Connection
    ) throws -> (count: Int, cause: JSONError?) {
        var chunks = chunks[...]
        var cause: JSONError?
        if let index = chunks.firstIndex(where: \.endsImport) {
            cause = chunks[index].rejects.last?.reject.error
            chunks = chunks[..<index]
        }
        guard options.onError == .stop, chunks.contains(where: { $0.chunk != nil }) else {
            try writeAll(chunks, connection)
            return (chunks.count, cause)
        }
        while true {
            let earlier = (summary, written.mark, journal.entry.records, seen, referred)
            do {
                try connection.transaction { try writeAll(chunks, connection) }
                saves += takeSaves()
                return (chunks.count, cause)
            } catch let stop as Stop {
                // The pages of a load have rows of later chunks, and go back to the last checkpoint only.
                guard !isLoading else { throw ImportError.rejected(stop.cause) }
                // Rows are written in the order of their keys, so an earlier chunk may have a reject as well.
                (summary, journal.entry.records, seen, referred) = (earlier.0, earlier.2, earlier.3, earlier.4)
                written.cut(to: earlier.1)
                _ = takeSaves()
                chunks = chunks[..<stop.chunk]
                cause = stop.cause
            }
        }
    }

    /// Chunks being written, and their rejects.
    struct Writing {
        let chunks: ArraySlice<PreparedChunk>
        var rejects: [[PreparedChunk.RouteReject]]
    }

    /// A part of a chunk, with its primary keys.
    private struct Share {
        let chunk: Int
        let part: PreparedChunk.Part
        /// The primary key of the record of ordinal 0.
        let first: Int64
    }

    private func writeAll(_ chunks: ArraySlice<PreparedChunk>, _ connection: Connection) throws {
        guard !chunks.isEmpty else { return }
        var writing = Writing(chunks: chunks, rejects: chunks.map(\.rejects))
        if let related {
            try write(related, &writing, connection)
        } else if plan.takesContext {
            try writeInFeedOrder(&writing, connection)
        } else {
            try writeByTable(&writing, connection)
        }
        for (offset, chunk) in chunks.enumerated() {
            summary.read += chunk.recordCount + chunk.unreadable
            summary.counts.skipped += chunk.skipped
            for (entity, report) in chunk.parts.flatMap(\.hookedMappings) { summary.add(report, of: entity) }
            journal.entry.records += chunk.recordCount + chunk.unreadable
            try recordRejects(writing.rejects[offset], of: chunk, on: connection)
        }
        watch.meter.wrote(summary.read)
    }

    /// Writes part after part, so a setter sees all earlier records, of all routes; primary keys are reserved likewise.
    private func writeInFeedOrder(_ writing: inout Writing, _ connection: Connection) throws {
        for (offset, chunk) in writing.chunks.enumerated() {
            for part in chunk.parts {
                let table = plan.maker.tables[part.route]
                guard let objects = writers[part.route] as? ObjectRouteWriter, objects.plan.route.takesContext else {
                    let first = try plan.numbering.reserve(part.numberCount, table, connection)
                    let share = Share(chunk: offset, part: part, first: first - Int64(part.firstOrdinal))
                    try write([share], of: part.route, &writing, connection)
                    continue
                }
                let numbers = RowNumbers.next { [numbering = plan.numbering] in
                    try numbering.reserve(1, table, connection)
                }
                let outcome = try objects.apply(part.records, numbers, on: connection)
                count(outcome.counts)
                mark(plan.routes[part.route].entity, outcome.seenKeys)
                for reject in outcome.rejects { try record(reject, offset, part.route, &writing) }
            }
        }
    }

    /// Writes table after table; several routes into one table are written there in feed order.
    private func writeByTable(_ writing: inout Writing, _ connection: Connection) throws {
        let firsts = try writing.chunks.map { chunk in
            try chunk.numbers.enumerated().map { try plan.numbering.reserve($1, $0, connection) }
        }
        for table in 0..<plan.maker.tableCount {
            let routes = plan.routes.indices.filter { plan.maker.tables[$0] == table }
            let shares = writing.chunks.enumerated().flatMap { offset, chunk in
                chunk.parts.filter { routes.contains($0.route) }
                    .map { Share(chunk: offset, part: $0, first: firsts[offset][table]) }
            }
            if routes.count == 1 {
                try write(shares, of: routes[0], &writing, connection)
            } else {
                for share in shares { try write([share], of: share.part.route, &writing, connection) }
            }
        }
    }

    private func write(
        _ shares: [Share], of route: Int, _ writing: inout Writing, _ connection: Connection
    ) throws {
        guard !shares.isEmpty else { return }
        for share in shares where !share.part.mapping.isEmpty {
            summary.add(share.part.mapping, of: plan.routes[route].entity.name)
        }
        if summary.unmatched != nil {
            for share in shares {
                summary.add(
                    matched: share.part.matchedPaths, of: mappedPaths[route],
                    entity: plan.routes[route].entity.name)
            }
        }
        if let objects = writers[route] as? ObjectRouteWriter {
            if objects.evaluator != nil {
                try write(evaluated: shares, of: route, objects, &writing, connection)
            } else {
                for share in shares { try write(share, of: route, objects, &writing, connection) }
            }
        } else if let foreign = writers[route] as? ForeignRouteWriter {
            for share in shares where !share.part.inference.isEmpty {
                summary.add(share.part.inference, of: plan.routes[route].entity.name)
            }
            let outcome = try foreign.write(
                shares.compactMap(\.part.rows), shares.map(\.part.inference), on: connection)
            count(outcome, route: route)
            try record(outcome.refused, shares, route, &writing)
        } else if let rows = writers[route] as? RowRouteWriter {
            if rows.isCompared {
                try write(compared: shares, of: route, rows, &writing, connection)
            } else {
                try write(shares, of: route, rows, &writing, connection)
            }
        }
    }

    // MARK: Setters

    /// Calls the setter for records, and writes their objects.
    private func write(
        _ share: Share, of route: Int, _ objects: ObjectRouteWriter, _ writing: inout Writing, _ connection: Connection
    ) throws {
        let numbers = share.part.ordinals.map { share.first + Int64($0) }
        let outcome = try objects.apply(share.part.records, .reserved(numbers), on: connection)
        count(outcome.counts)
        mark(plan.routes[route].entity, outcome.seenKeys)
        for reject in outcome.rejects { try record(reject, share.chunk, route, &writing) }
    }

    /// Writes the rows of evaluated records, then the deferred records.
    private func write(
        evaluated shares: [Share], of route: Int, _ objects: ObjectRouteWriter, _ writing: inout Writing,
        _ connection: Connection
    ) throws {
        count(try objects.write(shares.map(\.part), firsts: shares.map(\.first), on: connection), route: route)
        for share in shares where !share.part.deferredRecords.isEmpty {
            let deferred = share.part.deferredRecords
            let outcome = try objects.write(deferred: deferred, first: share.first, on: connection)
            count(outcome.counts)
            mark(plan.routes[route].entity, outcome.seenKeys)
            summary.waiting += deferred.count - outcome.counts.total
            for reject in outcome.rejects { try record(reject, share.chunk, route, &writing) }
        }
    }

    // MARK: Rows

    private func write(
        _ shares: [Share], of route: Int, _ rows: RowRouteWriter, _ writing: inout Writing, _ connection: Connection
    ) throws {
        let batches = shares.compactMap(\.part.rows)
        let finder = RecordFinder(writing.chunks, plan.maker, route: route)
        let kept = options.reading.limits.rejectedBytes
        for share in shares where !share.part.inference.isEmpty {
            summary.add(share.part.inference, of: plan.routes[route].entity.name)
        }
        let outcome = try rows.write(batches, firstKeys: shares.map(\.first), on: connection) { batch, row in
            let entry = batches[batch].entries[row]
            guard entry.isIncomplete, let record = finder.record(shares[batch].chunk, entry.ordinal) else { return "" }
            return RowOrigin(record, keepingBytes: kept).text
        }
        count(outcome, route: route)
        summary.waiting += batches.reduce(0) { $0 + $1.count } - outcome.total
        try record(outcome.refused, shares, route, &writing)
    }

    private func write(
        compared shares: [Share], of route: Int, _ rows: RowRouteWriter, _ writing: inout Writing,
        _ connection: Connection
    ) throws {
        let outcome = try rows.write(
            shares.compactMap(\.part.rows), shares.compactMap(\.part.comparison),
            deferred: shares.map(\.part.deferredRows), firstKeys: shares.map(\.first),
            on: connection)
        count(outcome, route: route)
        try record(outcome.refused, shares, route, &writing)
    }

    // MARK: Rejects

    /// Records refused rows as rejects.
    private func record(
        _ refused: [BulkOutcome.Refusal], _ shares: [Share], _ route: Int, _ writing: inout Writing
    ) throws {
        let finder = RecordFinder(writing.chunks, plan.maker, route: route)
        for refused in refused {
            let chunk = shares[refused.batch].chunk
            guard let rejected = finder.record(chunk, refused.ordinal) else {
                fatalError("internal error: a refused row has no record")
            }
            let reject = rejected.reject(refused.fault.error, keepingBytes: options.reading.limits.rejectedBytes)
            try record(reject, chunk, route, &writing)
        }
    }

    /// Records a reject of a chunk; the first one may end the import.
    func record(_ reject: Reject, _ chunk: Int, _ route: Int, _ writing: inout Writing) throws {
        if options.onError == .stop {
            throw Stop(chunk: writing.chunks.startIndex + chunk, cause: reject.error)
        }
        writing.rejects[chunk].append(.init(reject: reject, route: route))
    }
}
