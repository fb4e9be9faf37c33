import TributaryStore
import TributarySQLite

/// The journal of a store of a manager.
struct StoreImports: ImportDatabase {
    let store: SQLiteStore
    let stores: any StoreSet
    var model: Model { stores.model }
    var name: String { store.name }
    var files: [(name: String, path: String)] { FilePath.database(name) }

    func reading<Result>(_ body: (any ImportStore) throws -> Result) throws -> Result {
        try store.read { try body($0) }
    }

    func forget(run: Int) throws -> Bool {
        try checkEnded([run])
        return try store.write { connection in
            try connection.transaction { try delete(run: run, on: connection) }
        }
    }

    /// Throws if one of the runs is in progress.
    func checkEnded(_ runs: some Sequence<Int>) throws {
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

    func forget(entity name: String) throws -> Int {
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
