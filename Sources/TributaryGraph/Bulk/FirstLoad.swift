package import TributarySQLite

/// Filling a table that was empty: its indexes are made when all rows are there, which costs the same for each row however
/// many they are.
///
/// Without an index nobody finds a key again, so a filter remembers the keys seen. A record whose key is certainly new is
/// appended at once; one whose key may have been seen is set aside, and all later ones of that key with it, so each key
/// still meets its records in the order of the feed once the indexes are there.
package final class FirstLoad {
    /// How many records wait to be applied when the indexes are there.
    package private(set) var asideCount: Int
    /// How many rows were appended.
    package private(set) var rowCount: Int
    private let writer: BulkWriter
    /// The keys seen.
    package let filter: KeyFilter
    private let connection: Connection
    private let run: Int

    private init(_ writer: BulkWriter, _ connection: Connection, run: Int, filterBytes: Int) {
        self.writer = writer
        self.connection = connection
        self.run = run
        filter = KeyFilter(byteCount: filterBytes)
        asideCount = 0
        rowCount = 0
    }

    /// Begins, if the table is empty and its key is the only thing that must be unique; takes the indexes away.
    ///
    /// Goes on, if the same run has done that before; the first load of another one is ended.
    ///
    /// - Throws: `SQLiteError`.
    package static func begin(_ writer: BulkWriter, run: Int, on connection: Connection, filterBytes: Int) throws
        -> FirstLoad?
    {
        let table = writer.table
        try endOther(of: table.name, run: run, on: connection)
        guard isPossible(table) else { return nil }
        let load = FirstLoad(writer, connection, run: run, filterBytes: filterBytes)
        if try DeferredIndexes.run(of: table.name, on: connection) != nil {
            try load.fillFilter()
            try PossibleDuplicatesTable.create(on: connection)
            return load
        }
        guard try !connection.hasRows("SELECT 1 FROM \(identifier: table.name) LIMIT 1") else { return nil }
        try DeferredIndexes.take(of: table.name, for: run, on: connection)
        try PossibleDuplicatesTable.create(on: connection)
        return load
    }

    private static func isPossible(_ table: BulkTable) -> Bool {
        !table.key.isEmpty && !table.hasOtherConstraints && table.kinds == nil
    }

    /// Whether the table has its indexes, and none would be taken away now.
    ///
    /// - Throws: `SQLiteError`.
    package static func isOver(_ table: BulkTable, on connection: Connection) throws -> Bool {
        guard try DeferredIndexes.run(of: table.name, on: connection) == nil else { return false }
        return try !isPossible(table) || connection.hasRows("SELECT 1 FROM \(identifier: table.name) LIMIT 1")
    }

    /// Makes the indexes that the first load of another run has left out; it goes on without one.
    package static func endOther(of table: String, run: Int, on connection: Connection) throws {
        guard let other = try DeferredIndexes.run(of: table, on: connection), other != run else { return }
        try DeferredIndexes.make(of: table, on: connection)
    }

    /// Notes the keys of all rows that are there or wait.
    private func fillFilter() throws {
        let table = writer.table
        let columns = table.key.map { SQLFragment(trusted: SQLIdentifier(table.columns[$0].name).quoted) }
        let key = Array(table.key.indices)
        let batch = RowBatch(width: key.count)
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: key.count)
        defer { cells.deallocate() }
        try connection.forEachRow(of: "SELECT \(columns) FROM \(identifier: table.name)") { row in
            batch.begin(ordinal: 0)
            for column in key { batch.add(row.value(at: column)) }
            batch.finish(key: key, scratch: cells)
            _ = filter.insert(batch.entries[0].hash)
            batch.takeBack()
            rowCount += 1
        }
        // What waits needs no note: its key is among the rows, or it was taken for one that is and is noted now.
        try PossibleDuplicatesTable.forEachHash(of: table.name, run: run, on: connection) { hash in
            _ = filter.insert(hash)
            asideCount += 1
        }
    }

    /// Takes a batch: appends the rows whose keys are new, and sets the others aside.
    ///
    /// - Parameters:
    ///   - batch: The rows.
    ///   - firstKey: The number that the record of ordinal 0 gets.
    ///   - origin: What is wanted back with a record that is set aside.
    /// - Returns: What has become of those that were appended.
    /// - Throws: `SQLiteError`.
    package func take(
        _ batch: RowBatch, firstKey: Int64, origin: (Int) -> String
    ) throws -> BulkOutcome {
        writer.begin([batch], firstKeys: [firstKey])
        var places: [BulkWriter.Place] = []
        places.reserveCapacity(batch.count)
        let entries = batch.entries
        for (row, entry) in entries.enumerated() {
            filter.expect(entries[min(row + KeyFilter.distance, entries.count - 1)].hash)
            // What is refused leaves no key behind: whether a record waits must not depend on what went before it in
            // memory, but only on rows.
            let isRefused = entry.isIncomplete && !filter.contains(entry.hash)
            if !isRefused, filter.insert(entry.hash) {
                try PossibleDuplicatesTable.add(
                    batch.packed(row), entry, number: firstKey + Int64(entry.ordinal), origin: origin(row),
                    table: writer.table.name, run: run, on: connection)
                asideCount += 1
                continue
            }
            places.append(BulkWriter.Place(prefix: 0, batch: 0, row: UInt32(truncatingIfNeeded: row)))
            if !isRefused { rowCount += 1 }
        }
        try writer.append(places)
        return writer.end()
    }

    /// Notes a key; true if it may have been seen before, and its record waits.
    package func mustWait(_ hash: UInt64) -> Bool { filter.insert(hash) }

    /// Notes that records wait, or were made objects.
    package func note(aside: Int, rows: Int) {
        asideCount += aside
        rowCount += rows
    }

    /// Whether so much is set aside that the indexes should be made now.
    package var shouldEnd: Bool { asideCount > 50_000 && asideCount > rowCount / 10 }
}
