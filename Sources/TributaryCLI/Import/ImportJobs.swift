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
        let job = StreamImport(into: manager, from: sources, options: options)
        job.add(target.key.map { .rows(target.entity, at: path, key: $0) } ?? .newRows(target.entity, at: path))
        return job
    }
}

extension StreamImport: ImportJob {}

extension InferredImport: ImportJob {}
