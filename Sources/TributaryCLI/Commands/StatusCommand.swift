import Tributary
import TributaryStore
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
        var console = Console()
        database.warn(&console, isQuiet: false)
        let (all, waiting) = try database.imports.reading { (try $0.status(), try $0.waitingReferences()) }
        let runs = all.filter { !showsUnfinishedOnly || $0.entry.state.isUnfinished }
        let process = database.address == nil ? WriterLock.holder(database: database.text) : nil
        let output = OutputFile.standardOutput()
        for run in runs {
            let work = database.address == nil ? StatusReport.Work.process(process) : .processes(run.workers)
            try output.write { bytes in
                bytes +=
                    isJSON
                    ? StatusReport.json(run.entry, rejects: run.rejects, work)
                    : Array(StatusReport.text(run.entry, rejects: run.rejects, work).utf8)
            }
        }
        if !waiting.isEmpty {
            try output.write {
                $0 += isJSON ? StatusReport.json(waiting: waiting) : StatusReport.text(waiting: waiting)
            }
        }
        if runs.isEmpty, !isJSON {
            let what = showsUnfinishedOnly ? "nothing is unfinished" : "nothing has been imported"
            try output.write { $0 += Array("\(what)\n".utf8) }
        }
        try output.flush()
        return ExitCode.success
    }
}
