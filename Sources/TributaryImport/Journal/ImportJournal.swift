import TributaryStore
import TributarySQLite

/// The imports into the stores of a manager.
///
///     for entry in try manager.imports.entries() where entry.state.isUnfinished { print(entry.run) }
public struct ImportJournal: Sendable {
    let store: SQLiteStore
    let stores: any StoreSet
    var model: Model { stores.model }

    package init(_ store: SQLiteStore, of stores: any StoreSet) { (self.store, self.stores) = (store, stores) }

    /// All runs, the oldest first.
    ///
    /// - Throws: `ImportError` if a row is not valid, `StoreError` or `SQLiteError` if the store cannot be read.
    public func entries() throws -> [JournalEntry] { try store.read { try $0.runs() } }

    /// All runs, the oldest first, with their rejects.
    ///
    /// - Throws: `ImportError` if a row is not valid, `StoreError` or `SQLiteError` if the store cannot be read.
    public func runs() throws -> [RunStatus] { try store.read { try $0.status() } }

    /// The number of references to objects that are not there yet, by relationship, as `Book.author`.
    ///
    /// An import that brings the objects resolves them.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    public func waitingReferences() throws -> [String: Int] { try store.read { try $0.waitingReferences() } }

    /// Deletes a run from the journal, with its rejects and records that are not published yet; the objects stay.
    ///
    /// After that the same import starts from the beginning.
    ///
    /// - Returns: Whether the journal had the run.
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be written.
    @discardableResult
    public func forget(run: Int) throws -> Bool {
        try checkEnded([run])
        return try store.write { connection in
            try connection.transaction { try delete(run: run, on: connection) }
        }
    }

    private func checkEnded(_ runs: some Sequence<Int>) throws {
        guard let run = runs.first(where: store.activeRuns.contains) else { return }
        throw ImportError(.running, "run \(run) is in progress", remedy: .wait)
    }

    /// Deletes a run with what belongs to it, in a transaction.
    private func delete(run: Int, on connection: Connection) throws -> Bool {
        try LoadFiles.remove(besides: store.name, on: connection) { $0.run == run }
        try PossibleDuplicatesTable.deleteRows(run: run, on: connection)
        try connection.deleteRejects(run: run)
        try RunUndo.forget(run: run, on: connection)
        try MarkTable.forgetReplaced(by: run, on: connection)
        return try RunTable.delete(run, on: connection)
    }

    /// Deletes all runs that imported into one entity, or one table of another program, alone, and the unfinished work for
    /// that entity.
    ///
    /// If its table was dropped or renamed, the entity can be imported again: with a model the table is created again;
    /// with inferred columns the entity is deleted from the stored model, and the manager must be opened again.
    ///
    /// - Returns: The number of deleted runs.
    /// - Throws: `ImportError` if the entity is unknown, `StoreError` or `SQLiteError` if the store cannot be written.
    @discardableResult
    public func forget(entity name: String) throws -> Int {
        let entity = model[name]
        return try store.write { connection in
            try connection.transaction {
                let entries = try connection.runs().filter { $0.routes.allSatisfy { $0.entity == name } }
                if entity == nil, entries.isEmpty { throw ImportError.unknownEntity(name, in: model) }
                try checkEnded(entries.map(\.run))
                let other = try LoadRow.all(on: connection).first { load in
                    load.table == entity?.root.name && load.isPending && !entries.contains { $0.run == load.run }
                }
                if let other {
                    throw ImportError(
                        .misuse, "run \(other.run) loads \(name) together with other entities",
                        hint: "finish it, or forget that run")
                }
                for entry in entries { _ = try delete(run: entry.run, on: connection) }
                if let entity { try store.forgetImports(into: entity, on: connection) }
                return entries.count
            }
        }
    }
}
