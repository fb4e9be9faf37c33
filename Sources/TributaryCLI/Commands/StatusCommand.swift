import TributaryImport

/// `tributary status`: shows the imports into a database.
package struct StatusCommand: StoppableCommand {
    package static let spec = CommandSpec(
        name: "status",
        summary: "Show the imports into a database, and which of them are unfinished",
        operands: "[OPTIONS] DB",
        examples: [
            "tributary status app.sqlite",
            "tributary status app.sqlite --unfinished",
            "tributary status app.sqlite --json | jq .rejected",
            "tributary status --watch app.sqlite",
            "tributary status postgres://app@db.example.com/app",
        ],
        discussion: """
            Each run of an import has a number. The same command resumes a run that was interrupted, was stopped or
            failed. At the end stands what waits: references to objects that no import has brought yet. No data is
            changed, and a running import is not disturbed. With --watch it shows how far the imports are that are
            running in other processes, on a terminal in place, elsewhere every five seconds, and ends with them.
            """,
        options: [
            OptionSpec("--run", as: .number(), group: .rows, help: "Only this run"),
            OptionSpec("--unfinished", group: .rows, help: "Only runs that can be resumed"),
            OutputOptions.json("run", asLines: true), OutputOptions.quiet,
            OptionSpec(
                "--watch", help: "Show running imports until they end: speed, position, remaining time, rejects"),
        ])

    /// The database.
    package let database: DatabaseName
    package let isJSON: Bool
    package let showsUnfinishedOnly: Bool
    /// The only run that is shown; nil for all.
    private let runNumber: Int?
    private let watches: Bool
    private let isQuiet: Bool

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database()
        isJSON = parsed.has("--json")
        showsUnfinishedOnly = parsed.has("--unfinished")
        runNumber = try parsed.number("--run")
        watches = parsed.has("--watch")
        isQuiet = parsed.has("--quiet")
        for option in ["--json", "--unfinished", "--run"] { try parsed.exclude("--watch", option) }
    }

    func run(_ signals: StopSignals) throws -> Int32 {
        database.warn(isQuiet: isQuiet)
        if watches {
            var watch = StatusWatch(database, signals)
            return try watch.run()
        }
        let (all, waiting) = try database.imports.database.reading { (try $0.status(), try $0.waitingReferences()) }
        let runs = all.filter { run in
            (!showsUnfinishedOnly || run.entry.state.isUnfinished) && (runNumber.map { $0 == run.entry.run } ?? true)
        }
        if let runNumber, !all.contains(where: { $0.entry.run == runNumber }) {
            throw CommandError("\(Excerpt.escape(database.text)): the journal has no run \(runNumber)")
        }
        let writer = database.address == nil ? RunWork(on: database.text) : nil
        let output = OutputFile()
        for run in runs {
            let work = writer ?? .processes(run.workers)
            try output.write { bytes in
                bytes +=
                    isJSON
                    ? StatusReport.json(run.entry, rejects: run.rejects, work)
                    : Array(StatusReport.text(run.entry, rejects: run.rejects, work).utf8)
            }
        }
        if isJSON {
            if !waiting.isEmpty { try output.write { $0 += StatusReport.json(waiting: waiting) } }
            try output.end()
        } else {
            let what = showsUnfinishedOnly ? "nothing is unfinished\n" : "nothing has been imported\n"
            if runs.contains(where: { $0.rejects > 0 }), !isQuiet {
                var console = Console()
                let options = runNumber.map { ["--run", "\($0)"] } ?? []
                console.say("to see the rejects, run: \(CommandText.line("rejects", [database.text], options))")
            }
            try output.end((waiting.isEmpty ? "" : StatusReport.text(waiting: waiting)) + (runs.isEmpty ? what : ""))
        }
        return ExitCode.success
    }
}
