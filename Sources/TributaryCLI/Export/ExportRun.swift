import Foundation
import TributaryImport
import TributaryJSON

/// One run of `tributary export`.
struct ExportRun {
    private let command: ExportCommand
    private let reader: ExportReader
    private let signals: StopSignals
    private let database: String
    private var console: Console
    private var rows = 0

    /// A run with an opened database.
    init(_ command: ExportCommand, _ reader: ExportReader, _ signals: StopSignals) {
        (self.command, self.reader, self.signals) = (command, reader, signals)
        database = Excerpt.escape(command.database)
        console = Console(progress: command.isQuiet ? .never : .auto)
    }

    /// Writes the rows, and returns the exit code.
    mutating func run() throws -> Int32 {
        defer { console.clearProgress() }
        // Refusals come before anything is written.
        let tables = try names().map { try reader.table($0) }
        switch command.target {
        case .standardOutput:
            let output = OutputFile(stop: signals.descriptor)
            try write(one(tables)) { try output.write($0) }
            try output.flush()
        case .file(let path):
            try check([path])
            let file = try ExportFile(path)
            try write(one(tables)) { try file.write($0) }
            try file.finish()
            say("\(Progress.counted(rows, "row")) in \(Excerpt.escape(path))")
        case .directory(let path): try write(tables, to: ExportFolder(path, tables.map(\.name)))
        }
        return ExitCode.success
    }

    /// The entities and tables to write.
    private func names() throws -> [String] {
        guard !command.names.isEmpty else {
            let all = reader.model == nil ? reader.others.tables : reader.entities
            if all.isEmpty { throw CommandError("\(database): the database has no tables") }
            return all
        }
        let known = (reader.entities + reader.others.tables, reader.others.views)
        let chosen = try command.names.map { try InspectedDatabase.table($0, in: known, of: command.database) }
        return known.0.filter(chosen.contains) + known.1.filter(chosen.contains)
    }

    /// The only table, since a file has one.
    private func one(_ tables: [ExportTable]) throws -> ExportTable {
        guard tables.count == 1 else {
            throw UsageError(
                "A file has the rows of one entity; name one of \(tables.map { Excerpt.escape($0.name) }.shortList), or a directory",
                command: "export")
        }
        return tables[0]
    }

    /// Refuses files that are parts of the database.
    private func check(_ paths: [String]) throws {
        for path in paths {
            if FilePath.database(command.database).contains(where: { FilePath.areSame($0.path, path) }) {
                throw UsageError("The output '\(path)' is a part of the database; choose another", command: "export")
            }
        }
    }

    private mutating func say(_ text: String) {
        if !command.isQuiet { console.say(text) }
    }

    // MARK: Rows

    /// Writes the rows of a table, each of which `take` gets.
    private mutating func write(
        _ table: ExportTable, _ take: (_ row: (inout [UInt8]) throws -> Void) throws -> Void
    ) throws {
        let text = ExportText(table)
        let clock = ContinuousClock()
        var last = clock.now
        try reader.open(table)
        while try reader.next() {
            try take { try text.append(from: reader, to: &$0) }
            rows += 1
            guard rows % 1024 == 0 else { continue }
            if signals.exitCode != nil { throw OutputFile.Failure.stopped }
            guard clock.now - last > console.interval else { continue }
            last = clock.now
            console.progress("\(Progress.counted(rows, "row")), \(Excerpt.escape(table.name))")
        }
        if signals.exitCode != nil { throw OutputFile.Failure.stopped }
    }

    // MARK: A directory

    private mutating func write(_ tables: [ExportTable], to folder: ExportFolder) throws {
        try folder.make()
        try check(folder.files)
        var lines: [String] = []
        if let model = reader.model {
            try ExportFile.write(ModelWriter.write(model.declaration), to: folder.model)
            try ExportFile.write(Mappings(of: tables, in: model).jsonText + "\n", to: folder.map)
        }
        for (table, path) in zip(tables, folder.rows) {
            let before = rows
            let file = try ExportFile(path)
            try write(table) { try file.write($0) }
            try file.finish()
            // The first command makes the tables of all entities.
            let makesTables = table.entity != nil && lines.isEmpty
            if rows == before, !makesTables { continue }
            if let line = line(table, path, folder) { lines.append(line) }
        }
        if !command.isQuiet { try OutputFile().end(lines.map { "\($0)\n" }.joined()) }
        let left = reader.model != nil && command.names.isEmpty ? reader.others.tables : []
        if !left.isEmpty {
            say(
                "left out, since another program made them: \(left.map { Excerpt.escape($0) }.shortList); name those wanted"
            )
        }
        say(
            "\(Progress.counted(rows, "row")) in \(Progress.counted(tables.count, "file")) in \(Excerpt.escape(folder.path))"
        )
    }

    /// The command that imports a file; nil if none can.
    private mutating func line(_ table: ExportTable, _ path: String, _ folder: ExportFolder) -> String? {
        var words = ["tributary", "import", path, "--into", folder.database, "--format", "ndjson"]
        if table.entity != nil {
            words += ["--model", folder.model, "--map", folder.map, "--entity=\(table.name)"]
        } else {
            if let fault = EntityName.fault(in: table.name) {
                say("\(Excerpt.escape(table.name)) needs another name to be imported: its name \(fault)")
                return nil
            }
            if reader.model?.declaration.isInferred == false { return nil }
            words.append("--table=\(table.name)")
        }
        return words.map(ShellWord.quoted).joined(separator: " ")
    }
}
