/// A database with a journal of imports, which is opened or borrowed for each question.
package protocol ImportDatabase: Sendable {
    /// Its name in messages.
    var name: String { get }

    /// Files of the database, which no other file may replace.
    var files: [(name: String, path: String)] { get }

    /// Calls `body` with what the database keeps of imports, all of one moment if the database can.
    func reading<Result>(_ body: (any ImportStore) throws -> Result) throws -> Result

    /// Deletes a run; returns whether there was one.
    func forget(run: Int) throws -> Bool

    /// Deletes the runs into one entity alone; returns their number.
    func forget(entity name: String) throws -> Int

    /// Undoes a run, the latest undoable one if it is nil.
    func undo(run: Int?, isDryRun: Bool) throws -> UndoSummary
}

extension ImportDatabase {
    package func forget(run: Int) throws -> Bool { throw ImportError(.misuse, "\(name) is open for reading only") }

    package func forget(entity: String) throws -> Int { throw ImportError(.misuse, "\(name) is open for reading only") }

    package func undo(run: Int?, isDryRun: Bool) throws -> UndoSummary {
        throw ImportError(.undo, "\(name): only imports into a store of SQLite keep what they change")
    }
}
