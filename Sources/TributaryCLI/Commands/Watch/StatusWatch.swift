import Foundation
import TributaryImport
import TributaryPlatform

/// Shows the imports into a database that run in other processes, until they end.
///
/// It reads the journal again and again through a connection that cannot write, so no import waits for it.
struct StatusWatch {
    private let database: DatabaseName
    private let signals: StopSignals
    private let output: OutputFile
    /// The width of the terminal; nil if the output is none whose lines can be replaced.
    private let width: Int?
    private let clock = ContinuousClock()
    private var runs: [Int: WatchedRun] = [:]
    /// The number of lines that are replaced.
    private var shownLines = 0
    private var lastLines: ContinuousClock.Instant?
    private let start: ContinuousClock.Instant
    /// How long a process without a run is waited for.
    private static let patience = Duration.seconds(5)

    /// Watches a database.
    init(_ database: DatabaseName, _ signals: StopSignals) {
        (self.database, self.signals) = (database, signals)
        output = OutputFile()
        start = clock.now
        let terminal = TerminalText()
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        width = isatty(STDOUT_FILENO) == 1 && !isDumb ? terminal.width : nil
    }

    /// Shows the runs until they end or a signal comes, and returns the exit code.
    mutating func run() throws -> Int32 {
        while true {
            let writer = RunWork(on: database.text)
            do {
                let found = try entries(writer)
                // An import that has begun has no entry before it has read its first record.
                if found.isEmpty, !writer.isPresent || !runs.isEmpty { break }
                if !found.isEmpty { try show(found) }
            } catch let error where !(error is OutputFile.Failure) {
                // An import creates a new database when it has begun, and publishes it in a moment without a file.
                guard case .process(_?, _) = writer else { throw error }
            }
            if runs.isEmpty, case .process(let process?, _) = writer, clock.now - start > StatusWatch.patience {
                try replace(["process \(process) has the database open, and has begun no import"])
                return ExitCode.success
            }
            if let code = wait() { return code }
        }
        let lines = runs.sorted { $0.key < $1.key }.map(\.value.ending)
        try replace(lines.isEmpty ? ["nothing is running"] : lines)
        return ExitCode.success
    }

    /// The entries of the runs in progress; those of other runs that are shown are updated.
    private mutating func entries(_ writer: RunWork) throws -> [JournalEntry] {
        let all = try database.imports.database.reading { store in
            try store.runs().map { ($0, $0.state == .running ? try store.workers(on: $0) : []) }
        }
        return all.compactMap { entry, workers in
            let work = database.address == nil ? writer : .processes(workers)
            if work.isRunning(entry) { return entry }
            if runs[entry.run] != nil { _ = runs[entry.run]?.line(entry) }
            return nil
        }
    }

    // MARK: Lines

    private mutating func show(_ entries: [JournalEntry]) throws {
        let lines = entries.map { entry in
            var run = runs[entry.run] ?? WatchedRun(entry)
            let line = run.line(entry)
            runs[entry.run] = run
            return line
        }
        if width == nil {
            let now = clock.now
            if let lastLines, now - lastLines < .seconds(5) { return }
            lastLines = now
        }
        try replace(lines)
    }

    /// Writes lines in the place of the last ones, if a terminal shows them.
    private mutating func replace(_ lines: [String]) throws {
        var text = ""
        if shownLines > 0 { text += "\u{1B}[\(shownLines)A\u{1B}[J" }
        for line in lines { text += (width.map { String(line.prefix($0 - 1)) } ?? line) + "\n" }
        if width != nil { shownLines = lines.count }
        try output.end(text)
    }

    /// Waits until the journal is read again; returns the exit code if a signal has ended the wait.
    private func wait() -> Int32? {
        // A question to a server costs a connection.
        let milliseconds: Int32 = database.address == nil ? 500 : 2000
        var polled = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, milliseconds)
        return signals.exitCode
    }
}
