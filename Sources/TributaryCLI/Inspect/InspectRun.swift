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
        var console = Console(progress: command.isQuiet ? .never : .auto)
        try checkOutputs()
        let earlier = try command.earlier.map(ProfileFile.read)
        let profile: DumpProfile
        do {
            profile = try self.profile(&console)
        } catch is CancellationError {
            // It was stopped while it searched for the paths of the records.
            console.clearProgress()
            return signals.exitCode ?? ExitCode.failure
        }
        console.clearProgress()
        let model = try command.model.map { try InspectModel(profile, command, sources, file: $0) }
        let report = ProfileReport(profile, command, TerminalText(), model)
        try write(report, model)
        let output = OutputFile(stop: signals.descriptor)
        let differences = earlier.map { report.differences(from: $0) }
        try output.write { bytes in
            if command.isJSON {
                bytes += try ProfileCoding.encode(profile, withoutValues: command.hidesValues)
                bytes.append(UInt8(ascii: "\n"))
            } else if !command.isQuiet {
                bytes += Array((differences.map { $0.map { "\($0)\n" }.joined() } ?? report.text).utf8)
            }
        }
        try output.flush()
        if let code = signals.exitCode { return code }
        if profile.damage.end != nil { return ExitCode.failure }
        if let differences, !differences.isEmpty { return ExitCode.changes }
        return profile.damage.count > 0 ? ExitCode.attention : ExitCode.success
    }

    /// Refuses outputs that are inputs or cannot be written, before anything is read.
    private func checkOutputs() throws {
        let files = sources.compactMap { $0.file.flatMap { FileIdentity($0) } }
        let inputs = Set(files + [command.earlier].compactMap { $0.flatMap { FileIdentity(path: $0) } })
        let paths = [command.page, command.schema, command.model.map(InspectModel.file), command.map].compactMap(\.self)
        guard Set(paths).count == paths.count else {
            throw UsageError("Two outputs have the same file; choose another", command: "inspect")
        }
        if let bundle = command.model { try InspectModel.makeFolders(of: bundle) }
        for path in paths {
            if let file = FileIdentity(path: path), inputs.contains(file) {
                throw UsageError("The output '\(path)' is an input; choose another file", command: "inspect")
            }
            if let obstacle = FileReplacement.obstacle(at: path) {
                throw OutputFile.Failure.system("cannot write \(path): \(obstacle)")
            }
        }
    }

    private func write(_ report: ProfileReport, _ model: InspectModel?) throws {
        let outputs: [(String?, () -> String)] = [
            (command.page, report.page), (command.schema, report.schema),
            (command.model.map(InspectModel.file), { model?.text ?? "" }), (command.map, { model?.mapText ?? "" }),
        ]
        for (path, text) in outputs {
            guard let path else { continue }
            do {
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
        let reading = ProfileReading(sources, options, limit: command.limit)
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
