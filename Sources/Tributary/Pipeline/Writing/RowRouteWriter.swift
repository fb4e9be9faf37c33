import TributaryGraph
import TributarySQLite

/// Writes the rows of a route into their table.
final class RowRouteWriter {
    private(set) var table: BulkTable
    private let mode: BulkMode
    private let filterBytes: Int
    private var writer: BulkWriter?
    private var firstLoad: FirstLoad?
    private let run: Int
    /// Whether no other route, and no setter, writes into the table.
    private let isAlone: Bool
    private var hasBegun = false
    /// Whether rows may wait that come before all that is taken next: their first load has ended early.
    private(set) var hasHeldBack = false
    private var growing: (GrowingTable, Entity, () -> [String])?
    /// Whether rows come compared with the table.
    var isCompared = false
    /// Whether the numbers of rows are wanted.
    var keepsKeys = false

    init(_ table: BulkTable, mode: ImportMode, run: Int, isAlone: Bool, filterBytes: Int) {
        self.table = table
        self.run = run
        self.isAlone = isAlone
        self.filterBytes = filterBytes
        self.mode = BulkMode(mode)
    }

    /// Whether rows can be compared with the table ahead of the writer: it has rows already, and none wait.
    func isComparable(on connection: Connection) throws -> Bool {
        guard isAlone, growing == nil, !table.key.isEmpty, !table.hasOtherConstraints else { return false }
        return try FirstLoad.isOver(table, on: connection)
            && !PossibleDuplicatesTable.hasRows(of: table.name, run: run, on: connection)
    }

    /// Whether rows are appended to a table that was empty, and their indexes made in the end.
    var isLoadingFirst: Bool { firstLoad != nil }

    /// Prepares to write; in the transaction of the first group.
    func begin(on connection: Connection) throws {
        if hasBegun {
            // Another writer came between two groups, and has made the indexes.
            if firstLoad != nil, try DeferredIndexes.run(of: table.name, on: connection) != run {
                firstLoad = nil
                hasHeldBack = true
            }
            // Another import may have begun a first load since then: it would not see what is written here.
            if firstLoad == nil { try FirstLoad.endOther(of: table.name, run: run, on: connection) }
            return
        }
        hasBegun = true
        let writer = BulkWriter(table, mode: mode, on: connection)
        self.writer = writer
        if isCompared { return try FirstLoad.endOther(of: table.name, run: run, on: connection) }
        guard mode != .update, isAlone else {
            hasHeldBack = true
            return try DeferredIndexes.make(of: table.name, on: connection)
        }
        firstLoad = try FirstLoad.begin(writer, run: run, on: connection, filterBytes: filterBytes)
        hasHeldBack = firstLoad == nil
    }

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
        writer?.grow(to: table)
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
        guard let writer else { fatalError("a route begins before it takes rows") }
        writer.keepsKeys = keepsKeys
        try grow(for: batches, on: connection)
        guard let firstLoad else { return try writer.apply(batches, firstKeys: firstKeys) }
        var outcome = BulkOutcome()
        for (number, batch) in batches.enumerated() {
            var part = try firstLoad.take(batch, firstKey: firstKeys[number]) { origin(number, $0) }
            for index in part.refused.indices { part.refused[index].batch = number }
            outcome.add(part)
        }
        if firstLoad.shouldEnd {
            try DeferredIndexes.make(of: table.name, on: connection)
            self.firstLoad = nil
            hasHeldBack = true
        }
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
        _ batches: [RowBatch], _ comparisons: [RowComparison], deferred: [RowBatch?], firstKeys: [Int64]
    ) throws -> BulkOutcome {
        guard let writer else { fatalError("a route begins before it takes rows") }
        writer.keepsKeys = keepsKeys
        var outcome = try writer.write(batches, comparisons, firstKeys: firstKeys)
        let places = deferred.indices.filter { deferred[$0] != nil }
        if !places.isEmpty {
            var rest = try writer.apply(deferred.compactMap(\.self), firstKeys: places.map { firstKeys[$0] })
            for index in rest.refused.indices { rest.refused[index].batch = places[rest.refused[index].batch] }
            outcome.add(rest)
        }
        return outcome
    }

    /// Makes the indexes that a first load has left out.
    func makeIndexes(on connection: Connection) throws {
        firstLoad = nil
        try DeferredIndexes.make(of: table.name, on: connection)
    }

    /// Makes the indexes now, if a first load has left them out; what waits is to be applied.
    func endFirstLoad(on connection: Connection) throws {
        try makeIndexes(on: connection)
        hasHeldBack = true
    }

    /// Applies the next rows that were set aside; nil if there are none.
    func takeHeldBack(
        _ limit: Int, bytes: Int, on connection: Connection
    ) throws -> (outcome: BulkOutcome, origins: [String])? {
        guard let aside = try PossibleDuplicatesTable.take(limit, bytes: bytes, of: table, run: run, on: connection)
        else {
            hasHeldBack = false
            return nil
        }
        let writer = writer ?? BulkWriter(table, mode: mode, on: connection)
        writer.keepsKeys = keepsKeys
        return (try writer.apply([aside.batch], firstKeys: [0]), aside.origins)
    }
}

extension BulkMode {
    /// What is done with keys that are there already, as the options say it.
    init(_ mode: ImportMode) {
        self =
            switch mode {
            case .upsert: .upsert
            case .insert: .insert
            case .update: .update
            case .ignore: .ignore
            case .replace: .replace
            }
    }
}
