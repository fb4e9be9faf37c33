import Foundation
import Testing
import TributaryBrowse
import TributaryModel
import TributarySQLite
import TributaryStore
import TributaryTestSupport

/// Databases as a page reads them.
@Suite struct BrowsedDatabaseTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("a.sqlite")
    }

    private func make(_ statements: String...) throws {
        let connection = try Connection(.file(path))
        for statement in statements { try connection.execute(SQLFragment(trusted: statement)) }
    }

    private func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.url.appending(path: $0))) })
    }

    @Test("A request that takes too long ends with an error, as does one of a server that stops")
    func timeLimit() throws {
        try make(
            "CREATE VIEW endless AS WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c",
            "CREATE TABLE t (a)")
        let slow = try BrowsedDatabase(path: path, limit: .milliseconds(50))
        // SQLite reads 1000 rows to tell the types.
        let source = try slow.database.source("endless")
        #expect(throws: SQLiteError.self) { try slow.database.count(ValueRequest(entity: "endless"), in: source) }
        #expect(slow.isOutOfTime)
        let stopped = try BrowsedDatabase(path: path, limit: .seconds(3600), until: { true })
        #expect(throws: SQLiteError.self) {
            try stopped.database.count(ValueRequest(entity: "endless"), in: stopped.database.source("endless"))
        }
        #expect(!stopped.isOutOfTime)
    }

    @Test("A missing database is an error, and no file is made")
    func missing() throws {
        #expect(throws: StoreError.self) { try BrowsedDatabase(path: path, limit: .seconds(1)) }
        #expect(try files().isEmpty)
    }

    @Test("What a crashed program has left is an error for a page, which changes nothing, and a query rolls it back")
    func unfinishedWriting() throws {
        let writer = try Connection(.file(folder.path("w.sqlite")))
        for statement in [
            "CREATE TABLE t (a, b)", "PRAGMA cache_size = 5",
            "INSERT INTO t WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 2000) SELECT n, zeroblob(500) FROM c",
            "BEGIN", "UPDATE t SET a = -a",
        ] { try writer.execute(SQLFragment(trusted: statement)) }
        for ending in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: folder.path("w.sqlite") + ending, toPath: path + ending)
        }
        let before = try files()
        let error = #expect(throws: StoreError.self) { try BrowsedDatabase(path: path, limit: .seconds(1)) }
        #expect(error?.reason.contains("in the middle of a change") ?? false)
        #expect(try files() == before)
        let queried = try #require(try QueryableDatabase(path))
        let request = ValueRequest(entity: "t", where: try Filter(format: "a < 0"))
        #expect(try queried.count(request, in: queried.source("t")) == 0)
    }

    @Test("Tables of full text and of ranges are read, and views")
    func virtualTables() throws {
        try make(
            "CREATE VIRTUAL TABLE f USING fts5(x)", "INSERT INTO f VALUES ('hello')",
            "CREATE VIRTUAL TABLE g USING fts4(x)", "INSERT INTO g VALUES ('hello')",
            "CREATE VIRTUAL TABLE r USING rtree(id, low, high)", "INSERT INTO r VALUES (1, 2, 3)",
            "CREATE TABLE t (a)", "INSERT INTO t VALUES ('x')", "CREATE VIEW v AS SELECT upper(a) AS u FROM t")
        let browsed = try BrowsedDatabase(path: path, limit: .seconds(60))
        for name in ["f", "g", "r", "v"] {
            let source = try browsed.database.source(name)
            #expect(try browsed.database.count(ValueRequest(entity: name), in: source) == 1, "\(name)")
        }
    }
}
