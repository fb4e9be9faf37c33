import TributaryImport
import TributaryConcurrency

/// Runs a job on a thread of its own, and shows its progress.
struct JobRunner {
    /// What the job has done after some seconds.
    private let moment: @Sendable (_ seconds: Double) -> ImportProgress.Moment
    /// The detected layout of each source.
    private let layouts: @Sendable () -> [SourceReport]
    private let output: OutputOptions
    private let clock = ContinuousClock()
    private var progress: ImportProgress
    private var console: Console
    private var lines = LayoutLines()
    private var lastLine: ContinuousClock.Instant

    init(
        from sources: [any ByteSource], _ output: OutputOptions,
        layouts: @escaping @Sendable () -> [SourceReport] = { [] },
        _ moment: @escaping @Sendable (_ seconds: Double) -> ImportProgress.Moment
    ) {
        (self.moment, self.layouts, self.output) = (moment, layouts, output)
        progress = ImportProgress(totalBytes: sources.storedBytes)
        console = Console(progress: output.progress)
        lastLine = clock.now
    }

    /// Calls `body`, which runs the job to its end.
    mutating func run<Outcome: Sendable>(_ body: @escaping @Sendable () throws -> Outcome) throws -> Outcome {
        let start = clock.now
        let result = Monitor<Result<Outcome, any Error>?>(nil)
        try WorkerThread.start(named: "import") {
            let outcome = Result { try body() }
            result.update { $0 = outcome }
        }
        defer { console.clearProgress() }
        while true {
            let outcome = result.wait(milliseconds: 50, until: { $0 })
            lines.say(layouts(), isAtEnd: outcome != nil, isQuiet: output.isQuiet, on: &console)
            if let outcome { return try outcome.get() }
            let now = clock.now
            guard now - lastLine >= console.interval else { continue }
            lastLine = now
            let line = progress.line(moment((now - start) / Duration.seconds(1)))
            console.progress(line)
        }
    }
}
