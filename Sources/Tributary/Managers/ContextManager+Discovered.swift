public import TributaryGraph
public import TributaryImport

extension ContextManager {
    /// A manager of a database with the tables of discovered relations, which is created if it does not exist.
    ///
    /// For a dry run it also adds tables and columns, which stay empty.
    ///
    /// - Throws: `StoreError`, as when a column becomes a relation and `isDryRun`, `ModelError`, `SQLiteError`.
    public convenience init(_ found: DiscoveredRelations, at path: String, isDryRun: Bool = false) throws {
        let model = try found.extendedModel(at: path, isDryRun: isDryRun)
        try self.init(model: model, store: .sqlite(path), options: InferredDatabase.tableOptions)
    }
}
