import CTributaryFaults
import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

import TributaryCLI

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Commands that are killed or lose power while they create a database: run again, they end with the same result (P4).
///
/// `ImportCrashTests` begin with an existing database.
@Suite struct CommandCrashTests {
    private static let isWhole = ProcessInfo.processInfo.environment["TRIBUTARY_CRASHES"] == "all"
    private let world: ImportWorld
    private let source: String

    init() throws {
        world = try ImportWorld()
        // New columns appear now and then, and so do damaged records.
        let records = (0..<60).map { number -> String in
            if number % 13 == 5 { return "{\"id\":\(number),\"name\" 1}" }
            return "{\"id\":\(number % 50),\"name\":\"\(number)\",\"c\(number / 12)\":[\(number)]}"
        }
        source = try world.write(records.joined(separator: "\n"), "users.ndjson")
    }

    private func words(_ path: String, _ model: String?, isDirect: Bool = false) -> [String] {
        ["import", "-q", source, "--into", path, "--rejects", path + "-bad", "--batch-size", "7", "--jobs", "2"]
            + (model.map { ["--model", $0] } ?? ["--key", "id"]) + (isDirect ? ["--first-load", "direct"] : [])
    }

    /// The ends of the names of the files that begin with the name of a database, without the log of SQLite.
    private func files(of path: String) throws -> [String] {
        let name = URL(filePath: path).lastPathComponent
        return try FileManager.default.contentsOfDirectory(atPath: world.folder.url.path)
            .filter { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
            .filter { $0 != "-wal" && $0 != "-shm" }.sorted()
    }

    /// The schema, the rows and the rejects that a run leaves.
    private func result(_ path: String, isTyped: Bool) throws -> [String] {
        var options = Connection.Options()
        options.isReadOnly = true
        let schema = try Connection(.file(path), options: options).rows(of: "SELECT sql FROM sqlite_master ORDER BY 1")
        let rows = try world.rows(isTyped ? "User" : "users", in: path).map { row in
            "\(row.sorted { $0.key < $1.key })"
        }
        // A run that had committed nothing may be replaced by a second run.
        let rejects = try String(contentsOfFile: path + "-bad", encoding: .utf8).split(separator: "\n").map { line in
            String(line).replacing(/^{"reject":[0-9]+,"run":[12],/, with: "{")
        }
        return schema.map { "\($0)" } + rows + rejects
    }

    @Test(
        "A command killed at a call that changes files has the same result if run again", arguments: [false, true],
        [false, true])
    func killedAtACall(isTyped: Bool, isDirect: Bool) async throws {
        var lots = SeededGenerator.sampled(5_400, case: (isTyped ? 1 : 0) + (isDirect ? 10 : 0))
        let model = isTyped ? try world.model() : nil
        let whole = world.folder.path("whole.sqlite")
        await run(CommandCrash(words: words(whole, model, isDirect: isDirect), counts: whole + "-counts"))
        let count = try #require(Int(String(contentsOfFile: whole + "-counts", encoding: .utf8)))
        #expect(count > 30, "\(count) calls")
        let expected = try result(whole, isTyped: isTyped)
        #expect(expected.count > 50)
        var tries = 0
        // The power cuts of these tests do not see what is renamed without SQLite.
        for (mode, most) in [(FAULTS_KILL, 10), (FAULTS_TEAR, 2), (FAULTS_POWER, isDirect ? 0 : 3)] where most > 0 {
            let points = Array(stride(from: 1 + lots.below(10), through: count, by: Self.isWhole ? 1 : 10))
            for point in Self.isWhole ? Array(1...count) : points.shuffled(using: &lots).prefix(most).sorted() {
                tries += 1
                let path = world.folder.path("\(tries).sqlite")
                let words = words(path, model, isDirect: isDirect)
                await run(CommandCrash(words: words, mode: Int(mode), point: point, seed: lots.next()))
                let what: Comment = "mode \(mode), call \(point), seed \(lots.seed)"
                if lots.once(in: 2) {
                    let status = try Tool.tributary.run(["status", path])
                    #expect(status.code == 0 || status.error.contains("the database does not exist"), what)
                }
                let outcome = try Tool.tributary.run(words)
                #expect(outcome.code == 3 && outcome.error.isEmpty, "\(what): \(outcome.error)")
                let found = try result(path, isTyped: isTyped)
                #expect(found == expected, "\(what): \(Set(found).symmetricDifference(expected))")
                #expect(try files(of: path) == ["", "-bad"], what)
            }
        }
        print("the command, \(isTyped ? "typed" : "inferred"): \(tries) of \(count) calls, seed \(lots.seed)")
    }

    @Test("A sync killed at a call has the same rows, marks and file of changes if run again")
    func killedSync() async throws {
        var lots = SeededGenerator.sampled(5_400, case: 4)
        func feed(_ ids: some Sequence<Int>, _ name: String) throws -> String {
            let lines = ids.map { "{\"id\":\($0),\"name\":\"\(name) \($0 / 3)\"}" }
            return try world.write(lines.joined(separator: "\n"), "users.ndjson")
        }
        let base = world.folder.path("base.sqlite")
        func words(_ path: String, _ source: String) -> [String] {
            [
                "sync", "-q", source, "--into", path, "--key", "id", "--max-delete", "90%", "--batch-size", "7",
                "--jobs", "2",
            ]
        }
        #expect(try Tool.tributary.run(words(base, feed(0..<40, "a"))).code == 0)
        let next = try feed(stride(from: 1, to: 60, by: 2), "b")
        func prepare(_ name: String) throws -> (path: String, words: [String]) {
            let path = world.folder.path(name)
            try FileManager.default.copyItem(atPath: base, toPath: path)
            return (path, words(path, next) + ["--changes", path + "-changes"])
        }
        func result(_ path: String) throws -> [String] {
            let marks = try Connection(.file(path)).rows(
                of: "SELECT feed, entity, block, bits FROM _mark WHERE run > 0")
            let changes = try String(contentsOfFile: path + "-changes", encoding: .utf8).split(separator: "\n").map {
                String($0).replacing(/"run":[23]/, with: "")
            }
            return try world.rows("users", in: path).map { "\($0.sorted { $0.key < $1.key })" } + marks.map { "\($0)" }
                + changes + files(of: path).filter { $0 != "-counts" }
        }
        let whole = try prepare("whole-sync.sqlite")
        await run(CommandCrash(words: whole.words, counts: whole.path + "-counts"))
        let count = try #require(Int(String(contentsOfFile: whole.path + "-counts", encoding: .utf8)))
        let expected = try result(whole.path)
        #expect(count > 20 && expected.count > 80)
        var tries = 0
        for (mode, most) in [(FAULTS_KILL, 10), (FAULTS_TEAR, 2), (FAULTS_POWER, 3)] {
            for point in Self.isWhole ? Array(1...count) : Array(1...count).shuffled(using: &lots).prefix(most).sorted()
            {
                tries += 1
                let crashed = try prepare("sync-\(tries).sqlite")
                await run(CommandCrash(words: crashed.words, mode: Int(mode), point: point, seed: lots.next()))
                let what: Comment = "mode \(mode), call \(point), seed \(lots.seed)"
                let outcome = try Tool.tributary.run(crashed.words)
                #expect(outcome.code == 0 && outcome.error.isEmpty, "\(what): \(outcome.error)")
                let found = try result(crashed.path)
                #expect(found == expected, "\(what): \(Set(found).symmetricDifference(expected))")
            }
        }
        print("a sync: \(tries) of \(3 * count) calls, seed \(lots.seed)")
    }

    @Test("A retry killed at a call that changes files has the same result if run again")
    func killedRetry() async throws {
        var lots = SeededGenerator.sampled(5_400, case: 2)
        let base = world.folder.path("base.sqlite")
        let imported = try Tool.tributary.run(words(base, nil))
        #expect(imported.code == 3, "\(imported.error)")
        // Every other reject is fixed.
        let lines = try String(contentsOfFile: base + "-bad", encoding: .utf8).split(separator: "\n").map(String.init)
        let edited = lines.enumerated().map { number, line in
            number % 2 == 0 ? line.replacing("\\\"name\\\" 1", with: "\\\"name\\\":\\\"fixed\\\"") : line
        }
        let fixed = try world.write(edited.joined(separator: "\n") + "\n", "fixed.ndjson")
        #expect(edited.count > 3 && edited != lines)
        func prepare(_ name: String) throws -> (path: String, words: [String]) {
            let path = world.folder.path(name)
            try FileManager.default.copyItem(atPath: base, toPath: path)
            return (path, ["retry", "-q", fixed, "--into", path, "--batch-size", "2", "--jobs", "2"])
        }
        func result(_ path: String) throws -> [String] {
            let rejects = try Tool.tributary.run(["rejects", path])
            return try world.rows("users", in: path).map { "\($0.sorted { $0.key < $1.key })" }
                + String(decoding: rejects.output, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        let whole = try prepare("whole-retry.sqlite")
        await run(CommandCrash(words: whole.words, counts: whole.path + "-counts"))
        let count = try #require(Int(String(contentsOfFile: whole.path + "-counts", encoding: .utf8)))
        let (earlier, expected) = (try result(base), try result(whole.path))
        #expect(count > 5 && expected.contains { $0.contains("fixed") } && expected != earlier)
        var tries = 0
        for mode in [FAULTS_KILL, FAULTS_TEAR, FAULTS_POWER] {
            let points = Array(1...count)
            for point in Self.isWhole ? points : points.shuffled(using: &lots).prefix(3).sorted() {
                tries += 1
                let retry = try prepare("retry-\(tries).sqlite")
                await run(CommandCrash(words: retry.words, mode: Int(mode), point: point, seed: lots.next()))
                let what: Comment = "mode \(mode), call \(point), seed \(lots.seed)"
                let outcome = try Tool.tributary.run(retry.words)
                #expect(outcome.code == 3 && outcome.error.isEmpty, "\(what): \(outcome.error)")
                let found = try result(retry.path)
                #expect(found == expected, "\(what): \(Set(found).symmetricDifference(expected))")
            }
        }
        print("a retry: \(tries) of \(3 * count) calls, seed \(lots.seed)")
    }

    @Test(
        "An import into a table of another program, killed at a call, has the same rows, search and rejects if run again"
    )
    func killedInAForeignTable() async throws {
        var lots = SeededGenerator.sampled(5_400, case: 3)
        let base = world.folder.path("base.sqlite")
        do {
            let connection = try Connection(.file(base))
            connection.setUsesSchemaCode(true)
            for statement in [
                "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
                "CREATE VIRTUAL TABLE search USING fts5(name, content='users', content_rowid='id')",
                """
                CREATE TRIGGER added AFTER INSERT ON users BEGIN
                INSERT INTO search (rowid, name) VALUES (new.id, new.name); END
                """,
                """
                CREATE TRIGGER changed AFTER UPDATE ON users BEGIN
                INSERT INTO search (search, rowid, name) VALUES ('delete', old.id, old.name);
                INSERT INTO search (rowid, name) VALUES (new.id, new.name); END
                """,
            ] { try connection.execute(SQLFragment(trusted: statement)) }
        }
        func prepare(_ name: String) throws -> (path: String, words: [String]) {
            let path = world.folder.path(name)
            try FileManager.default.copyItem(atPath: base, toPath: path)
            return (path, words(path, nil).filter { $0 != "--key" && $0 != "id" } + ["--add-columns"])
        }
        func result(_ path: String) throws -> [String] {
            let connection = try Connection(.file(path))
            connection.setUsesSchemaCode(true)
            // The whole index must agree with the table.
            try connection.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
            let rows = try connection.rows(of: "SELECT * FROM users ORDER BY id").map { "\($0)" }
            let rejects = try String(contentsOfFile: path + "-bad", encoding: .utf8).split(separator: "\n").map {
                line in
                String(line).replacing(/^{"reject":[0-9]+,"run":[12],/, with: "{")
            }
            return rows + rejects
        }
        let whole = try prepare("whole-foreign.sqlite")
        await run(CommandCrash(words: whole.words, counts: whole.path + "-counts"))
        let count = try #require(Int(String(contentsOfFile: whole.path + "-counts", encoding: .utf8)))
        let expected = try result(whole.path)
        #expect(count > 30 && expected.count > 50)
        var tries = 0
        for (mode, most) in [(FAULTS_KILL, 6), (FAULTS_TEAR, 2), (FAULTS_POWER, 3)] {
            for point in Self.isWhole ? Array(1...count) : Array(1...count).shuffled(using: &lots).prefix(most).sorted()
            {
                tries += 1
                let crashed = try prepare("foreign-\(tries).sqlite")
                await run(CommandCrash(words: crashed.words, mode: Int(mode), point: point, seed: lots.next()))
                let what: Comment = "mode \(mode), call \(point), seed \(lots.seed)"
                let outcome = try Tool.tributary.run(crashed.words)
                #expect(outcome.code == 3 && outcome.error.isEmpty, "\(what): \(outcome.error)")
                let found = try result(crashed.path)
                #expect(found == expected, "\(what): \(Set(found).symmetricDifference(expected))")
            }
        }
        print("a foreign table: \(tries) of \(3 * count) calls, seed \(lots.seed)")
    }

    private func run(_ crash: CommandCrash) async {
        guard let data = try? JSONEncoder().encode(crash) else { return }
        let text = String(decoding: data, as: UTF8.self)
        await #expect(processExitsWith: .signal(SIGKILL), "\(crash)") { [text = text as String] in
            try await JSONDecoder().decode(CommandCrash.self, from: Data(text.utf8)).work()
        }
    }
}

/// A command that is killed in a process of its own.
private struct CommandCrash: Codable, Sendable {
    var words: [String]
    var mode = Int(FAULTS_NONE)
    /// The number of the call that changes files at which the process is killed; the end if there are fewer calls.
    var point = 0
    var seed: UInt64 = 0
    /// The file that gets the number of calls; nil for none.
    var counts: String?

    @MainActor func work() throws {
        guard faults_install() == 0 else { exit(3) }
        faults_arm(Int32(mode), point, 0, seed)
        _ = TributaryCLI.Tributary.run(words)
        let calls = faults_disarm()
        if let counts { try Data("\(calls)".utf8).write(to: URL(filePath: counts)) }
        faults_strike()
    }
}
