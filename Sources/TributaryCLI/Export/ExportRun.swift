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
    /// The files with rows, each with its table and the number of its rows.
    private var files: [(path: String, table: String, rows: Int)] = []

    /// A run with an opened database.
    init(_ command: ExportCommand, _ reader: ExportReader, _ signals: StopSignals) {
        (self.command, self.reader, self.signals) = (command, reader, signals)
        database = Excerpt.escape(command.database)
        console = Console(progress: command.output.progress)
    }

    /// Writes the rows, and returns the exit code.
    mutating func run() throws -> Int32 {
        defer { console.clearProgress() }
        // Refusals come before anything is written.
        if let run = command.changedSince { try reader.checkChanges(since: run) }
        let tables = try tables()
        for table in tables.flatMap(\.all) { try sayWhatIsMissing(table) }
        switch command.target {
        case .standardOutput:
            let output = OutputFile(stop: signals.descriptor)
            let table = try one(tables)
            try write(table) { bytes in try output.write { $0 += bytes } }
            try output.flush()
            try countDeleted(table)
        case .file(let path):
            try check([path])
            if FileKind.isNamedPipe(path) {
                throw CommandError(
                    "\(Excerpt.escape(path)) is a named pipe, whose reader may never come; write --to - > PIPE instead")
            }
            let file = try ExportFile(path)
            let table = try one(tables)
            try write(table, file.write)
            try file.finish()
            try countDeleted(table)
            files.append((path, table.name, rows))
            if command.output.isJSON { try OutputFile().end(String(decoding: json([]), as: UTF8.self)) }
            say("\(FigureText.counted(rows, "row")) in \(Excerpt.escape(path))")
        case .directory(let path):
            try write(
                tables,
                to: ExportFolder(
                    path, tables.map(\.name), changesOf: command.changedSince.map { _ in command.database }))
        }
        return ExitCode.success
    }

    /// The tables to write; of nested objects those without an owner, if there are some.
    private func tables() throws -> [ExportTable] {
        let names = try names()
        if !command.names.isEmpty, let owner = reader.nesting.owners.first(where: { !names.contains($0) }) {
            throw CommandError("--nest: \(Excerpt.escape(owner)) is not exported; name it, or export all entities")
        }
        if command.changedSince != nil, let view = names.first(where: reader.others.views.contains) {
            throw CommandError("\(Excerpt.escape(view)) is a view, and changes are kept of tables alone")
        }
        return try names.compactMap { name in
            let leavesOut = command.names.isEmpty && reader.nestedEntities.contains(name)
            let table = try reader.table(name, leavingOutNested: leavesOut)
            guard leavesOut else { return table }
            try reader.open(table)
            return try reader.next() ? table : nil
        }
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

    /// Tells what the rows of a table leave out.
    private mutating func sayWhatIsMissing(_ table: ExportTable) throws {
        let name = Excerpt.escape(table.name)
        if command.changedSince != nil, let order = table.order {
            say(
                "\(name) has rows in the order of \(Excerpt.escape(order)), which no import changes: export all rows for it"
            )
        }
        for column in try reader.addedColumns(of: table) {
            say("left out: \(name).\(Excerpt.escape(column)), a column that another program has added")
        }
        for other in try reader.numberedTables(of: table) {
            say(
                "\(name) refers to rows of \(Excerpt.escape(other)) by their _pk, numbers that are those of this database alone"
            )
        }
    }

    // MARK: Rows

    /// The bytes that are written at once: few enough for memory that is used again, not returned to the system.
    private static let batchSize = 64 << 10

    /// Writes the rows of a table, whose text `take` gets in batches.
    private mutating func write(_ table: ExportTable, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        let text = ExportText(table)
        var buffer = TextBuffer(capacity: ExportRun.batchSize * 2)
        let clock = ContinuousClock()
        var last = clock.now
        try reader.open(table)
        while try reader.next() {
            try text.append(from: reader, to: &buffer)
            rows += 1
            guard buffer.count >= ExportRun.batchSize else { continue }
            try take(buffer.bytes)
            buffer.removeAll()
            if signals.exitCode != nil { throw OutputFile.Failure.stopped }
            guard clock.now - last > console.interval else { continue }
            last = clock.now
            console.progress("\(FigureText.counted(rows, "row")), \(Excerpt.escape(table.name))")
        }
        try take(buffer.bytes)
        if signals.exitCode != nil { throw OutputFile.Failure.stopped }
    }

    // MARK: Deleted rows

    /// Writes the keys of deleted rows, and returns their number.
    private func writeDeleted(_ table: ExportTable, _ take: (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
        guard let deleted = table.deleted else { return 0 }
        let row = RowText(deleted)
        let start = [UInt8](#"{"entity":"#.utf8) + JSONLineWriter.quoted(table.name) + [UInt8](#","key":"#.utf8)
        var count = 0
        var line = TextBuffer()
        try reader.open(deleted: deleted)
        while try reader.next() {
            line.removeAll()
            line.append(start)
            row.append(reader.cells, to: &line)
            line.append([UInt8]("}\n".utf8))
            try take(line.bytes)
            count += 1
        }
        return count
    }

    /// Tells that rows were deleted, whose keys a file of rows cannot have.
    private mutating func countDeleted(_ table: ExportTable) throws {
        let count = try writeDeleted(table) { _ in }
        guard count > 0 else { return }
        say("\(FigureText.counted(count, "row")) deleted since: export into a directory for their keys")
    }

    // MARK: A directory

    private mutating func write(_ tables: [ExportTable], to folder: ExportFolder) throws {
        try check([folder.path] + folder.files)
        try folder.make()
        var lines: [String] = []
        if let model = reader.model {
            try ExportFile.write(ModelWriter.write(model.declaration), to: folder.model)
            try ExportFile.write(Mappings(of: tables, in: model).jsonText + "\n", to: folder.map)
        }
        for (table, path) in zip(tables, folder.rows) {
            let before = rows
            let file = try ExportFile(path)
            try write(table, file.write)
            try file.finish()
            files.append((path, table.name, rows - before))
            // The first command makes the tables of all entities.
            let makesTables = table.entity != nil && lines.isEmpty
            if rows == before, !makesTables { continue }
            if let line = line(table, path, folder) { lines.append(line) }
        }
        if command.changedSince != nil {
            let file = try ExportFile(folder.deleted)
            let count = try tables.map { try writeDeleted($0, file.write) }.reduce(0, +)
            try file.finish()
            let path = Excerpt.escape(folder.deleted)
            if count > 0 {
                say("\(FigureText.counted(count, "row")) deleted since, with keys in \(path); no import deletes them")
            }
        }
        if let run = command.changedSince, !lines.isEmpty {
            say(
                "the commands import into \(Excerpt.escape(folder.database)): a copy of the database from after run \(run)"
            )
        }
        if command.output.isJSON { try OutputFile().end(String(decoding: json(lines), as: UTF8.self)) }
        // The shell ends at the first command that fails.
        if !lines.isEmpty { lines.insert("set -e", at: 0) }
        if !command.isQuiet, !command.output.isJSON { try OutputFile().end(lines.map { "\($0)\n" }.joined()) }
        let left = reader.model != nil && command.names.isEmpty ? reader.others.tables : []
        if !left.isEmpty {
            say(
                "left out, since another program made them: \(left.map { Excerpt.escape($0) }.shortList); name those wanted"
            )
        }
        say(
            "\(FigureText.counted(rows, "row")) in \(FigureText.counted(tables.count, "file")) in \(Excerpt.escape(folder.path))"
        )
    }

    /// The files and the commands that import them, as one JSON object.
    private func json(_ commands: [String]) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("rows", rows)
        let items = files.map { file in
            JSONLineWriter.object {
                $0.add("path", file.path)
                $0.add("table", file.table)
                $0.add("rows", file.rows)
            }
        }
        writer.add("files", json: JSONLineWriter.array(items))
        writer.add("commands", commands)
        return writer.finish()
    }

    /// The command that imports a file; nil if none can.
    private mutating func line(_ table: ExportTable, _ path: String, _ folder: ExportFolder) -> String? {
        var words = ["tributary", "import", folder.database, path, "--format", "ndjson"]
        if table.entity != nil {
            if table.keys.isEmpty, command.changedSince != nil {
                say("\(Excerpt.escape(table.name)) has no key: an import would add its rows instead of changing them")
                return nil
            }
            words += ["--model", folder.model, "--map", folder.map, "--entity=\(table.name)"]
        } else {
            if let fault = EntityName.fault(in: table.name) {
                say("\(Excerpt.escape(table.name)) needs another name to be imported: its name \(fault)")
                return nil
            }
            if reader.model?.declaration.isInferred == false { return nil }
            words += ["--extended-json", "never", "--table=\(table.name)"]
        }
        return words.map(ShellWord.quoted).joined(separator: " ")
    }
}
