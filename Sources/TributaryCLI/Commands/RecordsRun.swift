import TributaryJSON

/// One run of `tributary records`.
final class RecordsRun {
    private let command: RecordsCommand
    private let signals: StopSignals
    private let reader: RecordReader
    private let output = OutputFile.standardOutput
    private var rejects: OutputFile?
    private var console = Console()
    private var progress: Progress
    private var statedSources = 0
    private var seen = 0
    private var printed = 0
    private var rejected = 0
    private var rejectedBytes = 0
    /// How many rejects are named on standard error when they are not kept in a file.
    private static let mostNamed = 10

    init(_ command: RecordsCommand, _ sources: [any ByteSource], signals: StopSignals) {
        self.command = command
        self.signals = signals
        reader = RecordReader(from: sources, options: command.options)
        let sizes = sources.map(\.byteCount)
        progress = Progress(totalBytes: sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) })
    }

    func run() throws -> Int32 {
        rejects = try command.rejectsPath.map { try OutputFile(replacing: $0) }
        let reader = reader
        signals.onStop { reader.cancel() }
        do {
            while !isEnough, let chunk = try reader.next() {
                stateSources()
                try take(chunk)
                showProgress()
            }
            try finishOutput()
        } catch let error as JSONError {
            stateSources()
            try finishOutput()
            console.say("tributary: \(error)")
            return ExitCode.failure
        } catch is CancellationError {
            try finishOutput()
            console.clearProgress()
            return signals.exitCode ?? ExitCode.failure
        }
        stateSources()
        summarize()
        return rejected > 0 ? ExitCode.rejected : ExitCode.success
    }

    private var isEnough: Bool { command.limit.map { printed >= $0 } ?? false }

    private func take(_ chunk: RecordChunk) throws {
        for reject in chunk.rejects { try take(reject) }
        try rejects?.flush()
        let first = min(chunk.count, max(0, command.skip - seen))
        seen += chunk.count
        let count = min(chunk.count - first, command.limit.map { $0 - printed } ?? .max)
        guard count > 0 else { return }
        try output.write { bytes in
            for record in chunk[first..<first + count] {
                record.value.appendCompact(to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        printed += count
        // A slow source is followed as it comes; a fast one fills the buffer.
        if chunk.count < 64 { try output.flush() }
    }

    private func take(_ reject: Reject) throws {
        rejected += 1
        rejectedBytes += reject.length
        if let rejects {
            try rejects.write { reject.appendJSONLine(to: &$0) }
        } else if rejected <= RecordsRun.mostNamed {
            console.say("tributary: skipped: \(reject.error)")
        } else if rejected == RecordsRun.mostNamed + 1 {
            console.say("tributary: skipped: more of them, counted at the end")
        }
    }

    private func finishOutput() throws {
        try output.flush()
        try rejects?.flush()
        console.clearProgress()
    }

    private func stateSources() {
        let sources = reader.report.sources
        if !command.isQuiet {
            for source in sources[statedSources...] { console.say("tributary: \(source)") }
        }
        statedSources = sources.count
    }

    private func showProgress() {
        let report = reader.report
        let line = progress.line(
            records: seen, rejects: rejected, bytes: report.bytes, storedBytes: report.storedBytes)
        if let line { console.progress(line) }
    }

    private func summarize() {
        console.clearProgress()
        let repeated = reader.report.duplicateKeys
        if repeated > 0, !command.isQuiet {
            console.say("tributary: \(repeated) keys stand more than once in an object; the last of each counts")
        }
        guard rejected > 0 else { return }
        let place = command.rejectsPath.map { ", kept in \($0)" } ?? ""
        console.say(
            "tributary: \(rejected) of \(seen + rejected) records rejected (\(rejectedBytes) bytes)\(place)")
    }
}
