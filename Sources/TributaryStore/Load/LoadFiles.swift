package import TributarySQLite

/// The files of unfinished loads beside a database.
package enum LoadFiles {
    /// Removes the loads that `isUnwanted` selects, with their files.
    ///
    /// The files go first: after a crash in between, a row without a file is removed in the same way.
    package static func remove(
        besides path: String, on connection: Connection, where isUnwanted: (LoadRow) -> Bool
    ) throws {
        let rows = try LoadRow.all(on: connection).filter(isUnwanted)
        guard !rows.isEmpty else { return }
        for row in rows { StoreFiles.remove(row.file(besides: path)) }
        StoreFiles.syncFolder(of: path)
        for row in rows {
            // No table has got its rows.
            if row.isPending {
                try MarkTable.remove(run: row.run, entity: row.table, on: connection)
                try WaitingTable.forget(run: row.run, on: connection)
            }
            try row.delete(on: connection)
        }
    }
}
