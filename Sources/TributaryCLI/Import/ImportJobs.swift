import Tributary
import TributaryGraph
import TributaryJSON

/// Makes the import that a command line asks for.
enum ImportJobs {
    /// An import of `sources` into the database at `database`, which is made if it does not exist.
    ///
    /// - Throws: what opening the database throws.
    static func make(
        _ target: ImportTarget, path: RecordPath?, database: String, from sources: [any ByteSource],
        _ options: ImportOptions
    ) throws -> any ImportJob {
        guard let model = target.model else {
            return try InferredImport(
                into: database, entity: target.entity, key: target.key, from: sources, at: path, options: options)
        }
        let manager = try ContextManager(model: model, store: .sqlite(database))
        let route = target.key.map { ImportRoute.rows(target.entity, at: path, key: $0) }
        return StreamImport(
            into: manager, from: sources, routes: [route ?? .newRows(target.entity, at: path)], options: options)
    }
}

extension StreamImport: ImportJob {}

extension InferredImport: ImportJob {}
