import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// A folder with a database that is exported, and the database that the printed commands make.
struct ExportWorld {
    let world: ImportWorld

    init() throws { world = try ImportWorld() }

    /// Runs `tributary export app.sqlite WORDS` in the folder.
    func export(_ words: String...) throws -> Tool.Outcome {
        try Tool.tributary.run(["export", "app.sqlite"] + words, in: world.folder.url)
    }

    /// Exports everything, runs the printed commands, and returns the path of the database that they make.
    func roundTrip(_ name: String = "out") throws -> String {
        let outcome = try export("--to", name).expect(0)
        let commands = outcome.lines.map { "\($0) -q || exit 1" }.joined(separator: "\n")
        try #require(!commands.isEmpty, "\(outcome.error)")
        let run = try Tool.shell(commands, in: world.folder.url)
        try #require(run.code == 0, "\(outcome.text)\n\(run.error)")
        return world.folder.path("\(name).sqlite")
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
