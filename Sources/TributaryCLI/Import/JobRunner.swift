import Tributary
import TributaryConcurrency
import TributaryJSON

/// Runs a job on a thread of its own, and shows its progress.
struct JobRunner {
    private let job: any WatchedJob
    private let output: ImportOutput
    private let clock = ContinuousClock()
    private var progress: ImportProgress
    private var console: Console
    private var layouts = LayoutLines()
    private var lastLine: ContinuousClock.Instant

    init(_ job: any WatchedJob, from sources: [any ByteSource], _ output: ImportOutput) {
        self.job = job
        self.output = output
        let sizes = sources.map(\.byteCount)
        progress = ImportProgress(totalBytes: sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) })
        console = Console(progress: output.progress)
        lastLine = clock.now
    }

    /// Calls `body`, which runs the job to its end.
    ///
    /// - Throws: Errors of `body`.
    mutating func run<Outcome: Sendable>(_ body: @escaping @Sendable () throws -> Outcome) throws -> Outcome {
        let start = clock.now
        let result = Monitor<Result<Outcome, any Error>?>(nil)
        try WorkerThread.start {
            let outcome = Result { try body() }
            result.update { $0 = outcome }
        }
        defer { console.clearProgress() }
        while true {
            if let outcome = result.wait(milliseconds: 50, until: { $0 }) {
                stateSources(isAtEnd: true)
                return try outcome.get()
            }
            stateSources()
            showProgress(since: start)
        }
    }

    private mutating func showProgress(since start: ContinuousClock.Instant) {
        let now = clock.now
        guard now - lastLine >= console.interval else { return }
        lastLine = now
        let counts = job.counts
        let line = progress.line(
            ImportProgress.Moment(
                read: counts.read, rejected: counts.rejected, phase: job.phase, storedBytes: job.storedBytes,
                seconds: (now - start) / Duration.seconds(1)))
        console.progress(line)
    }

    private mutating func stateSources(isAtEnd: Bool = false) {
        let lines = layouts.next(job.sourceReports) + (isAtEnd ? [layouts.rest].compactMap(\.self) : [])
        guard !output.isQuiet else { return }
        for line in lines { console.say("tributary: \(line)") }
    }
}
