package import TributarySQLite

/// Rows with the keys of earlier ones, which were added when there were more keys than the filter can tell apart.
///
/// The thread that writes the index of the key at the end finds them beside each other. They become records that are held
/// back: a record is got back from its row. That takes three transactions, each of which a killed process may repeat: the
/// keys of the rows are stored, then their records, and then the rows are removed from the file. The second must survive a
/// power failure, as the third does.
extension DirectLoad {
    /// Marks the file as complete, and stores which of its rows are repeated.
    package func complete(on connection: Connection) throws {
        for number in repeatedRows.blockNumbers {
            try (repeatedRows[block: number] ?? []).withUnsafeBytes {
                try PossibleDuplicatesTable.insert(
                    .repeatedRows, $0, number: number, table: row.table, run: row.run, on: connection)
            }
        }
        repeatedRows = KeyBitmap()
        try mark(.complete, on: connection)
    }

    /// Holds the records of the repeated rows back; returns the keys of the rows.
    package func holdBackRepeatedRows(of table: BulkTable, on connection: Connection) throws -> KeyBitmap {
        let repeated = try keys(.repeatedRows, on: connection)
        if !repeated.isEmpty {
            try LoadTransfer.adoptColumns(self, on: connection)
            try holdBack(repeated, of: table, on: connection)
            try PossibleDuplicatesTable.change(.repeatedRows, to: .removedRows, of: row, on: connection)
        }
        try PossibleDuplicatesTable.remove(.absentValues, of: row, on: connection)
        return repeated
    }

    private func keys(_ kind: PossibleDuplicatesTable.Kind, on connection: Connection) throws -> KeyBitmap {
        var keys = KeyBitmap()
        try PossibleDuplicatesTable.forEach(kind, of: row, on: connection) { keys.formUnion(block: $0, $1) }
        return keys
    }

    private func holdBack(_ repeated: KeyBitmap, of table: BulkTable, on connection: Connection) throws {
        let side = try openFile()
        let reader = RepeatedRowReader(table, on: side)
        // Before all records that are held back: a record whose key has been held back is no row.
        var turn = try PossibleDuplicatesTable.firstTurn(of: repeated.count, on: connection)
        var keys = repeated.blockNumbers.lazy.flatMap(repeated.keys(ofBlock:)).makeIterator()
        var next = keys.next()
        try PossibleDuplicatesTable.forEach(.absentValues, of: row, on: connection) { first, bytes in
            guard let absent = AbsentValues(bytes) else { throw damage(connection) }
            while let key = next, key < first + Int64(absent.count) {
                guard key >= first else { throw damage(connection) }
                next = keys.next()
                let (packed, hash) = try reader.record(key) { absent.contains(Int(key - first), column: $0) }
                try PossibleDuplicatesTable.insert(
                    .record, packed, hash: hash, number: key, table: row.table, run: row.run, turn: turn,
                    on: connection)
                turn += 1
            }
        }
        guard next == nil else { throw damage(connection) }
    }

    /// Opens the complete file, with a page cache of 2 MB.
    private func openFile() throws -> Connection {
        let side = try Connection(.file(path))
        try side.execute("PRAGMA cache_size = -2000")
        return side
    }

    private func damage(_ connection: Connection) -> StoreError {
        StoreError(
            .damaged, connection.name, "the values that records of run \(row.run) lack cannot be read",
            hint: "begin again with resuming set to .restart")
    }

    /// Removes the repeated rows from the complete file; `check` is called between transactions, and may throw.
    package func removeRepeatedRows(on connection: Connection, _ check: () throws -> Void) throws {
        let repeated = try keys(.removedRows, on: connection)
        guard !repeated.isEmpty else { return }
        let side = try openFile()
        try side.execute("PRAGMA synchronous = EXTRA")
        try side.execute("PRAGMA foreign_keys = OFF")
        for number in repeated.blockNumbers {
            try check()
            try side.transaction {
                for key in repeated.keys(ofBlock: number) {
                    try side.execute("DELETE FROM \(identifier: row.table) WHERE \"_pk\" = \(key)")
                }
            }
        }
        try PossibleDuplicatesTable.remove(.removedRows, of: row, on: connection)
    }
}
