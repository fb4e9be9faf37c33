import TributaryGraph
import TributarySQLite

/// Writes the rows of a route into their table.
final class RowRouteWriter: RouteWriter {
    private var growing: (table: GrowingTable, entity: Entity, names: () -> [String])?
    /// Whether rows come compared with the table.
    var isCompared = false

    /// Whether rows can be compared with the table ahead of the writer: it has rows already, and none wait.
    func isComparable(on connection: Connection) throws -> Bool {
        guard isAlone, growing == nil, !table.key.isEmpty, !table.hasOtherConstraints else { return false }
        return try FirstLoad.isOver(table, on: connection)
            && !PossibleDuplicatesTable.hasRows(of: table.name, run: run, on: connection)
    }

    override var canLoadFirst: Bool { super.canLoadFirst && !isCompared }
    override var appends: Bool { super.appends || table.key.isEmpty }

    /// Says that the table's columns are found; `names` gives all of them so far.
    func grows(_ growing: GrowingTable, _ entity: Entity, names: @escaping () -> [String]) {
        self.growing = (growing, entity, names)
    }

    /// Adds columns that the batches need.
    private func grow(for batches: [RowBatch], on connection: Connection) throws {
        guard let (known, entity, names) = growing else { return }
        var growing = known
        let needed = batches.reduce(0) { max($0, $1.width) }
        guard needed > growing.columns.count else { return }
        let columns = Array(names().prefix(needed))
        try growing.grow(to: columns, json: InferredColumns.rest, on: connection)
        self.growing = (growing, entity, names)
        table = growing.table(entity, columns)
        writer(on: connection).grow(to: table)
    }

    /// Carries batches into the table, in the order of the feed.
    ///
    /// - Parameters:
    ///   - batches: The rows.
    ///   - firstKeys: For each batch the number that its record of ordinal 0 gets.
    ///   - connection: The one that writes.
    ///   - origin: What is wanted back with a row that is set aside: of which batch, which row.
    /// - Returns: What has become of those that were not set aside.
    /// - Throws: `SQLiteError`.
    func take(
        _ batches: [RowBatch], firstKeys: [Int64], on connection: Connection, origin: (Int, Int) -> String
    ) throws -> BulkOutcome {
        try grow(for: batches, on: connection)
        guard let firstLoad else { return try writer(on: connection).apply(batches, firstKeys: firstKeys) }
        var outcome = BulkOutcome()
        for (number, batch) in batches.enumerated() {
            var part = try firstLoad.take(batch, firstKey: firstKeys[number]) { origin(number, $0) }
            for index in part.refused.indices { part.refused[index].batch = number }
            outcome.add(part)
        }
        try endFirstLoadIfDue(on: connection)
        return outcome
    }

    /// Carries batches into the table that have been compared with it.
    ///
    /// - Parameters:
    ///   - batches: The rows.
    ///   - comparisons: What they are to the table.
    ///   - deferred: Those of their rows that were not compared, as batches of their own.
    ///   - firstKeys: For each batch the number that its record of ordinal 0 gets.
    /// - Returns: What has become of all; rows that the comparison has refused are not among the refused ones.
    /// - Throws: `SQLiteError`.
    func take(
        _ batches: [RowBatch], _ comparisons: [RowComparison], deferred: [RowBatch?], firstKeys: [Int64],
        on connection: Connection
    ) throws -> BulkOutcome {
        let writer = writer(on: connection)
        var outcome = try writer.write(batches, comparisons, firstKeys: firstKeys)
        let places = deferred.indices.filter { deferred[$0] != nil }
        if !places.isEmpty {
            var rest = try writer.apply(deferred.compactMap(\.self), firstKeys: places.map { firstKeys[$0] })
            for index in rest.refused.indices { rest.refused[index].batch = places[rest.refused[index].batch] }
            outcome.add(rest)
        }
        return outcome
    }

    /// Applies the next rows that were held back; nil if there are none.
    func takeHeldBack(
        _ limit: Int, bytes: Int, on connection: Connection
    ) throws -> (outcome: BulkOutcome, origins: [String])? {
        guard let aside = try PossibleDuplicatesTable.take(limit, bytes: bytes, of: table, run: run, on: connection)
        else {
            finishHeldBack()
            return nil
        }
        return (try writer(on: connection).apply([aside.batch], firstKeys: [0]), aside.origins)
    }
}
