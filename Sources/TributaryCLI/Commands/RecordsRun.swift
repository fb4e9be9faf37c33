import TributaryImport
import TributaryPlatform

/// One run of `tributary records`.
final class RecordsRun {
    private let command: RecordsCommand
    private let signals: StopSignals
    private let sources: [any ByteSource]
    private let reader: RecordReader
    private let output: OutputFile
    /// The file of rejects, from the first chunk on.
    private var rejects: FileReplacement?
    private var console: Console
    private var progress: Progress
    private var layouts = LayoutLines()
    private var seen = 0
    private var printed = 0
    private var rejected = 0
    private var rejectedBytes = 0
    /// The rejects that contain bytes; a missing comma between records is a reject without any.
    private var rejectedRecords = 0
    /// The maximum number of rejects that are reported one by one, without a file of rejects.
    private static let reportLimit = 10

    init(_ command: RecordsCommand, _ sources: [any ByteSource], signals: StopSignals) {
        self.command = command
        console = Console(progress: command.progress)
        self.signals = signals
        self.sources = sources
        output = OutputFile(stop: signals.descriptor)
        reader = RecordReader(from: sources, options: command.options)
        progress = Progress(totalBytes: sources.storedBytes)
    }

    func run() throws -> Int32 {
        try checkOutputs()
        let reader = reader
        signals.onStop { reader.cancel() }
        do {
            while !isEnough, let chunk = try reader.next() {
                try startRejects()
                stateSources()
                try process(chunk)
                showProgress()
            }
            try startRejects()
            try finishOutput()
        } catch let error as JSONError {
            stateSources()
            // A run that could not open its input must keep the rejects of an earlier run.
            if error.code != .sourceOpen || seen > 0 { try startRejects() }
            try finishOutput()
            console.say("\(ErrorText.named(error))")
            return ExitCode.failure
        } catch is CancellationError {
            try finishOutput()
            return signals.exitCode ?? ExitCode.failure
        } catch {
            // Whole lines are kept after a full disk or a closed pipe.
            try? finishRejects()
            throw error
        }
        stateSources()
        summarize()
        return rejected > 0 ? ExitCode.attention : ExitCode.success
    }

    /// Refuses outputs that are inputs or the same file, and a file of rejects that cannot be written.
    private func checkOutputs() throws {
        let inputs = sources.map { source in
            (name: source.name, file: InputFiles.identity(of: source))
        }
        if let printed = output.identity, let input = inputs.first(where: { $0.file == printed }) {
            throw UsageError("Standard output is the input '\(input.name)'; choose another file", command: "records")
        }
        guard let path = command.rejectsPath else { return }
        if let file = FileIdentity(path: path) {
            if let input = inputs.first(where: { $0.file == file }) {
                throw UsageError("The file of rejects is the input '\(input.name)'; choose another", command: "records")
            }
            if file == output.identity {
                throw UsageError("The file of rejects is standard output; choose another", command: "records")
            }
        }
        try writingRejects { if let obstacle = FileReplacement.obstacle(at: path) { throw obstacle } }
        do {
            _ = try RejectsFile(path: path, besides: [])
        } catch let error as ImportError {
            throw UsageError("\(error)", command: "records")
        }
    }

    /// Begins the file of rejects, once the input could be opened.
    private func startRejects() throws {
        guard rejects == nil, let path = command.rejectsPath else { return }
        try writingRejects { rejects = try FileReplacement(of: path) }
    }

    private func finishRejects() throws {
        try writingRejects { try rejects?.finish() }
        rejects = nil
    }

    private func writingRejects(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as FileReplacement.Failure {
            throw OutputFile.Failure.system("cannot write \(command.rejectsPath ?? ""): \(error)")
        }
    }

    private var isEnough: Bool { command.limit.map { printed >= $0 } ?? false }

    private func process(_ chunk: RecordChunk) throws {
        let first = min(chunk.count, max(0, command.skip - seen))
        let count = min(chunk.count - first, command.limit.map { $0 - printed } ?? .max)
        // Rejects after the last record of the limit do not count.
        let isLast = count > 0 && printed + count == command.limit
        let end = isLast ? chunk[first + count - 1].offset : Int.max
        var lines: [UInt8] = []
        for reject in chunk.rejects where reject.offset < end { record(reject, &lines) }
        try writingRejects { try rejects?.write(lines) }
        seen += isLast ? first + count : chunk.count
        guard count > 0 else { return }
        try output.write { bytes in
            for record in chunk[first..<first + count] {
                record.value.appendCompact(to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        printed += count
        // Records of a slow source are printed at once; those of a fast one fill the buffer.
        if chunk.count < 64 { try output.flush() }
    }

    /// Counts a reject, and appends its line, or reports it.
    private func record(_ reject: Reject, _ lines: inout [UInt8]) {
        rejected += 1
        if reject.length > 0 { rejectedRecords += 1 }
        rejectedBytes += reject.length
        if rejects != nil {
            reject.appendJSONLine(to: &lines)
        } else if rejected <= RecordsRun.reportLimit {
            console.say("skipped: \(reject.error)")
        } else if rejected == RecordsRun.reportLimit + 1 {
            console.say("further rejects are only counted")
        }
    }

    private func finishOutput() throws {
        stateSources(isAtEnd: true)
        try finishRejects()
        try output.flush()
        console.clearProgress()
    }

    private func stateSources(isAtEnd: Bool = false) {
        layouts.say(reader.report.sources, isAtEnd: isAtEnd, isQuiet: command.isQuiet, on: &console)
    }

    private func showProgress() {
        let report = reader.report
        let line = progress.line(records: seen, rejects: rejected, bytes: report.bytes, storedBytes: report.storedBytes)
        if let line { console.progress(line) }
    }

    private func summarize() {
        console.clearProgress()
        let repeated = reader.report.duplicateKeys
        if repeated > 0, !command.isQuiet {
            let keys = repeated == 1 ? "1 key is" : "\(repeated) keys are"
            console.say("\(keys) repeated within an object; the last value is used")
        }
        guard rejected > 0 else { return }
        let place = command.rejectsPath.map { ", kept in \($0)" } ?? ""
        let faults = rejected - rejectedRecords
        let between =
            faults == 0 ? "" : faults == 1 ? ", 1 fault between records" : ", \(faults) faults between records"
        console.say(
            "\(rejectedRecords) of \(seen + rejectedRecords) records rejected (\(rejectedBytes) bytes)"
                + between + place)
    }
}
