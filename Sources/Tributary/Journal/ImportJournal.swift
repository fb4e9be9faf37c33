import TributaryGraph
import TributarySQLite

/// The imports into the stores of a manager.
///
///     for entry in try manager.imports.entries() where entry.state.isUnfinished { print(entry.run, entry.sourceNames) }
public struct ImportJournal: Sendable {
    private let store: SQLiteStore
    private let model: Model

    init(_ store: SQLiteStore, _ model: Model) { (self.store, self.model) = (store, model) }

    /// All runs, the first one first.
    ///
    /// - Throws: `ImportError` if a row cannot be read, what reading the store throws.
    public func entries() throws -> [JournalEntry] { try store.read { try Journal.entries(on: $0) } }

    /// Deletes a run from the journal, with its rejects and what it has left unfinished; the objects stay.
    ///
    /// The same import, begun again, starts from the beginning.
    ///
    /// - Returns: Whether there was such a run.
    /// - Throws: what writing the store throws.
    @discardableResult
    public func forget(run: Int) throws -> Bool {
        try store.write { connection in
            try connection.transaction {
                try PossibleDuplicatesTable.forget(run: run, on: connection)
                try RejectTable.delete(run: run, on: connection)
                return try RunTable.delete(run, on: connection)
            }
        }
    }

    /// Deletes all runs that have filled nothing but an entity, and what they have left unfinished.
    ///
    /// If its table was dropped or renamed, the entity can be imported again: with a model the table is made again, where
    /// columns are inferred the entity is forgotten as well, and the manager is to be opened anew.
    ///
    /// - Returns: How many runs there were.
    /// - Throws: `ImportError` if there is no such entity, what writing the store throws.
    @discardableResult
    public func forget(entity name: String) throws -> Int {
        guard let entity = model[name] else {
            let known = model.entities.map(\.name).joined(separator: ", ")
            throw ImportError(.route, "the model has no entity \(name)", hint: "it has \(known)")
        }
        // A table that is gone must not be in the way of the first write.
        return try store.importing { connection in
            try connection.transaction {
                let entries = try Journal.entries(on: connection).filter { $0.routes.allSatisfy { $0.entity == name } }
                for entry in entries {
                    try RejectTable.delete(run: entry.run, on: connection)
                    try RunTable.delete(entry.run, on: connection)
                }
                try store.forgetImports(into: entity, on: connection)
                return entries.count
            }
        }
    }
}
