package import TributarySQLite

/// Fills the empty table of objects that records have inside of them, and knows the objects that it has written.
///
/// All keys are in a filter. Objects that others lead to are known by the fingerprints of their keys and their values too,
/// as far as there is memory: then an equal object later in the feed is found without an index.
package final class ObjectLoad {
    /// What is known of the object of a row.
    package enum Finding {
        /// No earlier object has its key.
        case new
        /// An earlier object has its key, and this primary key.
        case known(Int64)
        /// An earlier object may have its key.
        case unsure
    }

    package let load: DirectLoad
    private let table: BulkTable
    private let defaults: ColumnDefaults
    private let known: KnownObjects?
    private let entityName: OwnedBytes
    /// The name of the entity, the columns, and the positions among the objects of owners.
    private let row: UnsafeMutableBufferPointer<SQLCell>
    private let cells: UnsafeMutableBufferPointer<SQLCell>
    private let seed = SQLCell.Seed()

    /// The columns of a table with positions among the objects of owners.
    private static func orders(of table: BulkTable) -> [String] { table.columns.compactMap(\.order) }

    /// Reserves the load of an empty table; nil if SQLite must write it.
    package static func reserve(
        _ table: BulkTable, run: Int, in store: SQLiteStore, on connection: Connection
    ) throws -> LoadRow? {
        try DirectLoad.reserve(table.name, run: run, in: store, on: connection) {
            guard !table.mayRefuse else { return false }
            return try DirectLoad.isPossible(
                DirectLoad.layout(of: table, orders: orders(of: table), on: connection), on: connection)
        }
    }

    /// Begins a reserved load, or resumes it after its checkpoint; `isReferred` says whether objects of others lead to its
    /// objects.
    package init(
        _ reserved: LoadRow, _ table: BulkTable, isReferred: Bool, in store: SQLiteStore,
        _ memory: (filter: Int, known: KnownObjects.Room, sorting: Int), on connection: Connection
    ) throws {
        let orders = ObjectLoad.orders(of: table)
        let filter = KeyFilter(byteCount: table.key.isEmpty ? 0 : memory.filter)
        let (known, seed) = (isReferred && !table.key.isEmpty ? KnownObjects(in: memory.known) : nil, seed)
        let columns = 0..<table.columns.count
        let found = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: columns.count)
        defer { found.deallocate() }
        load = try DirectLoad(
            reserved, DirectLoad.layout(of: table, orders: orders, on: connection), in: store, filter: filter,
            sortBytes: memory.sorting, on: connection
        ) { key, stored in
            guard !table.key.isEmpty else { return }
            for column in columns { found[column] = stored[column + 1] }
            _ = filter.insert(SQLCell.hash(of: table.key, in: found))
            known?.insert(
                KnownObjects.Entry(
                    check: SQLCell.fingerprint(of: found, at: table.key, seed: seed, asKeys: true),
                    content: SQLCell.fingerprint(of: found, at: columns, seed: seed, asKeys: false), key: key))
        }
        (self.table, self.known) = (table, known)
        defaults = ColumnDefaults(table)
        entityName = OwnedBytes(Array(table.entity.name.utf8))
        row = .allocate(capacity: 1 + table.columns.count + orders.count)
        row.initialize(repeating: .null)
        row[0] = SQLCell(text: entityName.bytes)
        cells = UnsafeMutableBufferPointer(rebasing: row[1...table.columns.count])
    }

    deinit { row.deallocate() }

    /// Finds the object of a row by its key, which counts as seen then.
    package func find(_ index: Int, of batch: RowBatch) -> Finding {
        let entry = batch.entries[index]
        guard !entry.isIncomplete else { return .unsure }
        guard let last = table.key.max() else { return .new }
        batch.read(index, upTo: last, into: cells)
        guard table.key.allSatisfy({ cells[$0].kind != .null && cells[$0].kind != .absent }) else { return .unsure }
        if let known {
            let check = SQLCell.fingerprint(of: cells, at: table.key, seed: seed, asKeys: true)
            if let found = known.entry(of: check) { return .known(found.key) }
        }
        guard entry.kind != .reference else { return .unsure }
        return load.filter.insert(entry.hash) ? .unsure : .new
    }

    /// Whether no object so far has the key of a row.
    package func isMissing(_ index: Int, of batch: RowBatch) -> Bool {
        !load.filter.contains(batch.entries[index].hash)
    }

    /// The mandatory column for which the row of a new object has no value; nil if there is none, or the object may be there.
    package func missingColumn(_ index: Int, of batch: RowBatch) -> String? {
        guard batch.entries[index].isIncomplete, table.key.isEmpty || isMissing(index, of: batch) else { return nil }
        batch.read(index, into: cells)
        defaults.complete(cells)
        return defaults.missingColumn(in: cells)
    }

    /// The key of a row.
    package func key(_ index: Int, of batch: RowBatch) -> [SQLValue] {
        batch.read(index, into: cells)
        return table.key.map { cells[$0].value }
    }

    /// Whether a row has the values of the known object with its key.
    package func isEqual(_ index: Int, of batch: RowBatch) -> Bool {
        batch.read(index, into: cells)
        let check = SQLCell.fingerprint(of: cells, at: table.key, seed: seed, asKeys: true)
        let content = SQLCell.fingerprint(of: cells, at: cells.indices, seed: seed, asKeys: false)
        return known?.entry(of: check)?.content == content
    }

    /// Adds a new object with a greater primary key than all earlier ones; `position` is that of a column with an order.
    package func add(
        _ key: Int64, _ index: Int, of batch: RowBatch, position: (_ column: Int) -> Int64?
    ) throws {
        batch.read(index, into: cells)
        defaults.complete(cells)
        if let known {
            known.insert(
                KnownObjects.Entry(
                    check: SQLCell.fingerprint(of: cells, at: table.key, seed: seed, asKeys: true),
                    content: SQLCell.fingerprint(of: cells, at: cells.indices, seed: seed, asKeys: false), key: key))
        }
        var place = 1 + table.columns.count
        while place < row.count {
            for column in table.columns.indices where table.columns[column].order != nil {
                row[place] = position(column).map { SQLCell($0) } ?? .null
                place += 1
            }
        }
        try load.pages?.add(key, UnsafeBufferPointer(row))
    }
}
