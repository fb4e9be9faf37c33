import TributaryGraph
import TributaryJSON

/// Preparing records with nested objects.
extension ChunkMaker {
    /// Prepares the first `limit` records of a chunk.
    func make(_ chunk: RecordChunk, _ plan: RelatedPlan, limit: Int, isLast: Bool) -> PreparedChunk {
        let count = min(limit, chunk.count)
        let rows = RelatedRows(plan, tableCount: tableCount, expecting: count, bytes: chunk.byteCount / 3)
        var rejected: [PreparedChunk.RouteReject] = []
        var unreadable = 0
        var lines: [Int] = []
        var endsImport = false
        func addUnreadable(_ reject: Reject) {
            rejected.append(.init(reject: reject, route: makings.count == 1 ? 0 : nil))
            unreadable += 1
        }
        var rejects = chunk.rejects[...]
        for index in 0..<count {
            let record = chunk[index]
            if keepsLines { lines.append(record.line) }
            while let reject = rejects.first, reject.offset < record.offset {
                addUnreadable(reject)
                rejects.removeFirst()
            }
            let route = min(record.route, makings.count - 1)
            guard let error = rows.add(record, index: index, unit: plan.unitOfRoute[route]) else { continue }
            rejected.append(.init(reject: record.reject(error, keepingBytes: rejectedBytes), route: route))
            if stopsAtReject {
                endsImport = true
                break
            }
        }
        if !endsImport, !isLast { rejects.forEach(addUnreadable) }
        var prepared = PreparedChunk(
            chunk: rows.mayBeRefusedLater ? chunk : nil, recordCount: count, unreadable: unreadable,
            rejects: rejected, parts: [], numbers: rows.numbers, lines: lines, checkpoint: chunk.checkpoint,
            endsImport: endsImport)
        prepared.related = rows.chunk
        return prepared
    }
}
