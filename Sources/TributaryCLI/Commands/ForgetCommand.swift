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
            OutputOptions.quiet,
        ])

    /// The database.
    package let database: DatabaseName
    package let runNumber: Int?
    package let entity: String?
    private let isQuiet: Bool

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database()
        runNumber = try parsed.number("--run")
        entity = parsed.text("--entity")
        isQuiet = parsed.has("--quiet")
        guard (runNumber == nil) != (entity == nil) else { throw UsageError("Name the runs: --run N or --entity NAME") }
    }

    package func run() throws -> Int32 {
        database.warn(isQuiet: isQuiet)
        if let address = database.address { return try forget(Imports(in: address)) }
        let opened = try StoredDatabase.open(database.text)
        defer { opened.store.closeWithoutLog() }
        return try forget(opened.imports)
    }

    private func forget(_ imports: Imports) throws -> Int32 {
        var text = ""
        if let run = runNumber {
            guard try imports.forget(run: run) else {
                throw CommandError("\(Excerpt.escape(database.text)): the journal has no run \(run)")
            }
            text = "run \(run) forgotten"
        } else if let entity {
            let count = try imports.forget(entity: entity)
            text = count == 1 ? "1 run forgotten" : "\(count) runs forgotten"
        }
        if !isQuiet { try OutputFile().end("\(text)\n") }
        return ExitCode.success
    }
}
