import TributaryStore
import TributarySQLite

extension StoreImports {
    /// Undoes a run in one transaction, and announces the changes.
    func undo(run: Int?, isDryRun: Bool) throws -> UndoSummary {
        let (run, outcome) = try store.write { connection in
            func attempt(_ body: () throws -> (Int, RunUndo.Outcome)) throws -> (Int, RunUndo.Outcome) {
                try isDryRun ? connection.rollingBack(body) : connection.transaction(body)
            }
            return try attempt {
                let entries = try connection.runs()
                guard let run = run ?? entries.last(where: { $0.keepsChanges ?? false && $0.state != .undone })?.run
                else {
                    throw ImportError(
                        .undo, "no run has kept what it changed",
                        hint: "import with isUndoable; a migration forgets what runs before it have kept")
                }
                try checkEnded([run])
                guard var entry = entries.first(where: { $0.run == run }) else {
                    throw ImportError(.undo, "the journal has no run \(run)")
                }
                try entry.checkCanBeUndone(among: entries, model)
                let outcome = try RunUndo.undo(run: run, on: connection)
                try WaitingTable.forget(run: run, on: connection)
                try connection.deleteRejects(run: run)
                try PossibleDuplicatesTable.deleteRows(run: run, on: connection)
                if let feed = entry.identity.feed { try MarkTable.undo(feed: feed, run: run, on: connection) }
                entry.state = .undone
                try RunTable.write(entry.row, on: connection)
                return (run, outcome)
            }
        }
        if !isDryRun { stores.announceReload() }
        return UndoSummary(
            run: run, deleted: outcome.deleted, restored: outcome.restored, inserted: outcome.inserted,
            keptCount: outcome.keptCount,
            kept: outcome.kept.map { UndoSummary.KeptRow(table: $0.table, key: $0.key, reason: $0.reason) })
    }
}

extension JournalEntry {
    /// Throws if the run cannot be undone; `entries` are all runs, the oldest first.
    package func checkCanBeUndone(among entries: [JournalEntry], _ model: Model) throws {
        guard state != .undone else { throw ImportError(.undo, "run \(run) is undone already") }
        guard keepsChanges ?? false else {
            throw ImportError(
                .undo, "run \(run) has not kept what it changed",
                hint: "only a run that is undoable from the beginning can be undone, and not after a migration")
        }
        let tables = filledEntities(model)
        let later = entries.last { other in
            other.run > run && other.state != .undone && other.changesRows
                && !other.filledEntities(model).isDisjoint(with: tables)
        }
        if let later {
            throw ImportError(
                .undo, "run \(later.run) has imported into the same tables after run \(run)",
                hint: later.keepsChanges ?? false ? "undo run \(later.run) first" : "that run cannot be undone")
        }
    }
}

extension ImportSummary {
    /// Whether the run may have changed rows.
    fileprivate var changesRows: Bool {
        var all = counts
        for outcomes in (related ?? [:]).values { all += outcomes }
        return all.inserted + all.updated > 0 || waiting > 0 || sync?.deletedCount ?? 0 > 0 || sync?.restored ?? 0 > 0
    }
}

extension JournalEntry {
    /// Whether the run may have changed rows: also one that has emptied its tables, and has imported none.
    var changesRows: Bool { summary.changesRows || truncates ?? false }

    /// The names of the tables in which the run may have changed rows, also by computing what is derived from others.
    fileprivate func filledEntities(_ model: Model) -> Set<String> {
        var names = Set((routes.map(\.entity) + (summary.related ?? [:]).keys).map { model[$0]?.root.name ?? $0 })
        var count = 0
        while count < names.count {
            count = names.count
            for entity in model.entities {
                let isDerived = entity.derived.attributes.contains { derived in
                    FilterReach(derived.expression, from: entity).entities.contains { names.contains($0.root.name) }
                }
                if isDerived { names.insert(entity.root.name) }
            }
        }
        return names
    }
}
