package import TributarySQLite

/// Fills an empty join table: its pairs are sorted, and written at the end.
package final class JoinLoad {
    package let load: DirectLoad
    private let cells: UnsafeMutableBufferPointer<SQLCell>

    private static func layout(of storage: PairStorage, on connection: Connection) throws -> LoadLayout? {
        let order = [storage.targetOrder ?? storage.sourceOrder].compactMap(\.self)
        return try LoadLayout(
            storage.table, columns: [storage.source, storage.target] + order, isJoin: true, on: connection)
    }

    /// Reserves the load of an empty table; nil if SQLite must write it.
    package static func reserve(
        _ storage: PairStorage, run: Int, in store: SQLiteStore, on connection: Connection
    ) throws -> LoadRow? {
        try DirectLoad.reserve(storage.table, run: run, in: store, on: connection) {
            try DirectLoad.isPossible(layout(of: storage, on: connection), on: connection)
        }
    }

    /// Begins a reserved load, or resumes it after its checkpoint.
    package init(
        _ reserved: LoadRow, _ storage: PairStorage, in store: SQLiteStore, sortBytes: Int, on connection: Connection
    ) throws {
        load = try DirectLoad(
            reserved, JoinLoad.layout(of: storage, on: connection), in: store, filter: KeyFilter(byteCount: 0),
            sortBytes: sortBytes, on: connection
        ) { _, _ in }
        cells = .allocate(capacity: 3)
    }

    deinit { cells.deallocate() }

    /// Adds a pair that no other call adds, with the position of one of its objects among those of the other.
    package func add(_ source: Int64, _ target: Int64, position: Int64) throws {
        guard let pages = load.pages else { return }
        (cells[0], cells[1], cells[2]) = (SQLCell(source), SQLCell(target), SQLCell(position))
        try pages.add(Int64(pages.rowCount + 1), UnsafeBufferPointer(cells))
    }
}
