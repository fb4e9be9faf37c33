import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// A new database with related tables is made while its dump is read once, if the beginning of the dump tells its tables.
@Suite struct OneReadingTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    /// More films than the beginning that is read first, and `last` after them.
    private func films(_ last: String) throws -> String {
        let overview = String(repeating: "a long story ", count: 40)
        let films = (0..<9000).map { id in
            """
            {"id":\(id),"overview":"\(overview)","director":{"id":\(id % 700),"name":"d\(id % 700)"},\
            "genres":[{"id":\(id % 7)},{"id":\(id % 5 + 7)}]}
            """
        }
        return try world.write((films + [last]).joined(separator: "\n"), "films.ndjson")
    }

    private func dump(_ database: String) throws -> [String] {
        let connection = try Connection(.file(database))
        let tables = try connection.texts(
            of:
                "SELECT \"name\" FROM sqlite_master WHERE \"type\" = 'table' AND \"name\" NOT IN ('_run', '_metadata') ORDER BY 1"
        )
        return try tables.flatMap { table in
            try connection.rows(of: "SELECT * FROM \(identifier: table) ORDER BY 1, 2").map { "\(table) \($0)" }
        }
    }

    @Test(
        "What the end of a dump says about the tables counts as much as its beginning",
        arguments: [
            (#"{"id":9000,"director":{"id":1,"name":"d1"},"genres":[{"id":3}]}"#, false),
            (#"{"id":9000,"director":{"id":1,"name":"d1"},"rating":7.5}"#, true),
            (#"{"id":9000,"director":{"id":"one","name":"d1"},"studio":{"id":1,"name":"s"}}"#, true),
            (#"{"id":9000,"overview":1}"#, true),
            (#"{"id":0,"director":{"id":1,"name":"other"},"genres":[{"id":99}]}"#, false),
        ])
    func ends(_ last: String, _ beginsAgain: Bool) throws {
        let path = try films(last)
        let words = [path, "--entity", "Film", "--relations", "--first-load"]
        let once = world.folder.path("once.sqlite")
        let loaded = try Tool.tributary.run(["import", once] + words + ["direct"])
        let grouped = try Tool.tributary.run(["import", world.database] + words + ["groups"])
        #expect(loaded.code == 0 && grouped.code == 0, "\(loaded.error) \(grouped.error)")
        #expect(loaded.error.contains("the import begins again") == beginsAgain)
        let lines = { (text: String) in text.split(separator: "\n").filter { $0.contains(": table ") }.sorted() }
        #expect(lines(loaded.error) == lines(grouped.error) && !lines(loaded.error).isEmpty)
        let (found, expected) = (try dump(once), try dump(world.database))
        let isEqual = found == expected
        #expect(isEqual && found.count > 18_000)
        #expect(try Connection(.file(once)).texts(of: "PRAGMA integrity_check") == ["ok"])
        let left = try FileManager.default.contentsOfDirectory(atPath: world.folder.path("")).filter {
            $0.contains("load")
        }
        #expect(left.isEmpty, "\(left)")
    }
}
