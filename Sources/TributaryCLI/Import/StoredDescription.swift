import TributaryStore
import TributaryJSON
import TributaryModel
import TributaryPlatform

/// The model that an operand names: a model file, or a database with its stored model.
enum StoredDescription {
    /// Reads and checks the model at `path`.
    ///
    /// - Throws: `CommandError` if a database has none, `ModelError`, `StoreError` or `SQLiteError`.
    static func model(at path: String) throws -> Model {
        var status = stat()
        let exists = stat(path, &status) == 0
        // An empty file and a missing one may have a database that is still being made.
        let isDatabase =
            exists && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
            || OutputFile.begins(path, with: ["SQLite format 3\0"])
        guard isDatabase || !exists else { return try Model(ModelFile.read(path)) }
        if let stored = try StoredModel.read(at: path) {
            return try Model(stored)
        }
        throw CommandError(
            isDatabase
                ? "\(Excerpt.escape(path)): the database has no model, because nothing was imported into it with 'tributary import'"
                : "\(Excerpt.escape(path)): there is no such model or database")
    }

    /// The last part of a path.
    static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
