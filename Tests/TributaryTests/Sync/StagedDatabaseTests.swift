import CTributaryFaults
import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A database that is written through a copy: everyone sees the old or the new one, and so does who comes after a crash.
@Suite(.serialized) struct StagedDatabaseTests {
    private static let rows = 300

    /// Fills the table of a database with one value.
    static func fill(_ path: String, _ value: Int) throws {
        let connection = try Connection(.file(path))
        try connection.transaction {
            try connection.execute("CREATE TABLE IF NOT EXISTS \"t\" (\"id\" INTEGER PRIMARY KEY, \"value\", \"text\")")
            try connection.execute("DELETE FROM \"t\"")
            let text = String(repeating: "\(value) ", count: 30)
            for id in 0..<(rows + value % 7) {
                try connection.execute("INSERT INTO \"t\" VALUES (\(id), \(value), \(text))")
            }
        }
    }

    private static func prepare(_ path: String, usesLog: Bool) throws {
        try fill(path, 0)
        if usesLog { _ = try Connection(.file(path)).value(of: "PRAGMA journal_mode = WAL") }
    }

    /// The one value of all rows; nil if the table is a mixture of two states.
    private static func value(_ connection: Connection) throws -> Int? {
        let rows = try connection.rows(of: "SELECT COUNT(*), MIN(\"value\"), MAX(\"value\") FROM \"t\"")
        guard case .integer(let count) = rows[0][0], case .integer(let least) = rows[0][1], rows[0][1] == rows[0][2]
        else { return nil }
        return Int(count) == Self.rows + Int(least) % 7 ? Int(least) : nil
    }

    @Test("A reader sees one whole state while another is published", arguments: [true, false])
    func readers(_ usesLog: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("shop.sqlite")
        try Self.prepare(path, usesLog: usesLog)
        let isDone = Guarded(false)
        let mixtures = Guarded(0)
        let reads = Guarded(0)
        let ended = Monitor(false)
        try WorkerThread.start {
            var options = Connection.Options()
            options.isReadOnly = true
            options.busyTimeout = Int(Int32.max)
            if let connection = try? Connection(.file(path), options: options) {
                var last = 0
                while !isDone.withLock({ $0 }) {
                    let found = try? Self.value(connection)
                    reads.withLock { $0 += 1 }
                    if let found, found >= last { last = found } else { mixtures.withLock { $0 += 1 } }
                }
            }
            ended.update { $0 = true }
        }
        for number in 1...200 {
            try StagedDatabase.update(path) { copy in
                try Self.fill(copy, number)
                return true
            }
        }
        isDone.withLock { $0 = true }
        while ended.wait(milliseconds: 1000, until: { $0 ? true : nil }) == nil {}
        #expect(mixtures.withLock { $0 } == 0)
        #expect(reads.withLock { $0 } > 0)
        #expect(try Self.value(Connection(.file(path))) == 200)
    }

    @Test("A process that is killed at any call leaves the old or the new database", arguments: [true, false])
    func kills(_ usesLog: Bool) async throws {
        var lots = SeededGenerator.sampled(8_200, case: usesLog ? 1 : 0)
        let folder = try TemporaryFolder()
        var found: Set<Int> = []
        for round in 0..<14 {
            let path = folder.path("\(round).sqlite")
            try Self.prepare(path, usesLog: usesLog)
            // The last one comes after all calls.
            let call = round == 13 ? Int.max : 1 + lots.below(round < 7 ? 120 : 400)
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, call = call as Int] in
                guard faults_install() == 0 else { exit(3) }
                faults_arm(Int32(FAULTS_KILL), call, 0, 1)
                try StagedDatabase.update(path) { copy in
                    try StagedDatabaseTests.fill(copy, 1)
                    return true
                }
                kill(getpid(), SIGKILL)
            }
            let connection = try Connection(.file(path))
            let value = try Self.value(connection)
            #expect(value == 0 || value == 1, "seed \(lots.seed), call \(call)")
            #expect(try connection.value(of: "PRAGMA integrity_check") == .text("ok"))
            if let value { found.insert(value) }
        }
        #expect(found == [0, 1], "seed \(lots.seed)")
    }

    @Test("What another program writes meanwhile is not lost", arguments: [true, false])
    func lostUpdate(_ usesLog: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("shop.sqlite")
        try Self.prepare(path, usesLog: usesLog)
        #expect(throws: StoreError.self) {
            try StagedDatabase.update(path) { copy in
                try Self.fill(copy, 1)
                try Connection(.file(path)).execute("UPDATE \"t\" SET \"text\" = 'mine' WHERE \"id\" = 3")
                return true
            }
        }
        let connection = try Connection(.file(path))
        #expect(try connection.value(of: "SELECT \"text\" FROM \"t\" WHERE \"id\" = 3") == "mine")
        #expect(try Self.value(connection) == 0)
        #expect(try StagedDatabase.update(path) { _ in false } == false)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains("staged") } == [])
    }
}
