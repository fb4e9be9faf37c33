import Foundation
import TributarySQLite

/// A database that gets its name when its first import has finished.
///
/// Until then it is a file beside the name, which all programs of this library open in its place.
extension SQLiteStore {
    /// The unpublished file to open for a name; nil if the database has its name, or is to be created with it.
    ///
    /// - Throws: `StoreError` if there are two databases.
    static func unpublishedFile(toOpen path: String, _ options: StoreOptions) throws -> String? {
        let file = StoreFiles.unpublished(of: path)
        guard StoreFiles.exists(path) else {
            if StoreFiles.exists(file) { return file }
            return options.creation == .afterFirstImport && !options.isReadOnly ? file : nil
        }
        guard StoreFiles.exists(file) else { return nil }
        if areSame(path, file) {
            // A crash came between the two steps of publishing. If it stayed, it would be opened once the name is removed.
            if !options.isReadOnly { unlink(file) }
            return nil
        }
        if options.creation == .afterFirstImport { throw taken(path, file) }
        return nil
    }

    private static func areSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return lstat(one, &first) == 0 && lstat(other, &second) == 0 && first.st_dev == second.st_dev
            && first.st_ino == second.st_ino
    }

    private static func taken(_ path: String, _ file: String) -> StoreError {
        StoreError(
            .inUse, path, "another program has created it while \(file) was imported, which holds that import",
            hint: "move one of the two files away, then import again")
    }

    /// Makes the complete file of a load the file of this unpublished store, with all of the store's other tables.
    ///
    /// - Throws: `SQLiteError`; the store is as before then.
    package func adopt(_ load: DirectLoad) throws {
        try reopening { writer, file in
            guard let connection = writer.connection else { return file }
            try LoadTransfer.checkEmpty(load, in: self, on: connection)
            try LoadTransfer.adoptColumns(load, on: connection)
            try SQLiteStore.copyTables(from: file, to: load)
            try SQLiteStore.endLog(of: connection)
            writer.connection = nil
            // SQLite would apply a log or journal of the old file, which it could not delete, to the new one.
            try StoreFiles.removeLogs(of: file)
            guard rename(load.path, file) == 0 else {
                throw StoreError(
                    .inUse, file, "it cannot be replaced: \(String(cString: strerror(errno)))",
                    hint: "check the permissions of its folder, then import again")
            }
            StoreFiles.syncFolder(of: file)
            return file
        }
    }

    /// Gives an unpublished store its name, unless runs are in progress.
    package func publish() throws {
        guard case .sqlite(let path) = location, isUnpublished, activeRuns.isEmpty else { return }
        try reopening { writer, file in
            guard let connection = writer.connection else { return file }
            for ending in ["", "-wal", "-journal"] where StoreFiles.exists(path + ending) {
                throw SQLiteStore.taken(path, file)
            }
            try SQLiteStore.endLog(of: connection)
            writer.connection = nil
            StoreFiles.sync(file)
            guard link(file, path) == 0 else {
                if errno == EEXIST { throw SQLiteStore.taken(path, file) }
                throw StoreError(
                    .inUse, path, "it cannot be created: \(String(cString: strerror(errno)))",
                    hint: "check its folder, then import again; nothing has to be read again")
            }
            StoreFiles.syncFolder(of: path)
            unlink(file)
            return nil
        }
    }

    /// Removes the file of an unpublished store that this store has created, if nothing was ever imported or saved.
    func removeIfUnused(_ connection: Connection) {
        guard isUnpublished, isCreatedUnpublished, case .sqlite(let path) = location,
            let runs = try? RunTable.all(on: connection), runs.isEmpty,
            let hasObjects = try? connection.hasRows("SELECT 1 FROM \(identifier: Schema.counters) LIMIT 1"),
            !hasObjects
        else { return }
        StoreFiles.remove(StoreFiles.unpublished(of: path))
    }

    /// Copies all other tables of a database into the complete file of a load, in one transaction.
    private static func copyTables(from file: String, to load: DirectLoad) throws {
        let side = try Connection(.file(load.path))
        try side.execute("PRAGMA synchronous = EXTRA")
        try side.execute("PRAGMA foreign_keys = OFF")
        try side.execute("ATTACH \(file) AS \"small\"")
        let condition: SQLFragment = "\"tbl_name\" <> \(load.row.table) AND \"sql\" NOT NULL"
        try side.transaction {
            // A crash after an earlier copy may have left tables, whose rows are old by now.
            let earlier: SQLFragment =
                "SELECT \"name\" FROM main.sqlite_master WHERE \"type\" = 'table' AND \(condition)"
            for name in try side.texts(of: earlier) where !name.hasPrefix("sqlite_") {
                try side.execute("DROP TABLE main.\(identifier: name)")
            }
            var sequences = false
            let objects = try side.rows(
                of:
                    "SELECT \"type\", \"name\", \"sql\" FROM \"small\".sqlite_master WHERE \(condition) ORDER BY \"type\" = 'table' DESC"
            ) { (type: $0.text(at: 0), name: $0.text(at: 1), sql: $0.text(at: 2)) }
            for object in objects {
                if object.name == "sqlite_sequence" {
                    // SQLite makes it with the first table that needs it.
                    sequences = true
                    continue
                }
                // The text is the SQL that SQLite stored for what this library made.
                try side.execute(SQLFragment(trusted: object.sql))
                guard object.type == "table" else { continue }
                try side.execute(
                    "INSERT INTO main.\(identifier: object.name) SELECT * FROM \"small\".\(identifier: object.name)")
            }
            if sequences {
                try side.execute("DELETE FROM main.sqlite_sequence")
                try side.execute("INSERT INTO main.sqlite_sequence SELECT * FROM \"small\".sqlite_sequence")
            }
            try load.row.delete(on: side)
            for name in ["application_id", "user_version"] {
                guard let value = try side.integer(of: SQLFragment(trusted: "PRAGMA small.\(name)"))
                else { continue }
                try side.execute(SQLFragment(trusted: "PRAGMA main.\(name) = \(value)"))
            }
        }
        side.clearStatements()
        try side.execute("DETACH \"small\"")
    }

    /// Writes the log into the database and removes it, which requires that no connection is reading.
    private static func endLog(of connection: Connection) throws {
        connection.clearStatements()
        var attempts = 0
        while true {
            do {
                guard try connection.value(of: "PRAGMA journal_mode = DELETE") != .text("delete") else { return }
            } catch let error as SQLiteError where error.code.primary == .busy {}
            attempts += 1
            guard attempts < 1000 else {
                throw StoreError(
                    .inUse, connection.name, "another program keeps reading it, so it cannot be published",
                    hint: "end that program, then import again; nothing has to be read again")
            }
            usleep(10_000)
        }
    }
}
