import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Tables filled in files of their own, compared with tables that SQLite fills.
@Suite struct TableLoadTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("whole.sqlite-load") }

    private func makeStore(pageSize: Int) throws -> Connection {
        let connection = try Connection(.file(folder.path("whole.sqlite")))
        try connection.execute(SQLFragment(trusted: "PRAGMA page_size = \(pageSize)"))
        for statement in [
            "CREATE TABLE t (\"_pk\" INTEGER PRIMARY KEY, \"_version\" INTEGER NOT NULL DEFAULT 1, a, b TEXT, c REAL)",
            "CREATE UNIQUE INDEX i ON t (a)", "CREATE INDEX j ON t (b, c)",
        ] as [SQLFragment] { try connection.execute(statement) }
        return connection
    }

    /// The rows of a load: b, c and a unique a.
    private func rows(_ count: Int, _ lots: inout SeededGenerator) -> [[SQLValue]] {
        (0..<count).map { row in
            let a: SQLValue = lots.once(in: 9) ? .null : lots.once(in: 2) ? .integer(Int64(row)) : .text("key \(row)")
            let b: SQLValue =
                lots.once(in: 5) ? .null : .text(String(repeating: "b", count: lots.below(lots.pick([9, 900]))))
            return [b, .real(Double(lots.below(100)) / 4), a]
        }
    }

    private func add(_ rows: ArraySlice<[SQLValue]>, at first: Int? = nil, to load: TableLoad) throws {
        let batch = RowBatch(width: 3)
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: 3)
        defer { cells.deallocate() }
        for (index, values) in zip((first ?? rows.startIndex)..., rows) {
            batch.begin(ordinal: 0)
            for value in values { batch.add(value) }
            batch.read(batch.count - 1, into: cells)
            // Keys have gaps.
            try load.add(Int64(2 * index + 1), UnsafeBufferPointer(cells))
        }
    }

    @Test("A load that stops after any checkpoint resumes with the same rows and indexes", arguments: 0..<12)
    func anyInterruption(_ number: Int) throws {
        var lots = SeededGenerator.sampled(5_300, case: UInt64(number))
        let label: Comment = "case \(number), seed \(lots.seed)"
        let pageSize = 512 << (number % 5)
        let rows = rows(lots.pick([0, 1, 7, 400, 4000]), &lots)
        let store = try makeStore(pageSize: pageSize)
        let found = try LoadLayout("t", columns: ["b", "c", "a"], on: store)
        let layout = try #require(found)
        var checkpoint: TableLoad.Checkpoint?
        var load = try TableLoad(layout, creating: path, like: store, sortBytes: lots.pick([2000, 1 << 20]))
        var next = 0
        while next < rows.count {
            let end = min(rows.count, next + 1 + lots.below(700))
            try add(rows[next..<end], to: load)
            next = end
            let made = try load.checkpoint()
            if lots.once(in: 2) { checkpoint = made }
            guard lots.once(in: 3), let kept = checkpoint else { continue }
            // A process may also end when it has completed the file.
            if lots.once(in: 3), kept == made { try load.finish() }
            var read = 0
            load = try TableLoad(layout, resuming: path, after: kept, sortBytes: 2000) { _, cells in
                let isSame = (0..<3).map { cells[$0].value } == rows[read]
                #expect(isSame, label)
                read += 1
            }
            #expect(read == kept.rowCount && load.rowCount == read, label)
            next = read
        }
        try load.finish()
        try store.transaction {
            for (index, row) in rows.enumerated() {
                let key = Int64(2 * index + 1)
                try store.execute("INSERT INTO t (\"_pk\", b, c, a) VALUES (\(key), \(row[0]), \(row[1]), \(row[2]))")
            }
        }
        let side = try Connection(.file(path))
        #expect(try side.rows(of: "PRAGMA integrity_check") == [["ok"]], label)
        for query in [
            "SELECT * FROM t NOT INDEXED ORDER BY \"_pk\"", "SELECT a, \"_pk\" FROM t INDEXED BY i ORDER BY a",
            "SELECT b, c, \"_pk\" FROM t INDEXED BY j ORDER BY b, c",
        ] as [SQLFragment] {
            let isSame = try side.rows(of: query) == store.rows(of: query)
            #expect(isSame, label)
        }
    }

    @Test("A load with damaged pages is resumed or refused, and never ends the process", arguments: 0..<24)
    func damagedPages(_ number: Int) throws {
        var lots = SeededGenerator.sampled(5_400, case: UInt64(number))
        let label: Comment = "case \(number), seed \(lots.seed)"
        let pageSize = 512 << (number % 5)
        let store = try makeStore(pageSize: pageSize)
        let layout = try #require(try LoadLayout("t", columns: ["b", "c", "a"], on: store))
        let load = try TableLoad(layout, creating: path, like: store, sortBytes: 2000)
        let rows = rows(1 + lots.below(2000), &lots)
        try add(rows[...], to: load)
        let made = try load.checkpoint()
        var bytes = try folder.read("whole.sqlite-load")
        let first = Int(made.emptyPageCount) * pageSize
        for _ in 0..<lots.pick([1, 1, 3, 30]) {
            // Headers, the offsets of cells and the beginnings of rows are damaged more often.
            let page = first + lots.below((bytes.count - first) / pageSize) * pageSize
            let place = lots.pick([lots.below(8), lots.below(40), lots.below(pageSize), pageSize - 1 - lots.below(60)])
            bytes[page + place] = lots.pick([0, 1, 0x0A, 0x0B, 0x7F, 0xFF, UInt8(truncatingIfNeeded: lots.next())])
        }
        _ = try folder.write(bytes, to: "whole.sqlite-load")
        do {
            var read = 0
            let resumed = try TableLoad(layout, resuming: path, after: made, sortBytes: 2000) { _, _ in read += 1 }
            #expect(read == made.rowCount, label)
            try add([rows[0]], at: rows.count, to: resumed)
            try resumed.finish()
        } catch let error as PageFile.Failure {
            #expect(error.description.contains("whole.sqlite-load: "), label)
        } catch let error as TableLoad.Failure {
            #expect(error.description.contains("whole.sqlite-load: "), label)
        }
    }

    @Test("A repeated unique value ends a load before its file is complete")
    func repeatedValue() throws {
        let store = try makeStore(pageSize: 4096)
        let layout = try #require(try LoadLayout("t", columns: ["b", "c", "a"], on: store))
        let load = try TableLoad(layout, creating: path, like: store, sortBytes: 2000)
        try add([[.null, .real(1), .integer(5)], [.null, .real(2), .real(5)]], to: load)
        let error = #expect(throws: TableLoad.Failure.self) { try load.finish() }
        #expect(error?.description.contains("index i") == true)
    }

    @Test("A file that exists is never overwritten, and one that lacks pages is not resumed")
    func foreignFiles() throws {
        let store = try makeStore(pageSize: 4096)
        let layout = try #require(try LoadLayout("t", columns: ["b", "c", "a"], on: store))
        _ = try folder.write("theirs".utf8, to: "whole.sqlite-load")
        #expect(throws: TableLoad.Failure.self) {
            try TableLoad(layout, creating: path, like: store, sortBytes: 2000)
        }
        #expect(try folder.read("whole.sqlite-load") == Array("theirs".utf8))
        try FileManager.default.removeItem(atPath: path)
        var later = try TableLoad(layout, creating: path, like: store, sortBytes: 2000).checkpoint()
        (later.pageCount, later.rowCount) = (50, 9)
        #expect(throws: PageFile.Failure.self) {
            try TableLoad(layout, resuming: path, after: later, sortBytes: 2000) { _, _ in }
        }
    }

    @Test("Tables that only SQLite can write have no layout")
    func refusedTables() throws {
        for (table, index) in [
            ("CREATE TABLE t (\"_pk\" INTEGER PRIMARY KEY, a) WITHOUT ROWID", ""),
            ("CREATE TABLE t (\"_pk\" INTEGER PRIMARY KEY, a UNIQUE)", ""), ("CREATE TABLE t (a)", ""),
            ("CREATE TABLE t (\"_pk\" INTEGER PRIMARY KEY, a, b AS (a + 1))", ""),
            ("CREATE TABLE t (\"_pk\" INTEGER PRIMARY KEY, a)", "CREATE INDEX i ON t (a DESC)"),
            ("CREATE TABLE t (\"_pk\" INTEGER PRIMARY KEY, a)", "CREATE INDEX i ON t (a COLLATE NOCASE)"),
            ("CREATE TABLE t (\"_pk\" INTEGER PRIMARY KEY, a)", "CREATE INDEX i ON t (a) WHERE a > 1"),
            ("CREATE TABLE t (\"_pk\" INTEGER PRIMARY KEY, a)", "CREATE INDEX i ON t (a + 1)"),
            (
                "CREATE TABLE t (\"_pk\" INTEGER PRIMARY KEY, a)",
                "CREATE TRIGGER i AFTER INSERT ON t BEGIN DELETE FROM t; END"
            ),
        ] {
            let connection = try Connection(.memory)
            try connection.execute(SQLFragment(trusted: table))
            if !index.isEmpty { try connection.execute(SQLFragment(trusted: index)) }
            let layout = try LoadLayout("t", columns: ["a"], on: connection)
            #expect(layout == nil, "\(table) \(index)")
        }
    }
}
