import Tributary
import TributaryGraph
import TributaryJSON

/// One run of `tributary retry`.
struct RetryCommandRun {
    private let command: RetryCommand
    private let signals: StopSignals
    private let output: OutputFile
    private var console = Console()

    init(_ command: RetryCommand, _ signals: StopSignals) {
        self.command = command
        self.signals = signals
        output = .standardOutput(stop: signals.descriptor)
    }

    mutating func run() throws -> Int32 {
        let file = command.file.map { FileSource($0) }
        try ImportFiles.check(file.map { [$0] } ?? [], database: command.database, command: RetryCommand.spec.name)
        var options = command.options
        do {
            options.mappings = try MapFile.read(command.map, for: RetryCommand.spec)
        } catch let error as ImportError {
            console.say("tributary: \(ErrorText.of(error))")
            return ExitCode.failure
        }
        let manager = try StoredDatabase.open(command.database, model: command.model)
        defer { StoredDatabase.close(manager) }
        let retry = RetryOperation(
            manager, from: file.map { .file($0) } ?? .store(run: command.run), options: options)
        signals.onStop { retry.cancel() }
        var runner = JobRunner(RetryJob(operation: retry), from: file.map { [$0] } ?? [], command.output)
        do {
            _ = try runner.run { try retry.perform() }
        } catch {
            console.say(
                "tributary: \(ErrorText.of(error))\ntributary: to resume, run: \(command.continuation)")
            return ExitCode.failure
        }
        return try report(retry.summary)
    }

    private mutating func report(_ summary: RetrySummary) throws -> Int32 {
        try output.write { bytes in
            if command.output.isJSON {
                bytes += SummaryReport.json(summary)
            } else if !command.output.isQuiet {
                bytes += Array(SummaryReport.text(summary).utf8)
            }
        }
        try output.flush()
        if summary.isStopped {
            let remedy = command.options.isDryRun ? "" : "; to resume, run: \(command.continuation)"
            console.say("tributary: stopped\(remedy)")
            return signals.exitCode ?? ExitCode.failure
        }
        if command.options.isDryRun, !command.output.isQuiet {
            console.say("tributary: dry run: no row was changed")
        }
        return SummaryReport.exitCode(summary, isDryRun: command.options.isDryRun)
    }
}

/// A retry as a job whose progress is shown.
private struct RetryJob: WatchedJob {
    let operation: RetryOperation

    var counts: (read: Int, rejected: Int) { (operation.summary.read, operation.summary.counts.rejected) }
    var phase: ImportPhase { .retrying }
    var storedBytes: Int { 0 }
    var sourceReports: [SourceReport] { [] }
}
