import Tributary
import TributaryGraph
import TributaryJSON

/// One run of `tributary import`.
struct ImportCommandRun {
    private let command: ImportCommand
    private let sources: [any ByteSource]
    private let signals: StopSignals
    private let output: OutputFile
    private var console = Console()

    init(_ command: ImportCommand, _ sources: [any ByteSource], _ signals: StopSignals) {
        self.command = command
        self.sources = sources
        self.signals = signals
        output = .standardOutput(stop: signals.descriptor)
    }

    mutating func run() throws -> Int32 {
        try ImportFiles.check(
            sources, database: command.database, rejects: command.options.rejects, command: ImportCommand.spec.name)
        var wish = ImportTarget.Wish()
        (wish.entity, wish.key) = (command.entity, command.key)
        wish.remoteKey = command.remoteKey?.map(ImportTarget.place)
        wish.mode = command.options.mode
        wish.files = sources.compactMap { ($0 as? FileSource)?.path }
        let target = try ImportTarget(wish, .init(model: command.model, database: command.database))
        // A source that is not there must not leave an empty database behind.
        for source in sources { _ = try SourceFingerprint(of: source) }
        try ImportFiles.checkRejects(command.options.rejects, database: command.database)
        let job = try ImportJobs.make(
            target, path: command.path, database: command.database, from: sources, command.options)
        defer { job.close() }
        signals.onStop { job.cancel() }
        var performance = ImportPerformance(job, from: sources, command.output)
        let outcome: ImportOutcome
        do {
            outcome = try performance.run()
        } catch {
            console.say("tributary: \(error)")
            tellHowToGoOn(job.summary)
            return ExitCode.failure
        }
        return try report(outcome)
    }

    // MARK: The end

    private mutating func report(_ outcome: ImportOutcome) throws -> Int32 {
        let summary = outcome.summary
        if command.output.isJSON {
            try output.write { $0 += SummaryReport.json(summary) }
        } else if !command.output.isQuiet {
            var text = SummaryReport.text(summary)
            if case .alreadyFinished = outcome {
                text =
                    "run \(summary.run) has done this, and nothing has changed since; --again runs it once more\n"
                    + SummaryReport.books(summary) + "\n"
            }
            try output.write { $0 += Array(text.utf8) }
        }
        try output.flush()
        if !summary.isBalanced {
            console.say(
                "tributary: the books do not balance: \(SummaryReport.books(summary)); this is an error of the program")
            return ExitCode.failure
        }
        tellOfRejects(summary)
        if command.options.isDryRun, !command.output.isQuiet {
            console.say("tributary: a dry run: all of it is undone")
        }
        guard case .stopped = outcome else { return SummaryReport.exitCode(summary) }
        console.say("tributary: stopped behind record \(Progress.grouped(summary.read)); what was read is committed")
        tellHowToGoOn(summary)
        return signals.exitCode ?? ExitCode.failure
    }

    private mutating func tellOfRejects(_ summary: ImportSummary) {
        guard summary.rejected > 0, !command.output.isQuiet else { return }
        let count = summary.rejected == 1 ? "1 record was" : "\(Progress.grouped(summary.rejected)) records were"
        guard let path = command.options.rejects else {
            console.say("tributary: \(count) rejected; --rejects FILE keeps them")
            return
        }
        let words = ["tributary", "retry", path, "--into", command.database].map(ShellWord.quoted)
        console.say("tributary: \(count) rejected and kept; mend them and run: \(words.joined(separator: " "))")
    }

    private mutating func tellHowToGoOn(_ summary: ImportSummary) {
        guard summary.run > 0, !command.options.isDryRun else { return }
        let isFed = sources.contains { $0.byteCount == nil }
        console.say(
            "tributary: to go on\(isFed ? ", feed the same input again and" : "") run: \(command.continuation)")
    }
}
