import TributaryConcurrency
package import TributarySQLite

/// Fills an empty table in a file of its own beside the database, and publishes all rows at once.
///
/// Without an index a key cannot be looked up, so a filter remembers the keys seen. A record whose key is certainly new
/// is added at once. A record whose key may have been seen is held back with all later records of this key; they are
/// applied in feed order once the rows are in the table.
///
/// When the filter is full, a load that `comparesKeys` adds any complete record, and keys are compared when the index is
/// written. The filter then has the keys of the records that were held back.
package final class DirectLoad {
    /// The keys seen.
    package let filter: KeyFilter
    /// Whether rows with the key of an earlier row can be held back at the end.
    private let comparesKeys: Bool
    /// Whether the filter has the keys of the records that were held back.
    private var isFull = false
    /// The keys of the rows that have the key of an earlier row, once the indexes are written.
    var repeatedRows = KeyBitmap()
    /// The row of the load in the metadata.
    package private(set) var row: LoadRow
    /// The file of the load.
    package let path: String
    /// The pages of the table; nil if the file is complete.
    private(set) var pages: TableLoad?

    /// Reserves the file of a load into an empty table, in a transaction; nil if SQLite must write the table.
    package static func reserve(_ table: BulkTable, run: Int, in store: SQLiteStore, on connection: Connection) throws
        -> LoadRow?
    {
        try reserve(table.name, run: run, in: store, on: connection) {
            try !table.hasOtherConstraints && isPossible(layout(of: table, on: connection), on: connection)
        }
    }

    /// The most loads at a time: SQLite attaches at most ten files.
    package static let most = 9

    /// Reserves the file of a load that `isPossible`; finds the one that the run has begun.
    static func reserve(
        _ table: String, run: Int, in store: SQLiteStore, on connection: Connection, if isPossible: () throws -> Bool
    ) throws -> LoadRow? {
        let rows = try LoadRow.all(on: connection)
        if let known = rows.first(where: { $0.table == table }) {
            guard known.run == run else { throw StoreError.isLoading(store.name, known) }
            return known
        }
        guard case .sqlite = store.location, rows.count < most, try isPossible() else { return nil }
        let taken = Set(rows.map(\.number))
        let row = LoadRow(table: table, run: run, number: (0...).first { !taken.contains($0) } ?? 0)
        let path = row.file(besides: store.name)
        guard !StoreFiles.exists(path) else {
            throw StoreError(
                .foreign, path, "this file does not belong to the database, but has the name of its load file",
                hint: "move it away, or import with firstLoad set to .inGroups")
        }
        try PossibleDuplicatesTable.create(on: connection)
        try row.write(on: connection)
        return row
    }

    /// Whether a table of this layout can be loaded now.
    static func isPossible(_ layout: LoadLayout?, on connection: Connection) throws -> Bool {
        // Only databases with one encoding can be attached to each other.
        guard let layout, try connection.value(of: "PRAGMA encoding") == .text("UTF-8") else { return false }
        return try !connection.hasRows("SELECT 1 FROM \(identifier: layout.table) LIMIT 1")
    }

    /// The layout of a table; the cells of a row are the name of its entity, then its columns and their `orders`.
    static func layout(of table: BulkTable, orders: [String] = [], on connection: Connection) throws -> LoadLayout? {
        try LoadLayout(table.name, columns: ["_entity"] + table.columns.map(\.name) + orders, on: connection)
    }

    /// Begins a reserved load, or resumes it after its checkpoint.
    package convenience init(
        _ row: LoadRow, _ table: BulkTable, comparesKeys: Bool, in store: SQLiteStore, filterBytes: Int, sortBytes: Int,
        on connection: Connection
    ) throws {
        let key = Array(table.key.indices)
        let filter = KeyFilter(byteCount: key.isEmpty || row.state != .loading ? 0 : filterBytes)
        let batch = RowBatch(width: key.count)
        let scratch = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: key.count)
        defer { scratch.deallocate() }
        let layout = try DirectLoad.layout(of: table, on: connection)
        try self.init(
            row, layout, comparesKeys: comparesKeys, in: store, filter: filter, sortBytes: sortBytes, on: connection
        ) { _, cells in
            guard !key.isEmpty else { return }
            batch.begin(ordinal: 0)
            for column in table.key { batch.add(cells[column + 1]) }
            batch.finish(key: key, scratch: scratch)
            _ = filter.insert(batch.entries[0].hash)
            batch.removeLast()
        }
        guard row.state == .loading, row.checkpoint != nil else { return }
        // An earlier process may have had less memory: its rows may repeat keys.
        let mayRepeat = try PossibleDuplicatesTable.has(.absentValues, of: row, on: connection)
        if mayRepeat || filter.isFull(with: pages?.rowCount ?? 0) { try compareKeys(of: table, on: connection) }
        // A false positive of the filter is held back although no row has its key.
        if !isFull { try insertHeldBackKeys(on: connection) }
    }

    private func insertHeldBackKeys(on connection: Connection) throws {
        try PossibleDuplicatesTable.forEachHash(of: row.table, run: row.run, on: connection) { _ = filter.insert($0) }
    }

    /// Lets the index compare keys from now on, if the load can.
    private func compareKeys(of table: BulkTable, on connection: Connection) throws {
        guard comparesKeys, !isFull, !table.key.isEmpty else { return }
        isFull = true
        // The first cell of a row is the name of its entity.
        pages?.acceptRepeatedRows(key: table.key.map { $0 + 1 })
        filter.removeAll()
        try insertHeldBackKeys(on: connection)
    }

    /// Begins a reserved load of a table, or resumes it after its checkpoint: `body` gets the key and the cells of each row.
    init(
        _ row: LoadRow, _ layout: LoadLayout?, comparesKeys: Bool = false, in store: SQLiteStore, filter: KeyFilter,
        sortBytes: Int, on connection: Connection, resuming body: (Int64, UnsafeBufferPointer<SQLCell>) throws -> Void
    ) throws {
        self.row = row
        self.filter = filter
        self.comparesKeys = comparesKeys
        path = row.file(besides: store.name)
        if row.state == .complete || row.checkpoint != nil, !StoreFiles.exists(path) {
            throw StoreError(
                .missing, path, "the file with the rows that run \(row.run) has loaded into \(row.table) is gone",
                hint: "restore it, or begin again with resuming set to .restart")
        }
        guard row.state == .loading else { return }
        guard let layout else {
            throw StoreError(
                .inUse, store.name, "\(row.table) now has a trigger or an index that direct loading does not support",
                hint: "remove it, or begin again with resuming set to .restart")
        }
        guard let checkpoint = row.checkpoint else {
            StoreFiles.remove(path)
            pages = try TableLoad(layout, creating: path, like: connection, sortBytes: sortBytes)
            StoreFiles.syncFolder(of: path)
            return
        }
        pages = try TableLoad(layout, resuming: path, after: checkpoint, sortBytes: sortBytes, body)
    }

    /// Finds a load whose file is complete.
    package convenience init(complete row: LoadRow, in store: SQLiteStore, on connection: Connection) throws {
        try self.init(
            row, nil, in: store, filter: KeyFilter(byteCount: 0), sortBytes: 0, on: connection
        ) { _, _ in }
    }

    /// The number of pages at the last checkpoint.
    package var pageCount: Int { Int(row.checkpoint?.pageCount ?? 0) }

    // MARK: Rows

    /// Lets a writer insert its rows into the file.
    package func attach(to writer: BulkWriter) { writer.pages = pages }

    /// Continues after columns were added to the table.
    package func grow(to table: BulkTable, on connection: Connection) throws {
        guard let layout = try DirectLoad.layout(of: table, on: connection) else { return }
        pages?.grow(to: layout)
    }

    /// Adds the rows of a batch whose keys are new, and holds the others back, which are not in the outcome.
    ///
    /// `firstKey` is the primary key of the record of ordinal 0; `origin` makes the text to store with a row that is held
    /// back.
    package func add(
        _ batch: RowBatch, firstKey: Int64, through writer: BulkWriter, origin: (Int) -> String
    ) throws -> BulkOutcome {
        guard !writer.table.key.isEmpty else { return try writer.apply([batch], firstKeys: [firstKey]) }
        writer.begin([batch], firstKeys: [firstKey])
        var indexes: [Int] = []
        indexes.reserveCapacity(batch.count)
        let entries = batch.entries
        if filter.isFull(with: pages?.rowCount ?? 0) { try compareKeys(of: writer.table, on: writer.connection) }
        for (index, entry) in entries.enumerated() {
            filter.prefetch(entries[min(index + KeyFilter.distance, entries.count - 1)].hash)
            let waits: Bool
            if isFull {
                // Records of a key that has been held back follow it.
                waits = entry.isIncomplete || filter.contains(entry.hash)
                if waits { _ = filter.insert(entry.hash) }
            } else {
                // A refused row leaves no key in the filter: after a resume the filter is filled from stored rows only.
                let isRefused = entry.isIncomplete && !filter.contains(entry.hash)
                waits = !isRefused && filter.insert(entry.hash)
            }
            if waits {
                try PossibleDuplicatesTable.insert(
                    batch.packed(index), hash: entry.hash, isIncomplete: entry.isIncomplete,
                    primaryKey: firstKey + Int64(entry.ordinal), origin: origin(index), table: row.table,
                    run: row.run, on: writer.connection)
                continue
            }
            indexes.append(index)
        }
        if isFull {
            try AbsentValues(of: batch).bytes.withUnsafeBytes {
                try PossibleDuplicatesTable.insert(
                    .absentValues, $0, number: firstKey, table: row.table, run: row.run, on: writer.connection)
            }
        }
        try writer.append(indexes, of: 0)
        return writer.end()
    }

    // MARK: Other writers

    private var trigger: String { "load \(row.table)" }

    /// Refuses rows that others insert into the table through the writing connection: the load could not be published.
    package func refuseOtherRows(on connection: Connection) throws {
        try connection.execute(
            """
            CREATE TEMP TRIGGER IF NOT EXISTS \(identifier: trigger) BEFORE INSERT ON main.\(identifier: row.table) BEGIN
            SELECT RAISE(ABORT, 'an import is loading this table: save after it, or import with firstLoad .inGroups'); END
            """)
    }

    /// Accepts rows of others again.
    package func acceptOtherRows(on connection: Connection) {
        try? connection.execute("DROP TRIGGER IF EXISTS temp.\(identifier: trigger)")
    }

    // MARK: Publishing

    /// Makes all rows so far durable, and records that in the transaction of their group.
    package func checkpoint(in store: SQLiteStore, on connection: Connection) throws {
        guard let pages else { return }
        row.checkpoint = try pages.checkpoint()
        try row.write(on: connection)
        // The indexes, and in an existing database the log and the copy in the table.
        let size = pages.byteCount
        try StoreFiles.checkSpace(for: store.isUnpublished ? size / 2 : size * 3, at: path)
    }

    /// Writes the indexes of some loads, which completes their files.
    package static func finish(_ loads: [DirectLoad]) throws {
        try TableLoad.finish(loads.compactMap(\.pages), threads: Processors.count)
        for load in loads {
            load.repeatedRows = load.pages?.repeatedRows ?? KeyBitmap()
            load.pages = nil
        }
    }

    /// Records that the file is complete, or that its rows are in the table, so that `remove` may delete it.
    func mark(_ state: LoadRow.State, on connection: Connection) throws {
        row.state = state
        try row.write(on: connection)
    }
}
