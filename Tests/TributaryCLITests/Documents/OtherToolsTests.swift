import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// The recipes of `docs/other-tools.md`: the commands, and the SQL that other programs send.
///
/// `scripts/sweep-documents` runs them with those programs.
@Suite struct OtherToolsTests {
    private let run: PageRun

    init() throws {
        run = try PageRun(Page("docs/other-tools.md"))
        _ = try run.run()
    }

    private func blocks(_ language: String) -> [String] {
        run.page.blocks.filter { $0.language == language }.map { $0.lines.joined(separator: "\n") }
    }

    private func connection(_ name: String) throws -> Connection {
        var options = Connection.Options()
        options.isReadOnly = true
        return try Connection(.file(run.folder.path(name)), options: options)
    }

    @Test("Each query of the page is one that its database knows")
    func queries() throws {
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

    @Test("The properties of the records are columns of their tables, and the hidden tables are those of the library")
    func namesExist() throws {
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
        let metadata = try JSONSerialization.jsonObject(with: Data(blocks("json").joined().utf8))
        let tables =
            ((metadata as? [String: [String: [String: Any]]])?["databases"]?["world"]?["tables"]) as? [String: Any]
        let own = try world.texts(of: "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '_*'")
            .filter { $0.hasPrefix("_") }
        #expect(Set(own).isSubset(of: Set((tables ?? [:]).keys)), "\(own)")
    }
}
