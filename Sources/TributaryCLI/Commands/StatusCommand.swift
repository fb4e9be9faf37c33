import Tributary
import TributaryStore
import TributaryJSON
import TributaryPostgres
import TributarySQLite

/// `tributary status`: shows the imports into a database.
package struct StatusCommand {
    static let spec = CommandSpec(
        name: "status",
        summary: "Show the imports into a database, and which of them are unfinished",
        operands: "[OPTIONS] DB",
        examples: [
            "tributary status app.sqlite",
            "tributary status app.sqlite --unfinished",
            "tributary status app.sqlite --json | jq .rejected",
            "tributary status postgres://app@db.example.com/app",
        ],
        discussion: """
            Each run of an import has a number. The same command resumes a run that was interrupted, was stopped or
            failed. At the end stands what waits: references to objects that no import has brought yet. No data is
            changed, and a running import is not disturbed.
            """,
        options: [
            OptionSpec("--unfinished", help: "Only runs that can be resumed"),
            OptionSpec("--json", help: "Print each run as one JSON object on a line"),
        ])

    /// The database.
    package let database: DatabaseName
    package let isJSON: Bool
    package let showsUnfinishedOnly: Bool

    init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database("tributary status DB")
        isJSON = parsed.has("--json")
        showsUnfinishedOnly = parsed.has("--unfinished")
    }

    func run() throws -> Int32 {
        if let address = database.address { return try show(PostgresImports(in: address)) }
        let database = database.text
        let entries = try StoreInspection.read(database) { connection in
            let entries = try showsUnfinishedOnly ? Journal.unfinished(on: connection) : Journal.entries(on: connection)
            let rejects = try RejectTable.counts(on: connection)
            return entries.map { ($0, rejects[$0.run] ?? 0) }
        }
        let waiting = try StoreInspection.read(database, ImportJournal.waitingReferences(on:)) ?? [:]
        guard let entries else { throw StoredDatabase.missing(database) }
        let process = WriterLock.holder(database: database)
        return try show(entries.map { ($0, $1, .process(process)) }, waiting: waiting)
    }

    /// Shows the imports into a database of PostgreSQL.
    private func show(_ imports: PostgresImports) throws -> Int32 {
        var console = Console()
        database.warn(&console, isQuiet: false)
        let runs = try imports.runs().filter { !showsUnfinishedOnly || $0.entry.state.isUnfinished }
        return try show(
            runs.map { ($0.entry, $0.rejects, .processes($0.workers)) }, waiting: imports.waitingReferences())
    }

    private func show(
        _ entries: [(entry: JournalEntry, rejects: Int, work: StatusReport.Work)], waiting: [String: Int]
    ) throws -> Int32 {
        let output = OutputFile.standardOutput()
        for (entry, rejects, work) in entries {
            try output.write { bytes in
                bytes +=
                    isJSON
                    ? StatusReport.json(entry, rejects: rejects, work)
                    : Array(StatusReport.text(entry, rejects: rejects, work).utf8)
            }
        }
        if !waiting.isEmpty {
            try output.write {
                $0 += isJSON ? StatusReport.json(waiting: waiting) : StatusReport.text(waiting: waiting)
            }
        }
        if entries.isEmpty, !isJSON {
            let what = showsUnfinishedOnly ? "nothing is unfinished" : "nothing has been imported"
            try output.write { $0 += Array("\(what)\n".utf8) }
        }
        try output.flush()
        return ExitCode.success
    }
}
