import TributaryImport
import TributaryPostgres

/// One run of `tributary retry`.
struct RetryCommandRun {
    private let command: RetryCommand
    private let signals: StopSignals
    private let output: OutputFile
    private var console = Console()

    init(_ command: RetryCommand, _ signals: StopSignals) {
        self.command = command
        self.signals = signals
        output = OutputFile(stop: signals.descriptor)
    }

    mutating func run() throws -> Int32 {
        let file = command.file.map { FileSource($0) }
        try ImportFiles.check(file.map { [$0] } ?? [], database: command.database.text, command: RetryCommand.spec.name)
        var options = command.options
        do {
            options.mappings = try WritingOptions.mappings(at: command.map, for: RetryCommand.spec.name)
        } catch let error as ImportError {
            console.say(ErrorText.of(error))
            return ExitCode.failure
        }
        let source: RejectSource = file.map { .file($0) } ?? .store(run: command.runNumber)
        if let address = command.database.address {
            if command.map != nil, command.model == nil { throw Self.mapNeedsModel }
            command.database.warn(isQuiet: command.output.isQuiet)
            let model = try command.model.map { try Model(ModelFile.read($0)) }
            return try run(Retry(into: address, from: source, model: model, options: options), file)
        }
        let database = try StoredDatabase.open(command.database.text, model: command.model)
        defer { database.store.closeWithoutLog() }
        if command.map != nil, database.model.declaration.isInferred { throw Self.mapNeedsModel }
        return try run(Retry(into: database, from: source, options: options), file)
    }

    private mutating func run(_ retry: Retry, _ file: FileSource?) throws -> Int32 {
        signals.onStop { retry.cancel() }
        var runner = JobRunner(from: file.map { [$0] } ?? [], command.output) { seconds in
            let summary = retry.summary
            return ImportProgress.Moment(
                read: summary.read, rejected: summary.counts.rejected, phase: .retrying, seconds: seconds)
        }
        do {
            return try report(runner.run { try retry.perform() })
        } catch let error where !(error is OutputFile.Failure) {
            let text = ErrorText.of(error, isServer: command.database.address != nil)
            if command.output.isJSON {
                try output.write { $0 += ErrorText.json(error, isServer: command.database.address != nil) }
                try output.flush()
            }
            console.say(text)
            if !command.options.isDryRun, ErrorText.mayPass(error) {
                console.say("to resume, run: \(command.resumeLine)")
            }
            return ExitCode.failure
        }
    }

    private static let mapNeedsModel = UsageError(
        "'--map' needs a model; without one a column is a member", command: RetryCommand.spec.name)

    private mutating func report(_ summary: RetrySummary) throws -> Int32 {
        try command.output.print(to: output, json: SummaryReport.json(summary), text: SummaryReport.text(summary))
        if summary.isStopped {
            let remedy = command.options.isDryRun ? "" : "; to resume, run: \(command.resumeLine)"
            console.say("stopped\(remedy)")
            return signals.exitCode ?? ExitCode.failure
        }
        if command.options.isDryRun, !command.output.isQuiet {
            console.say("dry run: no row was changed; to do it, run: \(command.doingLine)")
        } else if summary.left > 0, !command.output.isQuiet {
            console.say("to see what is still rejected, run: \(CommandText.line("rejects", [command.database.text]))")
        }
        return SummaryReport.exitCode(summary, isDryRun: command.options.isDryRun)
    }
}
