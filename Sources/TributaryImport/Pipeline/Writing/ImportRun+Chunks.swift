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
            journal.count(chunk)
            for (entity, report) in chunk.parts.flatMap(\.hookedMappings) { summary.add(report, of: entity) }
            try markLeftOut(chunk, connection)
            try recordRejects(writing.rejects[offset], of: chunk, on: connection)
        }
        watch.meter.wrote(summary.read)
    }

    /// Writes part after part, so a setter sees all earlier records, of all routes; primary keys are reserved likewise.
    private func writeInFeedOrder(_ writing: inout Writing, _ connection: Connection) throws {
        for (offset, chunk) in writing.chunks.enumerated() {
            for part in chunk.parts {
                let table = plan.maker.tables[part.route]
                let share: RouteShare
                if plan.routes[part.route].objects?.route.takesContext ?? false {
                    share = RouteShare(chunk: offset, part: part, first: 0) { [numbering = plan.numbering] in
                        try numbering.reserve(1, table, connection)
                    }
                } else {
                    let first = try plan.numbering.reserve(part.numberCount, table, connection)
                    share = RouteShare(chunk: offset, part: part, first: first - Int64(part.firstOrdinal))
                }
                try write([share], of: part.route, &writing, connection)
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
                    .map { RouteShare(chunk: offset, part: $0, first: firsts[offset][table]) }
            }
            if routes.count == 1 {
                try write(shares, of: routes[0], &writing, connection)
            } else {
                for share in shares { try write([share], of: share.part.route, &writing, connection) }
            }
        }
    }

    private func write(
        _ shares: [RouteShare], of route: Int, _ writing: inout Writing, _ connection: Connection
    ) throws {
        guard !shares.isEmpty else { return }
        for share in shares { summary.add(share.part, of: plan.routes[route].entity, mappedPaths[route]) }
        let finder = RecordFinder(writing.chunks, plan.maker, route: route)
        let outcome = try writers[route].write(shares, finder, on: connection)
        count(outcome, route: route)
        summary.waiting += outcome.waiting
        for (share, reject) in outcome.rejects { try record(reject, shares[share].chunk, route, &writing) }
    }

    /// Records a reject of a chunk; the first one may end the import.
    func record(_ reject: Reject, _ chunk: Int, _ route: Int, _ writing: inout Writing) throws {
        if options.onError == .stop {
            throw Stop(chunk: writing.chunks.startIndex + chunk, cause: reject.error)
        }
        writing.rejects[chunk].append(.init(reject: reject, route: route))
    }
}
