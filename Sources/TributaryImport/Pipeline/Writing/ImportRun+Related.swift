import TributaryStore
import TributaryJSON
import TributarySQLite

/// Writing records with nested objects.
extension ImportRun {
    /// Writes the rows of chunks, and the links between them.
    func write(_ related: RelatedWriter, _ writing: inout Writing, _ connection: Connection) throws {
        if let relatedLoad { return try load(relatedLoad, related.plan, &writing, connection) }
        let shares = try writing.chunks.compactMap { chunk in
            try chunk.related.map { rows -> RelatedWriter.Share in (rows, try firstKeys(of: chunk, connection)) }
        }
        related.keepsKeys = session == nil || !plan.derivations.isEmpty
        for share in shares { summary.add(share.chunk, of: related.plan.units) }
        let outcome = try related.write(shares, on: connection)
        add(outcome)
        for refused in outcome.refused.sorted(by: { ($0.chunk, $0.record) < ($1.chunk, $1.record) }) {
            let chunk = writing.chunks[writing.chunks.startIndex + refused.chunk]
            guard let record = chunk.chunk?[refused.record] else {
                fatalError("internal error: a refused row has no record")
            }
            let reject = record.reject(refused.fault.error, keepingBytes: options.reading.limits.rejectedBytes)
            let route = plan.maker.choice.route(of: record) ?? 0
            try self.record(reject, refused.chunk, route, &writing)
        }
    }

    /// The primary key of the first row of each table.
    func firstKeys(of chunk: PreparedChunk, _ connection: Connection) throws -> [Int64] {
        try chunk.numbers.enumerated().map { try plan.numbering.reserve($1, $0, connection) }
    }

    /// Adds what became of records and of the objects inside of them.
    func add(_ outcome: RelatedOutcome) {
        count(outcome.counts)
        for (entity, counts) in outcome.related { summary.add(counts, of: entity) }
        for part in outcome.seenKeys {
            if let unit = plan.related?.units[part.unit] { mark(unit.entity, part.keys) }
        }
        for part in outcome.referredKeys {
            if let unit = plan.related?.units[part.unit] { markReferred(unit.entity, part.keys) }
        }
        for part in outcome.keys {
            written.add(inserted: part.inserted, updated: part.updated, route: plan.routes.count + part.unit)
        }
    }
}
