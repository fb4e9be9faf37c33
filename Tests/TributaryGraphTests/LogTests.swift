import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// The log beside a store is copied into it behind the back of those who save, and grows no further for it.
@MainActor @Suite struct LogTests {
    private let folder = try? TemporaryFolder()
    private static let threshold = 500 * 8192

    private func size(_ path: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
    }

    /// A store, and a way to save so many bytes in it.
    private func opened() throws -> (String, SQLiteStore) {
        let path = try #require(folder).path("x.sqlite")
        return (path, try SQLiteStore(try Library().model, at: .sqlite(path)))
    }

    private func save(_ bytes: Int, in store: SQLiteStore) throws {
        try store.write { connection in
            try connection.transaction {
                for _ in 0..<bytes / 4000 {
                    try connection.execute("INSERT INTO \"Series\" (title) VALUES (hex(zeroblob(2000)))")
                }
            }
        }
    }

    @Test func savesOneBehindTheOtherDoNotOutrunTheCopying() throws {
        let (path, store) = try opened()
        for round in 0..<20 {
            try save(LogTests.threshold, in: store)
            // One that no thread has come to is copied with the next save at the latest.
            #expect(size(path + "-wal") < 4 * LogTests.threshold, "after save \(round)")
        }
        #expect(try store.read { try $0.value(of: "SELECT COUNT(*) FROM \"Series\"") } == .integer(20 * 1024))
    }

    @Test func aLogIsCopiedThoughNobodySavesAgain() async throws {
        let (path, store) = try opened()
        try save(4 * LogTests.threshold, in: store)
        let deadline = ContinuousClock.now + .seconds(60)
        while size(path) < 4 * LogTests.threshold, ContinuousClock.now < deadline { await Task.yield() }
        #expect(size(path) >= 4 * LogTests.threshold)
        #expect(try store.read { try $0.rows(of: "PRAGMA integrity_check") } == [["ok"]])
    }

    @Test func aStoreThatIsLetGoLeavesOneFile() throws {
        for _ in 0..<10 {
            let path: String
            do {
                let store: SQLiteStore
                (path, store) = try opened()
                try save(2 * LogTests.threshold, in: store)
            }
            // A thread may be copying, or about to.
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            #expect(!FileManager.default.fileExists(atPath: path + "-writer"))
            let connection = try Connection(.file(path))
            #expect(try connection.rows(of: "PRAGMA integrity_check") == [["ok"]])
        }
    }

    @Test func whoeverReadsWhatWasBeforeKeepsIt() throws {
        let (path, store) = try opened()
        try save(LogTests.threshold, in: store)
        try store.read { connection in
            try connection.snapshot {
                #expect(try connection.value(of: "SELECT COUNT(*) FROM \"Series\"") == .integer(1024))
                for _ in 0..<3 { try save(LogTests.threshold, in: store) }
                #expect(try connection.value(of: "SELECT COUNT(*) FROM \"Series\"") == .integer(1024))
            }
        }
        for _ in 0..<2 { try save(LogTests.threshold, in: store) }
        let largest = size(path + "-wal")
        for _ in 0..<10 { try save(LogTests.threshold, in: store) }
        #expect(size(path + "-wal") <= largest + 2 * LogTests.threshold)
    }
}
