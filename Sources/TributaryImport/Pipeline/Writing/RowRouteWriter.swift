import TributaryStore
import TributarySQLite

/// Writes the rows of a route into their table.
final class RowRouteWriter: RouteWriter {
    private var growing: (table: GrowingTable, entity: Entity, names: () -> [String])?
    /// Whether rows are compared with the table before they come here.
    var isCompared = false

    /// Whether rows can be compared ahead.
    var isComparable: Bool {
        load == nil && isAlone && growing == nil && !table.key.isEmpty && !table.hasOtherConstraints
    }

    override var appends: Bool { super.appends || table.key.isEmpty }

    /// Adds columns to the table as they are inferred; `names` returns all of them so far.
    func addColumns(to growing: GrowingTable, _ entity: Entity, names: @escaping () -> [String]) {
        self.growing = (growing, entity, names)
    }

    /// Adds the columns that the batches need, and declares types that suit their values.
    private func grow(for batches: [RowBatch], on connection: Connection) throws {
        guard let (known, entity, names) = growing else { return }
        var growing = known
        let needed = batches.reduce(growing.columns.count) { max($0, $1.width) }
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

    /// The inferred columns whose values have no common type.
    var mixedColumns: [String] { growing?.table.mixedColumns ?? [] }

    /// The declared types of columns that the run has changed.
    var widenedColumns: [String: String] {
        (growing?.table.widened ?? [:]).mapValues { types in
            "\(types.before) → \(types.after.isEmpty ? "no type" : types.after)"
        }
    }

    /// Writes batches into the table, in feed order.
    ///
    /// - Parameters:
    ///   - batches: The rows.
    ///   - firstKeys: For each batch the primary key of the record of ordinal 0.
    ///   - connection: The connection that writes.
    ///   - origin: The text to store with a held-back row, by the indexes of its batch and of the row there.
    /// - Returns: The outcome of the rows that were not held back.
    /// - Throws: `SQLiteError`.
    func write(
        _ batches: [RowBatch], firstKeys: [Int64], on connection: Connection, origin: (Int, Int) -> String
    ) throws -> BulkOutcome {
        try grow(for: batches, on: connection)
        let writer = try writer(on: connection)
        guard let load else { return try writer.apply(batches, firstKeys: firstKeys) }
        var outcome = BulkOutcome()
        for (number, batch) in batches.enumerated() {
            var part = try load.add(batch, firstKey: firstKeys[number], through: writer) { origin(number, $0) }
            for index in part.refused.indices { part.refused[index].batch = number }
            outcome.add(part)
        }
        return outcome
    }

    /// Writes compared batches into the table.
    ///
    /// - Parameters:
    ///   - batches: The rows.
    ///   - comparisons: For each batch its comparison with the table.
    ///   - deferred: For each batch its rows that were not compared; nil if there are none.
    ///   - firstKeys: For each batch the primary key of the record of ordinal 0.
    ///   - connection: The connection that writes.
    /// - Returns: The outcome of all rows, without the rows that the comparison has refused.
    /// - Throws: `SQLiteError`.
    func write(
        _ batches: [RowBatch], _ comparisons: [RowComparison], deferred: [RowBatch?], firstKeys: [Int64],
        on connection: Connection
    ) throws -> BulkOutcome {
        let writer = try writer(on: connection)
        var outcome = try writer.write(batches, comparisons, firstKeys: firstKeys)
        let indexes = deferred.indices.filter { deferred[$0] != nil }
        if !indexes.isEmpty {
            var rest = try writer.apply(deferred.compactMap(\.self), firstKeys: indexes.map { firstKeys[$0] })
            for index in rest.refused.indices { rest.refused[index].batch = indexes[rest.refused[index].batch] }
            outcome.add(rest)
        }
        return outcome
    }

    /// Applies the next held-back rows; nil if there are none.
    func applyHeldBack(
        _ limit: Int, bytes: Int, on connection: Connection
    ) throws -> (outcome: BulkOutcome, origins: [String])? {
        let held = try PossibleDuplicatesTable.removeNext(limit, bytes: bytes, of: table, run: run, on: connection)
        return try held.map { (try writer(on: connection).apply([$0.batch], firstKeys: [0]), $0.origins) }
    }
}
