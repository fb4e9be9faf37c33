import Foundation
import TributaryStore
import TributaryJSON
import TributarySQLite

/// Marking the rows of a feed, and deleting those that it no longer holds.
extension ImportRun {
    /// Marks rows that the run has written or found.
    func mark(_ entity: Entity, _ keys: [Int64]) {
        guard feed != nil else { return }
        seen[entity.root.name, default: KeyBitmap()].formUnion(keys)
    }

    /// Marks rows that records refer to, or that filters leave out: the run has not brought them, but does not delete them.
    func markReferred(_ entity: Entity, _ keys: [Int64]) {
        guard feed != nil else { return }
        referred[entity.root.name, default: KeyBitmap()].formUnion(keys)
    }

    /// Marks the rows of the records of a chunk that filters leave out.
    func markLeftOut(_ chunk: PreparedChunk, _ connection: Connection) throws {
        for (route, keys) in chunk.leftOut {
            guard let table = plan.tableOfKeys(route) else { continue }
            markReferred(plan.routes[route].entity, try table.primaryKeys(of: keys, on: connection))
        }
    }

    /// Writes the marks of the transaction.
    func writeMarks(_ connection: Connection) throws {
        guard let feed else { return }
        if summary.sync == nil { summary.sync = SyncSummary(feed: feed) }
        for (entity, keys) in seen {
            try MarkTable.add(keys, feed: feed, run: journal.entry.run, entity: entity, on: connection)
        }
        for (entity, keys) in referred {
            let name = MarkTable.references(of: feed)
            try MarkTable.add(keys, feed: name, run: journal.entry.run, entity: entity, on: connection)
        }
        (seen, referred) = ([:], [:])
    }

    /// Marks the rows of rejected records whose keys can be read, and counts the others.
    func mark(_ rejects: [PreparedChunk.RouteReject], _ connection: Connection) throws {
        guard let feed else { return }
        for reject in rejects {
            let codes: [JSONError.Code] = [.keyMissing, .keyNull, .keyType]
            if reject.isUnknown || codes.contains(reject.reject.error.code) {
                if summary.sync == nil { summary.sync = SyncSummary(feed: feed) }
                summary.sync?.unidentified += 1
            } else if let route = reject.route, let key = reject.key {
                guard let table = plan.tableOfKeys(route) else { continue }
                mark(plan.routes[route].entity, try table.primaryKeys(of: [key], on: connection))
            }
        }
    }

    /// Deletes what the feed no longer holds, in the transaction that ends the run.
    func deleteGoneRows(_ connection: Connection) throws {
        guard let feed, let sync = options.sync else { return }
        // Held-back records were applied in this transaction.
        try writeMarks(connection)
        let rows = FeedRows(of: feed, run: journal.entry.run, in: plan.store.schema, on: connection)
        let tops = plan.routes.map(\.entity.root)
        if let attribute = sync.softDelete {
            // That of the dates is missing if there was no record, or each was rejected.
            for writer in writers { try writer.addColumn(attribute, on: connection) }
            for (number, route) in plan.routes.enumerated() {
                try checkSoftDelete(attribute, number)
                try rows.checkDates(in: attribute, of: route.entity)
                summary.sync?.restored += try rows.clear(attribute, of: route.entity.root)
            }
        }
        guard summary.sync?.unidentified == 0 else { return }
        let counts = try rows.find { entity in
            guard sync.scope != nil || sync.softDelete != nil else { return .always }
            return tops.contains(entity) ? sync.scope ?? .always : nil
        }
        if let reason = excess(of: counts, sync.limit) {
            guard options.isDryRun else { throw reason }
            summary.sync?.refusal = "\(reason.reason)"
            return
        }
        let changed: [String: Int]
        if let attribute = sync.softDelete {
            let date = Date()
            summary.sync?.softDeleted = date.formatted(.iso8601)
            changed = try rows.set(attribute, to: softDate(date, attribute), counts)
        } else {
            changed = try rows.delete(counts) { try deleteObjects(of: $0, $1, connection) }
        }
        summary.sync?.deleted = changed
        if !changed.isEmpty { publishes = true }
        try rows.replaceMarks(keepsEarlier: journal.entry.keepsChanges ?? false)
    }

    /// Throws if records have had values for the attribute of the dates.
    private func checkSoftDelete(_ attribute: String, _ route: Int) throws {
        let entity = plan.routes[route].entity
        guard let path = mappedPaths[route].first(where: { $0.name == attribute }),
            summary.unmatched?[entity.name]?.contains(path.text) != true
        else { return }
        throw ImportError(
            .route, "records set \(entity.name).\(attribute), so it cannot have the dates of deletions",
            hint: "name an attribute that no record sets")
    }

    /// Deletes the objects of a class with hooks, one by one; nil if the class has none.
    private func deleteObjects(of entity: Entity, _ rows: [RowKey], _ connection: Connection) throws -> Int? {
        let classes = plan.objects.classes.deletedAsObjects
        guard ([entity] + entity.descendants).contains(where: { classes.contains($0.name) }) else { return nil }
        try plan.objects.delete(rows, in: plan.store, on: connection, reason: "it is no longer in the feed")
        return rows.count
    }

    /// The date in the form in which the attribute stores it.
    private func softDate(_ date: Date, _ attribute: String) -> SQLValue {
        let type = plan.routes.lazy.compactMap { $0.entity.attribute(named: attribute)?.type }.first
        return type == .date ? .real(date.timeIntervalSince1970) : .text(date.formatted(.iso8601))
    }

    /// The error if more rows would be deleted than the limit allows.
    private func excess(of counts: [FeedRows.Count], _ limit: SyncOptions.Limit) -> ImportError? {
        let missing = counts.reduce(0) { $0 + $1.missingCount }
        let what: String
        switch limit {
        case .count(let most):
            guard missing > most else { return nil }
            what = "\(missing) rows"
        case .percent(let percent):
            // Of a small table one row is more than most shares.
            let most = percent > 0 ? 1 : 0
            let count = counts.first {
                $0.missingCount > most
                    && limit.isExceeded(by: $0.missingCount, of: $0.importedCount, isAtEnd: true)
            }
            guard let count else { return nil }
            what = "\(count.missingCount) of \(count.importedCount) rows of \(count.entity.name)"
        }
        return ImportError(
            .tooManyDeletions, "\(what) are no longer in the feed, more than \(limit); nothing was deleted",
            remedy: .raiseDeletionLimit(missing))
    }
}
