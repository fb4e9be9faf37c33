import TributaryImport
import TributaryStore
import TributaryJSON

/// Writes the rows of groups through one connection, into the tables of their routes or with their nested objects.
final class RowsWriter {
    let plan: PostgresPlan
    private let tables: [TableWriter]
    /// Writes records with their nested objects; nil if there are none.
    private let related: PostgresRelatedWriter?

    init(_ plan: PostgresPlan, run: Int) {
        self.plan = plan
        tables = plan.targets.enumerated().map { TableWriter($1, mode: plan.options.mode, route: $0) }
        related = plan.rows.related.map {
            PostgresRelatedWriter($0, model: plan.model, mode: plan.options.mode, run: run)
        }
    }

    /// Whether single rows that a table refuses can be found.
    var findsRefusedRows: Bool { related == nil }

    /// Prepares a connection, once.
    func prepare(_ connection: PostgresConnection) throws { for table in tables { try table.prepare(connection) } }

    /// What became of the records of a group.
    struct Outcome {
        /// The counts, without rejects.
        var counts = RecordCounts()
        /// For each entity the counts of objects inside of records.
        var related: [String: RecordCounts] = [:]
        /// Records that the server refuses, with the indexes of their chunks.
        var refused: [(chunk: Int, reject: Reject, route: Int?)] = []
    }

    /// Writes a group in a transaction; `loads` says that the tables that the run has made have no index yet.
    func write(
        _ group: RowGroup, loads: Bool = false, isCareful: Bool, on connection: PostgresConnection
    ) throws -> Outcome {
        var outcome = Outcome()
        func refuse(_ chunk: Int, _ record: Record?, _ error: JSONError, _ route: Int) throws {
            // Only a table with rules of its own is expected to refuse what its columns can hold.
            guard let record else {
                throw ImportError(.rejected, "\(error)", hint: "correct the record, or what the table demands")
            }
            let kept = plan.options.reading.limits.rejectedBytes
            outcome.refused.append((chunk, record.reject(error, keepingBytes: kept), route))
        }
        if let related {
            let written = try related.write(group.chunks.compactMap(\.related), on: connection)
            (outcome.counts, outcome.related) = (written.counts, written.related)
            for refused in written.refused {
                let record = group.chunks[refused.chunk].chunk?[refused.record]
                try refuse(refused.chunk, record, refused.fault.error, record.map(plan.rows.route) ?? 0)
            }
        }
        for (route, table) in tables.enumerated() where !group.places[route].isEmpty {
            let places = group.places[route]
            let appends = table.target.key.isEmpty || loads && plan.isNew[route]
            let written =
                appends
                ? try table.append(places, of: group, isCareful: isCareful, on: connection)
                : try table.write(places, of: group, isCareful: isCareful, on: connection)
            outcome.counts += written.counts
            let finder = plan.rows.finder(group.chunks, route: route)
            for refused in written.refused {
                let (chunk, row) = (refused.place.chunk, Int(refused.place.row))
                let ordinal = group.batch(chunk, route: route)?.entries[row].ordinal
                try refuse(Int(chunk), ordinal.flatMap { finder.record(Int(chunk), $0) }, refused.error, route)
            }
        }
        return outcome
    }
}
