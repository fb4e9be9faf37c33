import TributaryStore
import TributaryJSON
import TributarySQLite

/// Writes the records of a route into its table, or into the pages of a load.
class RouteWriter {
    /// The table, with its current columns.
    final var table: BulkTable
    let mode: ImportMode
    let run: Int
    /// Whether no other route and no setter writes into the table.
    let isAlone: Bool
    /// Whether the keys of written rows are needed, to announce them.
    final var keepsKeys = false
    /// Keeps what the run changes; nil if that is not wanted.
    final var recorder: ChangeRecorder?
    /// Whether the keys of rows that records have found are needed, to mark them.
    final var keepsSeenKeys = false
    private var bulkWriter: BulkWriter?
    /// Fills a table that was empty, in a file of its own.
    final private(set) var load: DirectLoad?
    private var reserved: LoadRow?

    init(_ table: BulkTable, mode: ImportMode, run: Int, isAlone: Bool) {
        self.table = table
        self.mode = mode
        self.run = run
        self.isAlone = isAlone
    }

    /// Whether a load can find repeated keys without an index.
    var canLoad: Bool { mode != .update && isAlone }

    /// Whether rows are added in the order of the records, without a look at the table.
    var appends: Bool { load != nil }

    /// Whether the rows of a load can become records again, if others have their keys.
    var comparesKeys: Bool { false }

    /// Whether records become rows on the thread that writes.
    var appliesRecords: Bool { false }

    /// The inferred columns whose values have no common type.
    var mixedColumns: [String] { [] }
    /// The declared types of columns that the run has changed.
    var widenedColumns: [String: String] { [:] }

    /// Adds an inferred column that no row has needed.
    func addColumn(_ name: String, on connection: Connection) throws {}

    /// Lets other threads make objects of records, where the route allows it.
    func allowWorkAhead() {}

    /// What other threads do with prepared chunks before they are written.
    func workAhead() -> ChunkComparer.Work { .none }

    /// Throws if the table cannot be written.
    func check(on connection: Connection) throws {}

    /// Prepares to write, in the transaction of each group.
    func begin(on connection: Connection) throws {}

    /// Writes shares in feed order; without a setter `finder` finds the records of their rows.
    func write(_ shares: [RouteShare], _ finder: RecordFinder, on connection: Connection) throws -> RouteOutcome {
        fatalError("internal error: records with nested objects are written together")
    }

    /// Applies the next held-back records, limited in number and bytes; nil if there are none.
    func applyHeldBack(_ limit: Int, bytes: Int, on connection: Connection) throws -> RouteOutcome? { nil }

    /// What announces the saves of the group after its commit; nil if there are none.
    func takeSaves() -> (@Sendable () -> Void)? { nil }

    // MARK: Loads

    /// Reserves a load in a transaction, if `isWanted` and the table is empty; finds the one that this run has begun.
    final func reserveLoad(in store: SQLiteStore, isWanted: Bool, on connection: Connection) throws {
        let isKnown = try LoadRow.all(on: connection).contains { $0.table == table.name && $0.run == run }
        if isKnown || isWanted && canLoad {
            reserved = try DirectLoad.reserve(table, run: run, in: store, on: connection)
        } else {
            try LoadRow.checkNone(of: table.name, besides: run, store: store.name, on: connection)
        }
    }

    /// Begins or resumes the reserved load.
    func openLoad(
        in store: SQLiteStore, _ memory: (filter: Int, sorting: Int), on connection: Connection
    ) throws {
        guard let reserved, reserved.isPending else { return }
        let load = try DirectLoad(
            reserved, table, comparesKeys: comparesKeys, in: store, filterBytes: memory.filter,
            sortBytes: memory.sorting, on: connection)
        self.load = load
        keepsKeys = false
        try load.attach(to: writer(on: connection))
    }

    /// Whether a load is reserved.
    final var hasReservedLoad: Bool { reserved?.isPending ?? false }
    /// The number of pages that the load has written.
    final var loadedPages: Int { load?.pageCount ?? 0 }

    /// Ends the load, whose rows are or will be in the table.
    final func endLoad() {
        (load, reserved, bulkWriter) = (nil, nil, nil)
        // A sync marks the rows of the records that were held back.
        keepsKeys = keepsSeenKeys
    }

    /// The writer of rows, which is made when it is needed first.
    final func writer(on connection: Connection) throws -> BulkWriter {
        let writer = try bulkWriter ?? BulkWriter(table, mode: mode, on: connection)
        bulkWriter = writer
        writer.keepsKeys = keepsKeys
        if writer.keepsSeenKeys != keepsSeenKeys { writer.keepsSeenKeys = keepsSeenKeys }
        return writer
    }

    /// The rejects of refused rows, whose batches are those of the shares.
    final func rejects(
        of refused: [BulkOutcome.Refusal], _ shares: [RouteShare], _ finder: RecordFinder
    ) -> [(share: Int, reject: Reject)] {
        refused.map { ($0.batch, finder.reject($0, ofChunk: shares[$0.batch].chunk)) }
    }
}
