import Tributary
import TributaryConcurrency
import TributaryJSON

/// Runs an import on a thread of its own, and tells meanwhile how far it is.
struct ImportPerformance {
    private let job: any ImportJob
    private let output: ImportOutput
    private let clock = ContinuousClock()
    private var progress: ImportProgress
    private var console: Console
    private let statesSources: Bool
    private var statedSources = 0
    private var lastLine: ContinuousClock.Instant

    init(_ job: any ImportJob, from sources: [any ByteSource], _ output: ImportOutput, statesSources: Bool = true) {
        self.job = job
        self.output = output
        self.statesSources = statesSources && !output.isQuiet
        let sizes = sources.map(\.byteCount)
        progress = ImportProgress(totalBytes: sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) })
        console = Console(progress: output.progress)
        lastLine = clock.now
    }

    /// Runs it to its end.
    ///
    /// - Throws: what the import throws.
    mutating func run() throws -> ImportOutcome {
        let start = clock.now
        let result = Monitor<Result<ImportOutcome, any Error>?>(nil)
        let job = job
        try WorkerThread.start {
            let outcome = Result { try job.perform() }
            result.update { $0 = outcome }
        }
        defer { console.clearProgress() }
        while true {
            if let outcome = result.wait(milliseconds: 50, until: { $0 }) {
                stateSources()
                return try outcome.get()
            }
            stateSources()
            tell(since: start)
        }
    }

    private mutating func tell(since start: ContinuousClock.Instant) {
        let now = clock.now
        guard Progress.seconds(now - lastLine) >= console.interval else { return }
        lastLine = now
        let summary = job.summary
        let line = progress.line(
            ImportProgress.Moment(
                read: summary.read, rejected: summary.rejected, phase: job.phase, storedBytes: job.storedBytes,
                seconds: Progress.seconds(now - start)))
        console.progress(line)
    }

    private mutating func stateSources() {
        let sources = job.sourceReports
        if statesSources {
            for source in sources[min(statedSources, sources.count)...] { console.say("tributary: \(source)") }
        }
        statedSources = sources.count
    }
}
