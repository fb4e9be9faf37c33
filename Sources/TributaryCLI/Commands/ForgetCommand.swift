import Tributary
import TributaryJSON

/// `tributary forget`: deletes runs from the journal of a database.
package struct ForgetCommand {
    static let spec = CommandSpec(
        name: "forget",
        summary: "Delete runs from the journal of a database, with their rejects; rows stay",
        operands: "[OPTIONS] DB",
        examples: [
            "tributary forget app.sqlite --run 3",
            "tributary forget app.sqlite --entity users",
        ],
        discussion: """
            After that the same import starts from the beginning. '--entity' deletes all runs that imported into that
            entity alone; if its table was dropped or renamed, the entity can be imported again.
            """,
        options: [
            OptionSpec("--run", value: "N", help: "The run to delete"),
            OptionSpec("--entity", value: "NAME", help: "Delete the runs that imported into this entity alone"),
            OptionSpec("--quiet", "-q", "--silent", help: "Print only errors"),
        ])

    /// The database.
    package let database: String
    package let run: Int?
    package let entity: String?
    private let isQuiet: Bool

    init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database("tributary forget DB --run N")
        run = try parsed.number("--run", atLeast: 1)
        entity = parsed.text("--entity")
        isQuiet = parsed.has("--quiet")
        guard (run == nil) != (entity == nil) else { throw UsageError("Name the runs: --run N or --entity NAME") }
    }

    func perform() throws -> Int32 {
        let manager = try StoredDatabase.open(database)
        defer { StoredDatabase.close(manager) }
        var text = ""
        if let run {
            guard try manager.imports.forget(run: run) else {
                throw CommandError("\(Excerpt.escape(database)): the journal has no run \(run)")
            }
            text = "run \(run) forgotten"
        } else if let entity {
            let count = try manager.imports.forget(entity: entity)
            text = count == 1 ? "1 run forgotten" : "\(count) runs forgotten"
        }
        guard !isQuiet else { return ExitCode.success }
        let output = OutputFile.standardOutput()
        try output.write { $0 += Array("\(text)\n".utf8) }
        try output.flush()
        return ExitCode.success
    }
}
