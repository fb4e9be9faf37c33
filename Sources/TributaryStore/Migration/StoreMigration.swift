import TributarySQLite

/// Migrates a store to another model, in one transaction of its file.
struct StoreMigration {
    let connection: Connection
    let configuration: String?
    let options: MigrationOptions

    /// Migrates the store, through the versions of the options that are between its model and `model`.
    ///
    /// - Throws: `StoreError` if the changes cannot be inferred, would drop values without permission, or do not fit the
    ///   rows; an error of a step or of the progress closure; `SQLiteError`. The store is unchanged then.
    func migrate(to model: Model) throws {
        // A foreign key would otherwise be checked at each step.
        try connection.execute("PRAGMA foreign_keys = OFF")
        defer { try? connection.execute("PRAGMA foreign_keys = ON") }
        try connection.transaction {
            guard let stored = try StoredModel.read(on: connection) else {
                throw refusal(["it has no saved model to compare"], hint: "open it with its own model")
            }
            let earlier = try Model(stored)
            let name = earlier.entities(in: configuration) == nil ? nil : configuration
            try StoreIdentity(of: connection)?.check(earlier, configuration: name, store: connection.name)
            try refuseLoads()
            let plans = MigrationPlan.plans(from: earlier, to: model, options)
            for plan in plans { try check(plan) }
            try execute(plans)
        }
        connection.clearStatements()
    }

    private func execute(_ plans: [MigrationPlan]) throws {
        let scripts = plans.map { $0.script(configuration) }
        let schemas = scripts.map(\.tables)
        // Triggers do not run, and an index has the names of its table and columns.
        let indexes = try SearchIndex.all(isOwn: true, on: connection).filter { schemas.first?.hasTable($0) ?? false }
        for index in indexes { try index.drop(on: connection) }
        let code = try SchemaCode.working(on: connection)
        for script in scripts { try checkLeaving(script) }
        let total = max(1, scripts.reduce(0) { $0 + $1.work.count })
        var done = 0
        func reportProgress() throws {
            try options.progress?(
                MigrationProgress(store: connection.name, fraction: Double(done) / Double(total)))
        }
        for (plan, script) in zip(plans, scripts) {
            for work in script.work {
                try reportProgress()
                try perform(work)
                done += 1
            }
            if plan.forgetsChanges || !script.leaving.isEmpty { try forgetChanges() }
            try StoredModel.replace(with: plan.destination, configuration: configuration, on: connection)
            for case .sql(let body) in plan.steps.map(\.work) { try body(connection) }
        }
        for index in indexes {
            guard let later = schemas.reduce(index, { $0.flatMap($1.later) }) else { continue }
            try perform { try later.create(on: $0) }
        }
        try checkCode(code)
        if scripts.contains(where: \.removesRows) { try checkReferences() }
        try reportProgress()
    }

    /// Forgets what runs have changed, so that they can no longer be undone.
    private func forgetChanges() throws {
        for run in try RunTable.withChanges(on: connection) { try MarkTable.forgetReplaced(by: run, on: connection) }
        for table in try RecordedTable.names(on: connection) {
            try connection.execute("DROP TABLE \(identifier: RecordedTable.changes(of: table))")
        }
        try RunTable.removeChanges(on: connection)
    }

    private func perform(_ work: (Connection) throws -> Void) throws {
        do {
            try work(connection)
        } catch let refusal as MigrationRefusal {
            throw self.refusal([refusal.reason], hint: "it was not changed")
        } catch let error as SQLiteError where error.code == .uniqueConstraint {
            throw refusal(
                ["values that must be unique would repeat (\(error.message))"],
                hint: "remove the constraint in a version between the two, then add it again; it was not changed")
        } catch let error as SQLiteError where error.code == .error {
            // ALTER TABLE names the view, trigger or index that would no longer work.
            throw refusal([error.message], hint: "drop or change what is named, then migrate again; it was not changed")
        }
    }

    private func refusal(_ reasons: [String], hint: String) -> StoreError {
        StoreError(
            .incompatibleModel, connection.name, "it cannot be migrated: " + reasons.joined(separator: "; "), hint: hint
        )
    }

    // MARK: Checks

    private func check(_ plan: MigrationPlan) throws {
        guard plan.refusals.isEmpty else { throw refusal(plan.refusals, hint: "it was not changed") }
        let dropping = plan.changes.filter(\.dropsValues).map(\.description)
        guard dropping.isEmpty || options.dropsValues else {
            throw StoreError(
                .incompatibleModel, connection.name,
                "the migration would drop values: it " + dropping.joined(separator: ", it "),
                hint: "keep them in the model, or allow it (MigrationOptions.dropsValues, --drop-values)")
        }
    }

    /// Refuses to drop objects whose entity is no longer in the configuration of the store.
    private func checkLeaving(_ script: MigrationScript) throws {
        guard !options.dropsValues, let entity = script.leaving.first else { return }
        throw StoreError(
            .incompatibleModel, connection.name,
            "the migration would drop values: \(entity) is no longer in the configuration of this store",
            hint: "keep it in the configuration, or allow it (MigrationOptions.dropsValues, --drop-values)")
    }

    /// Refuses to migrate while a load is unfinished, whose pages have the columns of the earlier model.
    private func refuseLoads() throws {
        guard let load = try LoadRow.all(on: connection).first(where: \.isPending) else { return }
        throw StoreError(
            .inUse, connection.name, "run \(load.run) has not finished loading \(load.table)",
            hint: "finish it with the earlier model, or forget it: tributary forget DB --run \(load.run)")
    }

    private func checkCode(_ code: [SchemaCode]) throws {
        for one in code {
            guard let error = one.failure(on: connection) else { continue }
            throw refusal(
                ["the \(one.kind) \(one.name) would no longer work (\(error.message))"],
                hint: "drop or change it, then migrate again; it was not changed")
        }
    }

    private func checkReferences() throws {
        guard let row = try connection.rows(of: "PRAGMA foreign_key_check").first else { return }
        guard case .text(let table) = row[0], case .text(let parent) = row[2] else { return }
        throw refusal(
            ["rows of \(table) refer to rows of \(parent) that do not exist, or would be removed"],
            hint: "delete or change these rows first; it was not changed")
    }
}
