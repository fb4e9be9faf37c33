import TributaryGraph
import TributarySQLite

/// Writes the records of a route into its table, with or without a first load.
class RouteWriter {
    /// The table, with its current columns.
    final var table: BulkTable
    let mode: ImportMode
    let run: Int
    /// Whether no other route and no setter writes into the table.
    let isAlone: Bool
    /// Whether the keys of written rows are needed, to announce them.
    final var keepsKeys = false
    private let filterBytes: Int
    private var bulkWriter: BulkWriter?
    /// Appends to a table that was empty, whose indexes are created at the end.
    final private(set) var firstLoad: FirstLoad?
    /// Whether held-back records come before the next chunk, because their first load has ended early.
    final private(set) var hasHeldBack = false

    init(_ table: BulkTable, mode: ImportMode, run: Int, isAlone: Bool, filterBytes: Int) {
        self.table = table
        self.mode = mode
        self.run = run
        self.isAlone = isAlone
        self.filterBytes = filterBytes
    }

    /// Whether a first load can find repeated keys without an index.
    var canLoadFirst: Bool { mode != .update && isAlone }

    /// Whether rows are appended to the table.
    var appends: Bool { firstLoad != nil }

    /// Prepares to write, in the transaction of each group.
    func begin(on connection: Connection) throws {
        if bulkWriter != nil {
            // Another writer has written between two groups, and created the indexes.
            if firstLoad != nil, try DeferredIndexes.run(of: table.name, on: connection) != run {
                firstLoad = nil
                hasHeldBack = true
            }
            // Another import may have begun a first load meanwhile, whose filter lacks the rows written here.
            if firstLoad == nil { try FirstLoad.endOther(of: table.name, run: run, on: connection) }
            return
        }
        let writer = writer(on: connection)
        if canLoadFirst {
            firstLoad = try FirstLoad.begin(writer, run: run, on: connection, filterBytes: filterBytes)
        } else {
            try makeIndexes(on: connection)
        }
        hasHeldBack = firstLoad == nil
    }

    /// The writer of rows, which is made when it is needed first.
    final func writer(on connection: Connection) -> BulkWriter {
        let writer = bulkWriter ?? BulkWriter(table, mode: mode, on: connection)
        bulkWriter = writer
        writer.keepsKeys = keepsKeys
        return writer
    }

    /// Creates the indexes that a first load has deferred.
    final func makeIndexes(on connection: Connection) throws {
        firstLoad = nil
        try DeferredIndexes.make(of: table.name, on: connection)
    }

    /// Ends a first load that holds back too many records, which are applied next.
    final func endFirstLoadIfDue(on connection: Connection) throws {
        guard firstLoad?.shouldEnd ?? false else { return }
        try makeIndexes(on: connection)
        hasHeldBack = true
    }

    /// Marks all held-back records as applied.
    final func finishHeldBack() { hasHeldBack = false }
}
