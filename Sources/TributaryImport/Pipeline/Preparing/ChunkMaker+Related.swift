import TributaryStore
import TributaryJSON

/// Preparing records with nested objects.
extension ChunkMaker {
    /// Prepares the first records of a chunk, and the parts between them that are no records.
    func make(_ chunk: RecordChunk, _ plan: RelatedPlan, _ count: Int, _ unreadable: Int) -> PreparedChunk {
        let rows = RelatedRows(
            plan, tableCount: tableCount, expecting: count, bytes: chunk.byteCount / 3, makeCheck: makeCheck,
            keepsRecords: keepsParts)
        var rejects = ChunkRejects(
            chunk, unreadable: unreadable, isOneRoute: makings.count == 1, keepingBytes: rejectedBytes, keys: keys)
        var skipped = 0
        var endsImport = false
        for index in 0..<count {
            let record = chunk[index]
            rejects.addUnreadable(before: record)
            guard let route = choice.route(of: record) else {
                skipped += 1
                continue
            }
            guard let error = rows.add(record, index: index, unit: plan.unitOfRoute[route]) else { continue }
            rejects.add(record, error, route: route)
            if stopsAtReject {
                endsImport = true
                break
            }
        }
        if !endsImport { rejects.addUnreadable() }
        return PreparedChunk(
            chunk: rows.mayBeRefusedLater || keepsRecords ? chunk : nil, recordCount: count, skipped: skipped,
            unreadable: rejects.unreadable, rejects: rejects.all, parts: [], related: rows.chunk, numbers: rows.numbers,
            checkpoint: chunk.checkpoint, endsImport: endsImport)
    }
}
