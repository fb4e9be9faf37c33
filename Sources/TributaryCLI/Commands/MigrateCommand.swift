import TributaryImport
import TributaryConcurrency

/// `tributary migrate`: changes the tables of a database to those of another model.
package struct MigrateCommand: Command {
    package static let spec = CommandSpec(
        name: "migrate",
        summary: "Change a database to a later or earlier version of its model",
        operands: "[OPTIONS] DB --model MODEL",
        examples: [
            "tributary migrate app.sqlite --model Library.xcdatamodeld --dry-run",
            "tributary migrate app.sqlite --model Library.xcdatamodeld",
        ],
        discussion: """
            Changes are inferred from the model that the database was made with: what is added, removed, renamed (by
            renaming identifiers) or moved, and relationships that become to-many or ordered. If MODEL has several
            versions, the database goes through those between its own and the current one. All is done in one
            transaction; a database that cannot be migrated is not changed, and the reasons are listed. The journal,
            rejects, marks and waiting references stay, but earlier runs can no longer be undone. Other changes: compute
            values in a program, with MigrationStep.
            """,
        options: [
            WritingOptions.model,
            OptionSpec(
                "--drop-values", group: .columns, help: "Allow changes that drop values, as of a removed attribute"),
            OptionSpec("--dry-run", "-n", group: .rows, help: "List the changes, and change nothing"),
        ] + OutputOptions.specs("outcome") + [OutputOptions.progress],
        noPostgres: "change its tables by statements of SQL")

    /// The database.
    package let database: String
    private let model: String
    private let dropsValues: Bool
    private let isDryRun: Bool
    private let output: OutputOptions
    /// The command line that migrates, and one that also drops values.
    private let line, droppingLine: String

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database().text
        guard let model = parsed.text("--model") else {
            throw UsageError("Name the model: --model MODEL")
        }
        self.model = model
        dropsValues = parsed.has("--drop-values")
        isDryRun = parsed.has("--dry-run")
        output = try OutputOptions(parsed)
        line = parsed.line(leavingOut: ["--dry-run"])
        droppingLine = parsed.line(leavingOut: ["--dry-run", "--drop-values"], adding: ["--drop-values"])
    }

    package func run() throws -> Int32 {
        let wanted = try Model(ModelFile.read(model))
        var options = MigrationOptions()
        options.dropsValues = dropsValues
        options.versions = try ModelFile.versions(model).compactMap { try? Model($0.read()) }
        let plans = try MigrationPlan.plans(for: .sqlite(database), to: wanted, options: options)
        let isPossible = plans.allSatisfy(\.refusals.isEmpty)
        if !isDryRun, !plans.isEmpty {
            let console = Guarded(Console(progress: output.progress))
            options.progress = { progress in
                console.withLock { $0.progress("\(Int(progress.fraction * 100)) % of the migration") }
            }
            defer { console.withLock { $0.clearProgress() } }
            try SQLiteStore.migrate(database, to: wanted, options: options, lockTimeout: ImportOptions.lockTimeout)
        }
        try output.print(json: json(plans), text: text(plans))
        if isDryRun, isPossible, !plans.isEmpty, !output.isQuiet {
            var console = Console()
            let drops = plans.contains(where: \.dropsValues)
            console.say(drops ? "to do it and drop values, run: \(droppingLine)" : "to do it, run: \(line)")
        }
        guard isDryRun else { return ExitCode.success }
        if !isPossible { return ExitCode.failure }
        return plans.isEmpty ? ExitCode.success : ExitCode.changes
    }

    private func text(_ plans: [MigrationPlan]) -> String {
        guard !plans.isEmpty else { return "the database has this model\n" }
        var lines: [String] = []
        for (number, plan) in plans.enumerated() {
            if plans.count > 1 { lines.append("step \(number + 1) of \(plans.count)") }
            lines += plan.changes.map { $0.description + ($0.dropsValues ? " (drops values)" : "") }
                .map { "    \(Excerpt.escape($0))" }
            if plan.changes.isEmpty, plan.refusals.isEmpty {
                lines.append("    changes only indexes, defaults or other details")
            }
            lines += plan.refusals.map { "    not possible: \(Excerpt.escape($0))" }
        }
        let isPossible = plans.allSatisfy(\.refusals.isEmpty)
        let head =
            isDryRun ? isPossible ? "the database would be migrated" : "the database cannot be migrated" : "migrated"
        return ([head] + lines).joined(separator: "\n") + "\n"
    }

    private func json(_ plans: [MigrationPlan]) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("migrated", !isDryRun && !plans.isEmpty)
        let changes = plans.flatMap(\.changes).map { change in
            JSONLineWriter.object {
                $0.add("change", change.description)
                $0.add("dropsValues", change.dropsValues)
            }
        }
        writer.add("changes", json: JSONLineWriter.array(changes))
        writer.add("refusals", plans.flatMap(\.refusals))
        return writer.finish()
    }
}
