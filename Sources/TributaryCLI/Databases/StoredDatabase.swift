import Foundation
import TributaryImport
import TributaryPlatform
import TributaryPostgres

/// Databases created by imports.
enum StoredDatabase {
    /// Opens a database with the model of a file, or with its stored model.
    static func open(_ path: String, model: String? = nil) throws -> RowDatabase {
        guard let stored = try StoredModel.read(at: path) else { throw missing(path) }
        return try open(path, model.map { try Model(ModelFile.read($0)) } ?? Model(stored))
    }

    /// Opens a database with a model, and creates it if it does not exist.
    static func open(_ path: String, _ model: Model) throws -> RowDatabase {
        var options = StoreOptions()
        // A command changes tables only where it says so.
        options.migration.isAutomatic = false
        return try RowDatabase(model, at: .sqlite(path), options: options)
    }

    /// The error for a database without imports.
    static func missing(_ path: String) -> CommandError {
        let hint = FileKind(path) == nil ? Suggestion.hint(forFile: path) : ""
        return CommandError(
            "\(Excerpt.escape(path)): the database does not exist, or nothing was imported into it" + hint)
    }

    /// The error for a database that is not there.
    static func absent(_ path: String) -> CommandError {
        CommandError("\(Excerpt.escape(path)): the database does not exist" + Suggestion.hint(forFile: path))
    }

    // MARK: Models

    /// Reads and checks the model at `path`: a model file, or a database with its stored model.
    static func model(at path: String) throws -> Model {
        var status = stat()
        let exists = stat(path, &status) == 0
        // An empty file and a missing one may have a database that is still being made.
        let isDatabase =
            exists && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0 || beginsAsDatabase(path)
        guard isDatabase || !exists else { return try Model(ModelFile.read(path)) }
        if let stored = try StoredModel.read(at: path) { return try Model(stored) }
        throw CommandError(
            isDatabase
                ? "\(Excerpt.escape(path)): the database has no model, because nothing was imported into it with 'tributary import'"
                : "\(Excerpt.escape(path)): there is no such model or database" + Suggestion.hint(forFile: path))
    }

    /// Whether the first bytes of a regular file are those of a database.
    static func beginsAsDatabase(_ path: String) -> Bool {
        // Reading a pipe would take its bytes, and may wait for them.
        guard FileKind(path) == .file else { return false }
        let head = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 16)
        return head == Data("SQLite format 3\0".utf8)
    }

    /// The last part of a path.
    static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// The imports into the file of a database, which is not opened for writing.
private struct StoredImports: ImportDatabase {
    let name: String
    var files: [(name: String, path: String)] { FilePath.database(name) }

    func reading<Result>(_ body: (any ImportStore) throws -> Result) throws -> Result {
        guard let result = try StoreInspection.read(name, { try body($0) }) else { throw StoredDatabase.missing(name) }
        return result
    }
}

extension DatabaseName {
    /// The imports into the database, to be read only.
    var imports: Imports { address.map { Imports(in: $0) } ?? Imports(StoredImports(name: text)) }
}
