import TributaryStore
import TributarySQLite

/// The changes of a run, to inspect or to undo them.
extension ImportRun {
    /// The most changes, and deletions, of each table in the sample of a dry run.
    private static let sampled = 5

    /// The recorder of a run; nil if its changes are not wanted.
    static func recorder(of plan: ImportPlan, _ options: ImportOptions, _ entry: JournalEntry) -> ChangeRecorder? {
        guard options.isDryRun || entry.keepsChanges ?? false else { return nil }
        let foreign = plan.routes.compactMap { $0.foreign.map { ChangeRecorder.Table($0.table.name, $0.key) } }
        // No sample is wanted of a table in which nothing identifies a row.
        let known = options.isDryRun ? foreign.filter { $0.key?.isEmpty == false } : foreign
        return ChangeRecorder(
            run: entry.run, tables: plan.store.schema.recordedTables + known,
            limit: options.isDryRun ? ImportRun.sampled : nil, isStrict: options.isUndoable)
    }

    /// The sample of a dry run.
    func sample(on connection: Connection) throws -> [RowChange] {
        var changes: [RowChange] = []
        try RowChange.forEach(of: journal.entry.run, keys: plan.keyColumns, on: connection) { changes.append($0) }
        return changes
    }
}

extension ImportPlan {
    /// Whether the row of a change in the sample of a dry run is there without the run: a table of another program does
    /// not distinguish new rows.
    func hasRow(_ change: RowChange, on connection: Connection) throws -> Bool {
        let isForeign = routes.contains { $0.foreign?.table.name == change.table }
        return try !isForeign || change.hasRow(on: connection)
    }

    /// For each table the columns of its key.
    var keyColumns: [String: [String]] {
        var keys: [String: [String]] = [:]
        for entity in stores.model.entities {
            guard let constraint = entity.declaration.uniquenessConstraints.first else { continue }
            if keys[entity.root.name] == nil { keys[entity.root.name] = constraint }
        }
        for route in routes where route.foreign == nil {
            guard let key = route.route.key?.parts.map(\.attribute) else { continue }
            keys[route.entity.root.name] = key
        }
        return keys
    }
}
