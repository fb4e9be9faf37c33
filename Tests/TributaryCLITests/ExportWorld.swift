import Foundation
import Testing
import TributaryModel
import TributarySQLite
import TributaryStore
import TributaryTestSupport

/// A folder with a database that is exported, and the database that the printed commands make.
struct ExportWorld {
    let world: ImportWorld

    init() throws { world = try ImportWorld() }

    /// Runs `tributary export app.sqlite WORDS` in the folder.
    func export(_ words: String...) throws -> Tool.Outcome { try export(words) }

    func export(_ words: [String]) throws -> Tool.Outcome {
        try Tool.tributary.run(["export", "app.sqlite"] + words, in: world.folder.url)
    }

    /// Exports everything, runs the printed commands, and returns the path of the database that they make.
    func roundTrip(_ name: String = "out") throws -> String {
        try runCommands(try export("--to", name).expect(0), name)
    }

    /// Runs printed commands, of compressed files if asked for, and returns the path of the database that they make.
    func runCommands(_ outcome: Tool.Outcome, _ name: String, isCompressed: Bool = false) throws -> String {
        var commands = outcome.commands.map { "\($0) -q || exit 1" }.joined(separator: "\n")
        if isCompressed { commands = "gzip \(name)/*.ndjson\n" + commands.replacing(".ndjson ", with: ".ndjson.gz ") }
        try #require(!commands.isEmpty, "\(outcome.error)")
        let run = try Tool.shell(commands, in: world.folder.url)
        try #require(run.code == 0, "\(outcome.text)\n\(run.error)")
        return world.folder.path("\(name).sqlite")
    }

    // MARK: Databases

    /// Imports records of an entity into the database.
    func load(_ records: [String], _ entity: String, _ options: [String] = []) throws {
        let path = try world.write(records.joined(separator: "\n"), "\(entity).ndjson")
        let words = ["import", world.database, path, "--entity", entity, "--format", "ndjson", "-q"]
        try Tool.tributary.run(words + options).expect(0)
    }

    /// Imports a library.
    func load(_ feed: LibraryFeed) throws {
        let model = try world.write(ModelFile.write(ModelDescription(LibraryModel.entities)), "library.xml")
        for file in feed.files { try load(file.records, file.entity, ["--model", model]) }
    }

    /// Imports a drawn database.
    func load(_ draw: ExportDraw) throws {
        for file in draw.files { try load(file.records, file.entity, draw, []) }
    }

    /// Imports records of a drawn database.
    func load(_ records: [[String: String]], _ entity: String, _ draw: ExportDraw, _ options: [String]) throws {
        let model = try world.write(ModelFile.write(draw.model), "draw.xml")
        try load(records.map { draw.text($0) }, entity, ["--model", model] + options)
    }

    /// Copies the database, and returns its last run.
    func copyBefore() throws -> Int64 {
        let connection = try Connection(.file(world.database))
        try connection.execute("VACUUM INTO \(world.folder.path("before.sqlite"))")
        return try connection.integer(of: "SELECT MAX(\"run\") FROM \"_run\"") ?? 0
    }

    /// Imports the files of printed commands into the copy, and returns its path.
    func importIntoCopy(_ outcome: Tool.Outcome, _ name: String) throws -> String {
        let commands = outcome.commands.map {
            "\($0.replacing("import \(name).sqlite ", with: "import before.sqlite ")) -q || exit 1"
        }
        let run = try Tool.shell(commands.joined(separator: "\n"), in: world.folder.url)
        try #require(run.code == 0, "\(outcome.text)\n\(run.error)")
        return world.folder.path("before.sqlite")
    }

    /// The text of an exported file.
    func text(_ name: String) throws -> String { String(decoding: try world.folder.read(name), as: UTF8.self) }

    /// The rows of queries, each value with its kind.
    func content(_ path: String, _ queries: [String]) throws -> [[String]] {
        let connection = try Connection(.file(path))
        return try queries.map { query in
            try connection.rows(of: SQLFragment(trusted: query)).map { row in
                row.map { "\($0)" }.joined(separator: " | ")
            }
        }
    }

    /// Expects that both databases have the same rows, declared columns and indexes, in which queries name each object by
    /// its key.
    func expectEqual(_ other: String, _ queries: [String], _ place: String = "") throws {
        // Tables of imports alone are left out.
        let names =
            "(m.name LIKE '%.%' OR m.name NOT LIKE '\\_%' ESCAPE '\\') AND m.name NOT LIKE '%waiting%' AND m.name NOT LIKE 'sqlite%'"
        let schema = """
            SELECT m.name, c.name, c.type FROM sqlite_master AS m LEFT JOIN pragma_table_info(m.name) AS c
            WHERE \(names) ORDER BY 1, 2
            """
        let (found, expected) = (
            try content(other, queries + [schema]), try content(world.database, queries + [schema])
        )
        for (index, (one, two)) in zip(found, expected).enumerated() {
            #expect(one == two, "\(place) query \(index)")
        }
        #expect(expected.dropLast().contains { !$0.isEmpty }, "\(place)")
    }
}

extension Tool.Outcome {
    /// The commands that an export has printed, without the first line, by which a shell ends at a failure.
    var commands: [String] { lines.first == "set -e" ? Array(lines.dropFirst()) : lines }
}
