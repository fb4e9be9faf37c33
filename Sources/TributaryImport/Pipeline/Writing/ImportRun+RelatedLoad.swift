import TributaryStore
import TributaryJSON
import TributarySQLite

/// Loading records with nested objects into empty tables.
extension ImportRun {
    /// The number of held-back records that are applied in one transaction.
    private static let slice = 500

    /// Adds the records of chunks to a load.
    func load(
        _ load: RelatedLoad, _ related: RelatedPlan, _ writing: inout Writing, _ connection: Connection
    ) throws {
        for (number, chunk) in writing.chunks.enumerated() {
            guard let rows = chunk.related, let records = chunk.chunk else { continue }
            let firsts = try firstKeys(of: chunk, connection)
            summary.add(rows, of: related.units)
            let outcome = try load.add(
                rows, firsts: firsts, records: records, stopsAtReject: options.onError == .stop, on: connection)
            if let (index, column) = outcome.refusal {
                let record = records[index]
                let reject = record.reject(
                    BulkOutcome.Fault.incomplete(column).error, keepingBytes: options.reading.limits.rejectedBytes)
                try self.record(reject, number, plan.maker.choice.route(of: record) ?? 0, &writing)
            }
            count(outcome.counts)
            summary.waiting += outcome.heldBack
            for (unit, counts) in zip(related.units, outcome.related) where counts.total > 0 {
                summary.add(counts, of: unit.entity.name)
            }
            for (unit, keys) in zip(related.units, outcome.keys) { mark(unit.entity, keys) }
        }
    }

    /// Ends what an earlier process has begun: complete files, and records that were held back; false if it is stopped.
    func endCompleteLoads() throws -> Bool {
        guard related != nil, relatedLoad == nil, session == nil else { return true }
        let run = journal.entry.run
        let isBegun = try plan.store.importing { connection in
            try PossibleDuplicatesTable.hasRows(of: RelatedLoad.heldBack, run: run, on: connection)
        }
        return try isBegun || !completeLoads.isEmpty ? endRelatedLoad() : true
    }

    /// Moves the rows of a load into their tables, and applies the records that were held back; false if it is stopped.
    func endRelatedLoad() throws -> Bool {
        guard session == nil else { return true }
        if relatedLoad != nil || !completeLoads.isEmpty {
            guard try finishLoads() else { return false }
            publishes = true
            defer { publishes = false }
            try publishing { _ in }
            (relatedLoad, completeLoads) = (nil, [])
        }
        guard let related else { return true }
        watch.phase = .applyingRepeatedKeys
        var isEmpty = false
        while !isEmpty {
            if watch.isStopped { return false }
            try commit { connection in
                let held = try HeldBackRecord.removeNext(
                    ImportRun.slice, bytes: plan.memory.heldBack, of: RelatedLoad.heldBack, run: journal.entry.run,
                    on: connection)
                isEmpty = held.isEmpty
                if !isEmpty { try apply(held, related, connection) }
            }
            try options.checkRejects(of: summary)
        }
        return true
    }

    /// Applies records that were held back, in feed order.
    private func apply(_ held: [HeldBackRecord], _ related: RelatedWriter, _ connection: Connection) throws {
        related.keepsKeys = true
        try HeldBackRecord.read(held, options.reading) { records, slice in
            var shares: [RelatedWriter.Share] = []
            var places: [Int] = []
            func reject(_ index: Int, _ error: JSONError) throws {
                let (record, limit) = (records[index], options.reading.limits.rejectedBytes)
                let found = slice[slice.startIndex + index].reject(
                    record.reject(error, keepingBytes: limit), of: record, keepingBytes: limit)
                try self.reject(found, route: plan.maker.choice.route(of: record) ?? 0, connection)
            }
            for (index, record) in records.enumerated() {
                let rows = RelatedRows(
                    related.plan, tableCount: plan.maker.tableCount, expecting: 1, bytes: 256,
                    makeCheck: plan.maker.makeCheck)
                let route = plan.maker.choice.route(of: record) ?? 0
                if let error = rows.add(record, index: 0, unit: related.plan.unitOfRoute[route]) {
                    try reject(index, error)
                    continue
                }
                shares.append((rows.chunk, RelatedLoad.Note(slice[slice.startIndex + index].note).firsts))
                places.append(index)
            }
            let outcome = try related.write(shares, on: connection)
            add(outcome)
            for refused in outcome.refused { try reject(places[refused.chunk], refused.fault.error) }
            summary.waiting -= records.count
        }
    }
}
