import Tributary
import TributaryGraph
import TributaryJSON
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
    package let database: String
    package let isJSON: Bool
    package let showsUnfinishedOnly: Bool

    init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database("tributary status DB")
        isJSON = parsed.has("--json")
        showsUnfinishedOnly = parsed.has("--unfinished")
    }

    func run() throws -> Int32 {
        let entries = try StoreInspection.read(database) { connection in
            try (showsUnfinishedOnly ? Journal.unfinished(on: connection) : Journal.entries(on: connection)).map {
                ($0, try RejectTable.count(run: $0.run, on: connection))
            }
        }
        let waiting = try StoreInspection.read(database, ImportJournal.waitingReferences(on:)) ?? [:]
        guard let entries else { throw StoredDatabase.missing(database) }
        let output = OutputFile.standardOutput()
        let process = WriterLock.holder(database: database)
        for (entry, rejects) in entries {
            try output.write { bytes in
                bytes +=
                    isJSON
                    ? StatusReport.json(entry, rejects: rejects)
                    : Array(StatusReport.text(entry, rejects: rejects, process: process).utf8)
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
