import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// The recipes of `docs/other-tools.md`: the commands, and the SQL that other programs send.
///
/// `scripts/sweep-recipes` runs them with those programs.
@Suite struct OtherToolsTests {
    private let folder: TemporaryFolder
    private let blocks: [(language: String, text: String)]

    init() throws {
        folder = try TemporaryFolder()
        let page = try String(contentsOf: Tool.package.appending(path: "docs/other-tools.md"), encoding: .utf8)
        blocks = page.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map { _, part in
            let lines = part.split(separator: "\n", maxSplits: 1)
            return (String(lines[0]), String(lines[1]))
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("Fixtures"), withDestinationPath: Tool.package.appending(path: "Fixtures").path)
    }

    private func blocks(_ language: String) -> [String] { blocks.filter { $0.language == language }.map(\.text) }

    /// Runs the commands that are shown, and expects the output that is shown.
    private func runCommands() throws {
        for block in blocks("console") {
            var (script, expected) = ("scripts/tributary() { tributary \"$@\"; }\n", "")
            for line in block.split(separator: "\n") {
                if line.hasPrefix("$ ") { script += line.dropFirst(2) + "\n" } else { expected += line + "\n" }
            }
            try Tool.shell(script, in: folder.url).expect(0, output: expected)
        }
    }

    private func connection(_ name: String) throws -> Connection {
        var options = Connection.Options()
        options.isReadOnly = true
        return try Connection(.file(folder.path(name)), options: options)
    }

    @Test("The commands print what the page shows, and each query in it is one that its database knows")
    func commandsAndQueries() throws {
        try runCommands()
        #expect(Set(blocks.map(\.language)) == Self.languages)
        let databases = [try connection("users.sqlite"), try connection("world.sqlite")]
        let python = blocks("python").joined().matches(of: /"(SELECT [^"]+)"/).map { String($0.1) }
        let sql = blocks("sql").joined().split(separator: "\n").map(String.init)
        #expect(python.count >= 2 && sql.count >= 2)
        for query in python + sql {
            let count = databases.filter { (try? $0.rows(of: SQLFragment(trusted: query)))?.isEmpty == false }.count
            #expect(count == 1, "\(query)")
        }
        let users = try databases[0].rows(of: SQLFragment(trusted: sql[0]))
        #expect(users.count == 4)
    }

    private static let languages: Set = [
        "console", "json metadata.json", "datasette", "python", "text", "sqlite-utils", "swift", "sql",
    ]

    @Test("The properties of the records are columns of their tables, and the hidden tables are those of the library")
    func namesExist() throws {
        try runCommands()
        let users = try connection("users.sqlite")
        let world = try connection("world.sqlite")
        let records = blocks("swift").joined().components(separatedBy: "databaseTableName = \"").dropFirst()
        #expect(records.count == 3)
        for record in records {
            let table = String(record.prefix { $0 != "\"" })
            let properties = record.components(separatedBy: "\n}")[0].matches(of: /var (\w+):/).map { String($0.1) }
            let database = table == "User" ? users : world
            let columns = try database.texts(of: "SELECT name FROM pragma_table_info(\(table))")
            #expect(!properties.isEmpty && Set(properties).isSubset(of: columns), "\(table): \(columns)")
        }
        // Datasette and GRDB find the relation by its foreign key.
        let keys = try world.rows(of: "SELECT \"table\", \"from\", \"to\" FROM pragma_foreign_key_list('states')")
        #expect(keys == [["countries", "countries", "_pk"]])
        let metadata = try JSONSerialization.jsonObject(with: Data(blocks("json metadata.json").joined().utf8))
        let tables =
            ((metadata as? [String: [String: [String: Any]]])?["databases"]?["world"]?["tables"]) as? [String: Any]
        let own = try world.texts(of: "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '_*'")
            .filter { $0.hasPrefix("_") }
        #expect(Set(own).isSubset(of: Set((tables ?? [:]).keys)), "\(own)")
    }
}
