package import TributarySQLite

/// The row of an unfinished load in the metadata of its database.
///
/// It exists before the file of the load does, and is deleted after it, so a file without a row belongs to another
/// program.
package struct LoadRow: Sendable, Hashable {
    /// How far a load is.
    package enum State: Int {
        /// Rows are added after the checkpoint.
        case loading
        /// The file is a complete database, which SQLite may open.
        case complete
        /// Its rows are in the table.
        case published
    }

    private static let prefix = "load "

    /// The table that is loaded.
    package let table: String
    /// The run that loads it.
    package let run: Int
    /// Tells the files of several loads apart; 0 for the first one.
    let number: Int
    var state = State.loading
    /// What is durable; nil if nothing is.
    var checkpoint: TableLoad.Checkpoint?

    /// Whether its rows are not in the table yet.
    package var isPending: Bool { state != .published }

    /// Whether its file is complete, and its rows are not in the table yet.
    package var isComplete: Bool { state == .complete }

    /// The file of the load into the database at `path`.
    func file(besides path: String) -> String { path + "-load" + (number == 0 ? "" : "-\(number)") }

    private var key: String { LoadRow.prefix + table }

    private var text: String {
        let checkpoint = checkpoint ?? .init(emptyPageCount: 0, pageCount: 0, rowCount: 0)
        return [
            run, number, state.rawValue, Int(checkpoint.emptyPageCount), Int(checkpoint.pageCount), checkpoint.rowCount,
        ].map(String.init).joined(separator: " ")
    }

    init(table: String, run: Int, number: Int) { (self.table, self.run, self.number) = (table, run, number) }

    private init?(table: String, _ text: String) {
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 6, let state = State(rawValue: numbers[2]), let empty = UInt32(exactly: numbers[3]),
            let pages = UInt32(exactly: numbers[4])
        else { return nil }
        (self.table, run, number, self.state) = (table, numbers[0], numbers[1], state)
        if pages > 0 { checkpoint = .init(emptyPageCount: empty, pageCount: pages, rowCount: numbers[5]) }
    }

    /// All loads of a database.
    package static func all(on connection: Connection) throws -> [LoadRow] {
        try MetadataTable.values(withPrefix: prefix, on: connection).compactMap { LoadRow(table: $0.key, $0.value) }
    }

    /// Throws if the rows of an unfinished load, of another run than `run`, would come into a table later.
    package static func checkNone(
        of table: String, besides run: Int? = nil, store: String? = nil, on connection: Connection
    ) throws {
        let rows = try all(on: connection)
        guard let row = rows.first(where: { $0.isPending && $0.table == table && $0.run != run }) else { return }
        throw StoreError.isLoading(store ?? connection.name, row)
    }

    /// Writes the row, in the transaction of what it describes.
    func write(on connection: Connection) throws { try MetadataTable.set(key, to: text, on: connection) }

    /// Deletes the row.
    func delete(on connection: Connection) throws { try MetadataTable.remove(key, on: connection) }
}

extension StoreError {
    /// The error of an attempt to write a table that an unfinished load of a run fills.
    static func isLoading(_ store: String, _ row: LoadRow) -> StoreError {
        StoreError(
            .inUse, store, "run \(row.run) has begun to load \(row.table), and its rows are not published yet",
            hint: "finish that import first, or forget its run")
    }
}
