import Foundation
import TributaryImport
import TributaryJSON

/// One run of `tributary inspect`.
struct InspectRun {
    private let command: InspectCommand
    private let sources: [any ByteSource]
    private let signals: StopSignals

    init(_ command: InspectCommand, _ sources: [any ByteSource], _ signals: StopSignals) {
        (self.command, self.sources, self.signals) = (command, sources, signals)
    }

    func run() throws -> Int32 {
        var console = Console(progress: command.progress)
        try checkOutputs()
        let baseline: InspectBaseline?
        let profile: DumpProfile
        do {
            baseline = try command.earlier.map { path in
                try InspectBaseline(path, command) { rows in
                    try self.profile(of: [rows], rows.reading(command.options), limit: nil, &console)
                }
            }
            if let code = signals.exitCode {
                console.clearProgress()
                return code
            }
            profile = try self.profile(&console)
        } catch is CancellationError {
            // It was stopped while it searched for the paths of the records.
            console.clearProgress()
            return signals.exitCode ?? ExitCode.failure
        }
        console.clearProgress()
        if let baseline { try check(baseline, &console) }
        let stop = signals.exitCode
        let model = stop == nil ? try command.model.map { try InspectModel(profile, command, sources, file: $0) } : nil
        let report = ProfileReport(profile, command, TerminalText(), model)
        if stop == nil {
            try write(report, model)
        } else if !outputs.isEmpty {
            console.say("no file was written, since only a part was read")
        }
        if stop != nil, baseline != nil { console.say("nothing was compared, since only a part was read") }
        let differences = stop == nil ? try baseline.map { try report.differences(from: $0) } : nil
        if command.isJSON || command.isQuiet || baseline != nil { report.warnings.forEach { console.say($0) } }
        let output = OutputFile(stop: signals.descriptor)
        try output.write { bytes in
            if command.isJSON {
                bytes += try ProfileCoding.encode(profile, withoutValues: command.hidesValues)
                bytes.append(UInt8(ascii: "\n"))
            } else if !command.isQuiet, baseline != nil {
                bytes += Array((differences ?? []).map { "\($0)\n" }.joined().utf8)
            } else if !command.isQuiet {
                bytes += Array(report.text.utf8)
            }
        }
        try output.flush()
        if let stop { return stop }
        if profile.damage.end != nil { return ExitCode.failure }
        if let differences, !differences.isEmpty { return ExitCode.changes }
        return profile.damage.count > 0 ? ExitCode.attention : ExitCode.success
    }

    /// Refuses a table that cannot be read, and says what of it is not compared.
    private func check(_ baseline: InspectBaseline, _ console: inout Console) throws {
        guard let profile = baseline.profile, let path = command.earlier.map(Excerpt.escape) else { return }
        if let end = profile.damage.end { throw CommandError("\(path): the rest could not be read: \(end)") }
        if profile.damage.count > 0 {
            console.say("\(path): \(FigureText.counted(profile.damage.count, "record")) could not be read")
        }
        if !profile.isWhole { console.say("\(path): it is the profile of a part of the records") }
    }

    /// The files that are written.
    private var outputs: [String] {
        [command.page, command.schema, command.model.map(InspectModel.file), command.map].compactMap(\.self)
    }

    /// Refuses outputs that are inputs or cannot be written, before anything is read.
    private func checkOutputs() throws {
        let files = sources.compactMap { $0.file.flatMap { FileIdentity($0) } }
        let databases = sources.filter { $0 is TableSource }.map(\.name) + [command.earlier].compactMap(\.self)
        let parts = databases.flatMap { FilePath.database($0).map(\.path) }
        let inputs = Set(files + parts.compactMap { FileIdentity(path: $0) })
        let targets = outputs.map(InspectRun.target)
        guard Set(targets).count == targets.count else {
            throw UsageError("Two outputs have the same file; choose another", command: "inspect")
        }
        for path in outputs {
            let isInput = FileIdentity(path: path).map(inputs.contains) ?? false
            if isInput || parts.map(InspectRun.target).contains(InspectRun.target(path)) {
                throw UsageError("The output '\(path)' is an input; choose another file", command: "inspect")
            }
        }
        if let bundle = command.model { try InspectModel.check(bundle) }
        for path in outputs {
            if let obstacle = FileReplacement.obstacle(at: InspectModel.firstMissing(path, command.model)) {
                throw OutputFile.Failure.system("cannot write \(path): \(obstacle)")
            }
        }
    }

    /// The path of a file without links and `.`.
    private static func target(_ path: String) -> String {
        FileReplacement.target(of: URL(filePath: path).standardizedFileURL.path)
    }

    private func write(_ report: ProfileReport, _ model: InspectModel?) throws {
        let outputs: [(String?, () -> String)] = [
            (command.page, report.page), (command.schema, report.schema),
            (command.model.map(InspectModel.file), { model?.text ?? "" }), (command.map, { model?.mapText ?? "" }),
        ]
        for (path, text) in outputs {
            guard let path else { continue }
            do {
                if path == command.model.map(InspectModel.file) { try command.model.map(InspectModel.makeFolders) }
                let file = try FileReplacement(of: path)
                try file.write(Array(text().utf8))
                try file.finish()
            } catch {
                throw OutputFile.Failure.system("cannot write \(path): \(error)")
            }
        }
    }

    private func profile(_ console: inout Console) throws -> DumpProfile {
        do {
            return try profile(at: command.options.paths, &console)
        } catch let error as JSONError where error.code == .shapeAmbiguous && ProfileReading.canReadTwice(sources) {
            // Records at several paths have one profile of the whole text.
            let places = try RecordPlaces.find(in: sources, command.options) { reader in
                signals.onStop { reader.cancel() }
            }
            return try profile(at: places, &console)
        }
    }

    private func profile(at paths: [RecordPath]?, _ console: inout Console) throws -> DumpProfile {
        var options = command.options
        options.paths = paths
        return try profile(of: sources, options, limit: command.limit, &console)
    }

    private func profile(
        of sources: [any ByteSource], _ options: ReadOptions, limit: Int?, _ console: inout Console
    ) throws -> DumpProfile {
        let reading = ProfileReading(sources, options, limit: limit)
        signals.onStop { reading.reader.cancel() }
        var progress = Progress(totalBytes: sources.storedBytes)
        return try reading.profile {
            let (records, rejects) = reading.progress
            let report = reading.reader.report
            let line = progress.line(
                records: records, rejects: rejects, bytes: report.bytes, storedBytes: report.storedBytes)
            if let line { console.progress(line) }
        }
    }
}
