package import TributarySQLite

/// Fills an empty table without indexes, and creates them at the end: the cost of a row does not grow with the table.
///
/// Without an index a key cannot be looked up, so a filter remembers the keys seen. A record whose key is certainly new
/// is appended at once. A record whose key may have been seen is held back with all later records of this key; they are
/// applied in feed order once the indexes exist.
package final class FirstLoad {
    /// The number of records that are held back until the indexes exist.
    package private(set) var possibleDuplicateCount: Int
    /// The number of appended rows.
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
        possibleDuplicateCount = 0
        rowCount = 0
    }

    /// Begins a first load if the table is empty and its key is its only constraint; drops the indexes.
    ///
    /// Resumes the first load of the same run; ends that of another run.
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
        try DeferredIndexes.remove(of: table.name, for: run, on: connection)
        try PossibleDuplicatesTable.create(on: connection)
        return load
    }

    private static func isPossible(_ table: BulkTable) -> Bool {
        !table.key.isEmpty && !table.hasOtherConstraints && table.kinds == nil
    }

    /// Whether the table has its indexes, and no first load could begin.
    ///
    /// - Throws: `SQLiteError`.
    package static func isOver(_ table: BulkTable, on connection: Connection) throws -> Bool {
        guard try DeferredIndexes.run(of: table.name, on: connection) == nil else { return false }
        return try !isPossible(table) || connection.hasRows("SELECT 1 FROM \(identifier: table.name) LIMIT 1")
    }

    /// Creates the indexes that the first load of another run has deferred, which ends it.
    package static func endOther(of table: String, run: Int, on connection: Connection) throws {
        guard let other = try DeferredIndexes.run(of: table, on: connection), other != run else { return }
        try DeferredIndexes.make(of: table, on: connection)
    }

    /// Inserts the keys of all stored and held-back records into the filter.
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
            batch.removeLast()
            rowCount += 1
        }
        // A false positive of the filter is held back although no row has its key.
        try PossibleDuplicatesTable.forEachHash(of: table.name, run: run, on: connection) { hash in
            _ = filter.insert(hash)
            possibleDuplicateCount += 1
        }
    }

    /// Appends the rows of a batch whose keys are new, and holds the others back.
    ///
    /// - Parameters:
    ///   - batch: The rows.
    ///   - firstKey: The primary key of the record of ordinal 0.
    ///   - origin: The text to store with the row of an index that is held back.
    /// - Returns: The outcome of the rows that were not held back.
    /// - Throws: `SQLiteError`.
    package func append(
        _ batch: RowBatch, firstKey: Int64, origin: (Int) -> String
    ) throws -> BulkOutcome {
        writer.begin([batch], firstKeys: [firstKey])
        var places: [BulkWriter.Place] = []
        places.reserveCapacity(batch.count)
        let entries = batch.entries
        for (row, entry) in entries.enumerated() {
            filter.prefetch(entries[min(row + KeyFilter.distance, entries.count - 1)].hash)
            // A refused row leaves no key in the filter: after a resume the filter is filled from stored rows only.
            let isRefused = entry.isIncomplete && !filter.contains(entry.hash)
            if !isRefused, filter.insert(entry.hash) {
                try PossibleDuplicatesTable.insert(
                    batch.packed(row), entry, primaryKey: firstKey + Int64(entry.ordinal), origin: origin(row),
                    table: writer.table.name, run: run, on: connection)
                possibleDuplicateCount += 1
                continue
            }
            places.append(BulkWriter.Place(prefix: 0, batch: 0, row: UInt32(truncatingIfNeeded: row)))
            if !isRefused { rowCount += 1 }
        }
        try writer.append(places)
        return writer.end()
    }

    /// Counts records that the caller has held back, and rows that it has inserted.
    package func count(duplicates: Int, rows: Int) {
        possibleDuplicateCount += duplicates
        rowCount += rows
    }

    /// Whether so many records are held back that the indexes should be created now.
    package var shouldEnd: Bool { possibleDuplicateCount > 50_000 && possibleDuplicateCount > rowCount / 10 }
}
