package import TributaryStore

/// The imports into a database: the runs of its journal, and what they have rejected.
///
///     for entry in try manager.imports.entries() where entry.state.isUnfinished { print(entry.run) }
public struct Imports: Sendable {
    package let database: any ImportDatabase

    /// The imports into a database.
    package init(_ database: any ImportDatabase) { self.database = database }

    /// The imports into a store, which is one of `stores`.
    package init(_ store: SQLiteStore, of stores: any StoreSet) {
        database = StoreImports(store: store, stores: stores)
    }

    /// All runs, the oldest first; an unfinished one has the counts of all that was committed.
    ///
    /// - Throws: `ImportError` if a row is not valid, errors of reading the database.
    public func entries() throws -> [JournalEntry] { try database.reading { try $0.runs() } }

    /// All runs, the oldest first, with their rejects and processes.
    ///
    /// - Throws: `ImportError` if a row is not valid, errors of reading the database.
    public func runs() throws -> [RunStatus] { try database.reading { try $0.status() } }

    /// The rejected records, except those that were imported since.
    public var rejects: Rejects { Rejects(database: database) }

    /// The number of references to objects that are not there yet, by relationship, as `Book.author`.
    ///
    /// An import that brings the objects resolves them.
    ///
    /// - Throws: Errors of reading the database.
    public func waitingReferences() throws -> [String: Int] { try database.reading { try $0.waitingReferences() } }

    /// Deletes a run from the journal, with its rejects and records that are not published yet; the objects stay.
    ///
    /// After that the same import starts from the beginning. In PostgreSQL a table that the run was loading gets its
    /// index first.
    ///
    /// - Returns: Whether the journal had the run.
    /// - Throws: `ImportError` if the run is in progress, errors of writing the database.
    @discardableResult
    public func forget(run: Int) throws -> Bool { try database.forget(run: run) }

    /// Deletes all runs that imported into one entity, or one table of another program, alone, and the unfinished work for
    /// that entity.
    ///
    /// If its table in a store was dropped or renamed, the entity can be imported again: with a model the table is
    /// created again; with inferred columns the entity is deleted from the stored model, and the manager must be opened
    /// again.
    ///
    /// - Returns: The number of deleted runs.
    /// - Throws: `ImportError` if a store has no such entity or one of the runs is in progress, errors of writing the
    ///   database.
    @discardableResult
    public func forget(entity name: String) throws -> Int { try database.forget(entity: name) }

    /// Undoes an undoable run: deletes what it has made, and restores what it has changed or deleted.
    ///
    ///     let summary = try manager.imports.undo()
    ///     for row in summary.kept { print(row.table, row.key, row.reason) }
    ///
    /// Rows that were edited since, by any program, are left as they are and listed. Only the newest run of its tables
    /// can be undone; afterwards the same import starts from the beginning. Triggers of the tables run.
    ///
    /// - Parameters:
    ///   - run: The number of the run; nil for the latest undoable one.
    ///   - isDryRun: Whether nothing is changed, and only the summary returned.
    /// - Returns: What has changed.
    /// - Throws: `ImportError` if the run cannot be undone, as in PostgreSQL, errors of the database; then nothing is
    ///   changed.
    public func undo(run: Int? = nil, isDryRun: Bool = false) throws -> UndoSummary {
        try database.undo(run: run, isDryRun: isDryRun)
    }
}
