import Tributary
import TributaryGraph
import TributaryStore
import TributaryJSON
import TributaryPostgres

/// Databases created by imports.
enum StoredDatabase {
    /// Opens a database with the model of a file, or with its stored model.
    ///
    /// - Throws: `CommandError` if there is none, `ModelError`, `StoreError`.
    static func open(_ path: String, model: String? = nil) throws -> ContextManager {
        guard let stored = try StoredModel.read(at: path) else { throw missing(path) }
        let model = try model.map { try Model(ModelFile.read($0)) } ?? Model(stored)
        return try open(path, model)
    }

    /// Opens a database with the model of a file, and creates it if it does not exist.
    ///
    /// - Throws: `ModelError`, `StoreError`.
    static func create(_ path: String, model: String) throws -> ContextManager {
        try open(path, Model(ModelFile.read(model)))
    }

    private static func open(_ path: String, _ model: Model) throws -> ContextManager {
        var options = StoreOptions()
        // A command changes tables only where it says so.
        options.migration.isAutomatic = false
        return try ContextManager(model: model, store: .sqlite(path), options: options)
    }

    /// Closes a database, so that it is one file again.
    ///
    /// Commands run on the main thread.
    static func close(_ manager: ContextManager) {
        MainActor.assumeIsolated { manager.close() }
        for store in manager.stores.stores { store.closeWithoutLog() }
    }

    /// The error for a database without imports.
    static func missing(_ path: String) -> CommandError {
        CommandError("\(Excerpt.escape(path)): the database does not exist, or nothing was imported into it")
    }
}

/// The imports into the file of a database, which is not opened for writing.
private struct StoredImports: ImportDatabase {
    let path: String
    var files: [(name: String, path: String)] { FilePath.database(path) }

    func reading<Result>(_ body: (any ImportStore) throws -> Result) throws -> Result {
        guard let result = try StoreInspection.read(path, { try body($0) }) else { throw StoredDatabase.missing(path) }
        return result
    }
}

extension DatabaseName {
    /// The imports into the database.
    var imports: any ImportDatabase { address.map { PostgresImports(in: $0) } ?? StoredImports(path: text) }
}

/// The reason why a command failed.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
