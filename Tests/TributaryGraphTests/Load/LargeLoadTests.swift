import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Files beyond the first gigabyte, where SQLite keeps one page free for its locks.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["TRIBUTARY_LOADS"] != nil, "only scripts/sweep-loads writes gigabytes"))
struct LargeLoadTests {
    /// What lies around the page of the locks.
    enum Crossing: CaseIterable { case leaves, overflow, index }

    /// A key of 900 bytes.
    private static func key(_ row: Int) -> [UInt8] {
        Array((String(repeating: "k", count: 880) + String(format: "%020d", row * 7919 % 100_003)).utf8)
    }

    @Test("Rows and indexes around the page of the locks are whole", arguments: Crossing.allCases, [4096, 65536])
    func aroundTheLocks(_ crossing: Crossing, _ pageSize: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("large.sqlite-load")
        let store = try Connection(.file(folder.path("large.sqlite")))
        try store.execute(SQLFragment(trusted: "PRAGMA page_size = \(pageSize)"))
        for statement in [
            "CREATE TABLE t (\"_pk\" INTEGER PRIMARY KEY, \"_version\" INTEGER NOT NULL DEFAULT 1, a, b)",
            "CREATE UNIQUE INDEX i ON t (a)",
        ] as [SQLFragment] { try store.execute(statement) }
        let layout = try #require(try LoadLayout("t", columns: ["a", "b"], on: store))
        let load = try TableLoad(layout, creating: path, like: store, sortBytes: 1 << 20)
        let (gigabyte, megabyte) = (1 << 30, 1 << 20)
        var size = 0
        func add(_ count: Int) throws {
            let bytes = [UInt8](repeating: 7, count: count)
            try bytes.withUnsafeBytes { bytes in
                try Self.key(load.rowCount).withUnsafeBytes { key in
                    try [SQLCell(text: key), SQLCell(blob: bytes)].withUnsafeBufferPointer {
                        try load.add(Int64(load.rowCount), $0)
                    }
                }
            }
            size += count
        }
        let largeEnd = crossing == .overflow ? gigabyte + 3 * megabyte : gigabyte - 3 * megabyte
        while load.byteCount < largeEnd { try add(megabyte) }
        let smallEnd = crossing == .index ? gigabyte - 4 * pageSize : gigabyte + 3 * megabyte
        while load.byteCount < smallEnd { try add(100) }
        let kept = try load.checkpoint()
        var read = 0
        let resumed = try TableLoad(layout, resuming: path, after: kept, sortBytes: 1 << 20) { _, cells in
            if cells[0].bytes.elementsEqual(Self.key(read)) { read += 1 }
        }
        #expect(read == kept.rowCount)
        try resumed.finish()
        let side = try Connection(.file(path))
        #expect(try side.rows(of: "PRAGMA integrity_check") == [["ok"]])
        let counts = try side.rows(of: "SELECT COUNT(*), SUM(length(b)), MAX(\"_pk\") FROM t NOT INDEXED")
        #expect(counts == [[.integer(Int64(read)), .integer(Int64(size)), .integer(Int64(read - 1))]])
        let keys = try side.rows(of: "SELECT COUNT(*), COUNT(DISTINCT a) FROM t INDEXED BY i WHERE a > ''")
        #expect(keys == [[.integer(Int64(read)), .integer(Int64(read))]])
        let length = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        #expect(length > gigabyte + pageSize)
    }
}
