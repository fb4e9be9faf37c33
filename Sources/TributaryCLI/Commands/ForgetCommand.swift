import TributaryImport
import TributaryPostgres

/// `tributary forget`: deletes runs from the journal of a database.
package struct ForgetCommand: Command {
    package static let spec = CommandSpec(
        name: "forget",
        summary: "Delete runs from the journal of a database, with their rejects; rows stay",
        operands: "[OPTIONS] DB",
        examples: [
            "tributary forget app.sqlite --run 3",
            "tributary forget app.sqlite --entity users",
        ],
        discussion: """
            After that the same import starts from the beginning. '--entity' deletes all runs that imported into that
            entity alone; if its table was dropped or renamed, the entity can be imported again. In PostgreSQL a table that
            the run was loading gets its index first; a run on which a process works is not forgotten.
            """,
        options: [
            OptionSpec("--run", as: .number(), group: .rows, help: "The run to delete"),
            OptionSpec(
                "--entity", "--table", value: "NAME", group: .rows,
                help: "Delete the runs into this entity or table alone"),
            OptionSpec(
                "--dry-run", "-n", group: .rows, help: "Tell which runs would be forgotten, and change nothing"),
        ] + OutputOptions.specs("outcome"))

    /// The database.
    package let database: DatabaseName
    package let runNumber: Int?
    package let entity: String?
    private let isDryRun: Bool
    private let output: OutputOptions

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database()
        runNumber = try parsed.number("--run")
        entity = parsed.text("--entity")
        isDryRun = parsed.has("--dry-run")
        output = try OutputOptions(parsed)
        guard (runNumber == nil) != (entity == nil) else { throw UsageError("Name the runs: --run N or --entity NAME") }
    }

    package func run() throws -> Int32 {
        database.warn(isQuiet: output.isQuiet)
        if isDryRun { return try tell() }
        if let address = database.address { return try forget(Imports(in: address)) }
        let opened = try StoredDatabase.open(database.text)
        defer { opened.store.closeWithoutLog() }
        return try forget(opened.imports)
    }

    private func forget(_ imports: Imports) throws -> Int32 {
        let count: Int
        if let run = runNumber {
            guard try imports.forget(run: run) else { throw missing(run) }
            count = 1
        } else {
            do {
                count = try imports.forget(entity: entity ?? "")
            } catch let error as ImportError where error.code == .route {
                let known = try imports.database.reading { try $0.status() }.flatMap { $0.entry.routes.map(\.entity) }
                throw CommandError("\(error)" + Suggestion.hint(for: entity ?? "", among: known))
            }
        }
        try output.print(json: json(count), text: text(count, "forgotten"))
        return ExitCode.success
    }

    /// Tells what would be forgotten.
    private func tell() throws -> Int32 {
        let runs = try database.imports.database.reading { try $0.status() }.filter { status in
            runNumber.map { status.entry.run == $0 } ?? status.entry.routes.allSatisfy { $0.entity == entity }
        }
        if let run = runNumber, runs.isEmpty { throw missing(run) }
        try output.print(json: json(runs.count), text: text(runs.count, "would be forgotten"))
        return runs.isEmpty ? ExitCode.success : ExitCode.changes
    }

    private func missing(_ run: Int) -> CommandError {
        CommandError("\(Excerpt.escape(database.text)): the journal has no run \(run)")
    }

    private func text(_ count: Int, _ end: String) -> String {
        (runNumber.map { "run \($0)" } ?? FigureText.counted(count, "run")) + " \(end)\n"
    }

    private func json(_ count: Int) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("run", runNumber)
        writer.add("entity", entity)
        writer.add("runs", count)
        return writer.finish()
    }
}
