import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Checkpoints of the write-ahead log, which run in the background and limit its size.
@MainActor @Suite struct LogTests {
    private let folder = try? TemporaryFolder()
    private static let threshold = 500 * 8192

    private func size(_ path: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
    }

    /// A new store and its path.
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

    @Test("Consecutive saves do not outgrow the background checkpoints")
    func savesOneBehindTheOtherDoNotOutrunTheCopying() throws {
        let (path, store) = try opened()
        for round in 0..<20 {
            try save(LogTests.threshold, in: store)
            // The next save makes the checkpoint that the background thread has not yet started.
            #expect(size(path + "-wal") < 4 * LogTests.threshold, "after save \(round)")
        }
        #expect(try store.read { try $0.value(of: "SELECT COUNT(*) FROM \"Series\"") } == .integer(20 * 1024))
    }

    @Test("The log is checkpointed in the background without another save")
    func aLogIsCheckpointedWithoutAnotherSave() async throws {
        let (path, store) = try opened()
        try save(4 * LogTests.threshold, in: store)
        while size(path) < 4 * LogTests.threshold { await Task.yield() }
        #expect(try store.read { try $0.rows(of: "PRAGMA integrity_check") } == [["ok"]])
    }

    @Test("A released store leaves only its database file")
    func aStoreThatIsLetGoLeavesOneFile() throws {
        for _ in 0..<10 {
            let path: String
            do {
                let store: SQLiteStore
                (path, store) = try opened()
                try save(2 * LogTests.threshold, in: store)
            }
            // A background checkpoint may be running or about to start when the store is released.
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            #expect(!FileManager.default.fileExists(atPath: path + "-writer"))
            let connection = try Connection(.file(path))
            #expect(try connection.rows(of: "PRAGMA integrity_check") == [["ok"]])
        }
    }

    @Test("A snapshot keeps its state during saves, and the log stays bounded")
    func aSnapshotKeepsItsState() throws {
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
