import TributaryStore
import TributarySQLite

/// Writes the rows of a route into their table.
final class RowRouteWriter: RouteWriter {
    private var growing: (table: GrowingTable, entity: Entity, names: () -> [String])?
    /// Whether rows are compared with the table before they come here.
    private var isCompared = false

    override func workAhead() -> ChunkComparer.Work {
        isCompared = load == nil && isAlone && growing == nil && !table.key.isEmpty && !table.hasOtherConstraints
        return isCompared ? .rows(table) : .none
    }

    // The pages of a load are not read before they are complete.
    override var canLoad: Bool { super.canLoad && table.entity.derived.isEmpty }

    override var comparesKeys: Bool { true }

    override var appends: Bool { super.appends || table.key.isEmpty }

    /// Adds columns to the table as they are inferred; `names` returns all of them so far.
    func addColumns(to growing: GrowingTable, _ entity: Entity, names: @escaping () -> [String]) {
        self.growing = (growing, entity, names)
    }

    /// Adds the columns that the batches need, and declares types that suit their values.
    private func grow(for batches: [RowBatch], atLeast count: Int = 0, on connection: Connection) throws {
        guard let (known, entity, names) = growing else { return }
        var growing = known
        let needed = batches.reduce(max(count, growing.columns.count)) { max($0, $1.width) }
        var kinds = [ValueKinds](repeating: [], count: needed)
        for batch in batches {
            for (column, kind) in batch.kinds.enumerated() { kinds[column].formUnion(kind) }
        }
        let columns = needed > growing.columns.count ? Array(names().prefix(needed)) : growing.columns
        guard growing.needs(columns, kinds) else { return }
        let hasNewColumns = needed > growing.columns.count
        try growing.grow(to: columns, kinds, json: InferredColumns.rest, on: connection)
        self.growing = (growing, entity, names)
        guard hasNewColumns else { return }
        try recorder?.refresh(on: connection)
        table = growing.table(entity, columns)
        try writer(on: connection).grow(to: table)
        try load?.grow(to: table, on: connection)
    }

    override func addColumn(_ name: String, on connection: Connection) throws {
        guard let place = growing?.names().firstIndex(of: name) else { return }
        try grow(for: [], atLeast: place + 1, on: connection)
    }

    override var mixedColumns: [String] { growing?.table.mixedColumns ?? [] }

    override var widenedColumns: [String: String] {
        (growing?.table.widened ?? [:]).mapValues { types in
            "\(types.before) → \(types.after.isEmpty ? "no type" : types.after)"
        }
    }

    /// Writes rows into the table, in feed order, or into the pages of a load.
    override func write(
        _ shares: [RouteShare], _ finder: RecordFinder, on connection: Connection
    ) throws -> RouteOutcome {
        let batches = shares.compactMap(\.part.rows)
        let outcome: BulkOutcome
        if isCompared {
            outcome = try writeCompared(shares, batches, on: connection)
        } else {
            try grow(for: batches, on: connection)
            outcome = try write(shares, batches, finder, on: connection)
        }
        return RouteOutcome(
            rows: outcome, rejects: rejects(of: outcome.refused, shares, finder),
            waiting: isCompared ? 0 : batches.reduce(0) { $0 + $1.count } - outcome.total)
    }

    private func write(
        _ shares: [RouteShare], _ batches: [RowBatch], _ finder: RecordFinder, on connection: Connection
    ) throws -> BulkOutcome {
        let writer = try writer(on: connection)
        guard let load else { return try writer.apply(batches, firstKeys: shares.map(\.first)) }
        var outcome = BulkOutcome()
        for (number, batch) in batches.enumerated() {
            // A held-back row that may be rejected later has the origin of its record.
            var part = try load.add(batch, firstKey: shares[number].first, through: writer) { row in
                let entry = batch.entries[row]
                guard entry.isIncomplete else { return "" }
                return finder.origin(entry.ordinal, ofChunk: shares[number].chunk)
            }
            for index in part.refused.indices { part.refused[index].batch = number }
            outcome.add(part)
        }
        return outcome
    }

    /// Writes compared rows, then those that were not compared.
    private func writeCompared(
        _ shares: [RouteShare], _ batches: [RowBatch], on connection: Connection
    ) throws -> BulkOutcome {
        let writer = try writer(on: connection)
        let firstKeys = shares.map(\.first)
        var outcome = try writer.write(batches, shares.compactMap(\.part.comparison), firstKeys: firstKeys)
        let deferred = shares.map(\.part.deferredRows)
        let indexes = deferred.indices.filter { deferred[$0] != nil }
        if !indexes.isEmpty {
            var rest = try writer.apply(deferred.compactMap(\.self), firstKeys: indexes.map { firstKeys[$0] })
            for index in rest.refused.indices { rest.refused[index].batch = indexes[rest.refused[index].batch] }
            outcome.add(rest)
        }
        return outcome
    }

    override func applyHeldBack(_ limit: Int, bytes: Int, on connection: Connection) throws -> RouteOutcome? {
        let held = try PossibleDuplicatesTable.removeNext(limit, bytes: bytes, of: table, run: run, on: connection)
        guard let held else { return nil }
        let outcome = try writer(on: connection).apply([held.batch], firstKeys: [0])
        let rejects = try outcome.refused.sorted { $0.row < $1.row }.map { refused in
            (0, try RowOrigin(held.origins[refused.row]).reject(refused.fault.error))
        }
        return RouteOutcome(rows: outcome, rejects: rejects)
    }
}
