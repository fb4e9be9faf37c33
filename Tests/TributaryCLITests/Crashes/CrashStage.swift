import CTributaryFaults
import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// The folder in which a command is killed and run again, and what the command leaves there without a kill.
final class CrashStage: Sendable {
    /// The end of a command: its exit code, its messages, and everything in its folder.
    private struct End: Equatable {
        var code: Int32
        var error: String
        var lines: [String]
    }

    /// The time that the command takes, in microseconds.
    let microseconds: Int
    private let scene: CrashScene
    private let place: CrashScene.Place
    /// The ends of the command; the second one is that of a repetition.
    private let ends: [End]

    init(_ scene: CrashScene) throws {
        self.scene = scene
        place = CrashScene.Place(world: try ImportWorld())
        let files = FileManager.default
        try files.createDirectory(at: place.folder, withIntermediateDirectories: false)
        try scene.prepare(place)
        try files.moveItem(at: place.folder, to: Self.template(of: place))
        try Self.reset(place)
        let start = ContinuousClock.now
        let outcome = try CrashScene.command.run(scene.words, in: place.folder)
        microseconds = Int((ContinuousClock.now - start) / .microseconds(1))
        let end = try Self.end(of: outcome, scene, place)
        ends = [end, scene.isRepeated ? try Self.finish(scene, place) : end]
        try #require(end.error.isEmpty && end.lines.count > 20, "\(end)")
    }

    /// The numbers of calls and statements of the whole command, those of the system negative if nothing counts them.
    func calls() async throws -> (sqlite: Int, system: Int, statements: Int) {
        try Self.reset(place)
        let counts = place.world.folder.path("counts")
        await CommandCrash(words: scene.words, folder: place.folder.path, counts: counts).run()
        let numbers = try JSONDecoder().decode([Int].self, from: Data(contentsOf: URL(filePath: counts)))
        return (numbers[0], numbers[1], numbers[2])
    }

    // MARK: Kills

    /// Kills the command at a call, runs it again, and returns how its end differs from one without a kill.
    func violations(mode: Int, kinds: Int, point: Int, seed: UInt64) async throws -> [String] {
        try Self.reset(place)
        let crash = CommandCrash(
            words: scene.words, folder: place.folder.path, mode: mode, kinds: kinds, point: point, seed: seed)
        await crash.run()
        return try violations("\(crash)", readsStatus: seed % 2 == 0)
    }

    /// Kills the command at moments, one after the other; also returns which files each kill has left.
    func violations(after moments: [Int]) throws -> (found: [String], left: [String]) {
        try Self.reset(place)
        var found: [String] = []
        var left: [String] = []
        for microseconds in moments {
            let delay = "\(Double(microseconds) / 1_000_000)"
            let outcome = try Tool("/usr/bin/env").run(
                ["timeout", "--foreground", "-s", "KILL", delay, CrashScene.command.path] + scene.words,
                in: place.folder)
            guard outcome.code == 128 + SIGKILL else { break }
            let files = try Self.files(of: place).map { $0.replacing(/\.[0-9]+\.part/, with: ".part") }
            left.append(files.isEmpty ? "nothing" : files.joined(separator: " "))
            found += try status()
        }
        return (try found + violations("after \(moments) µs", readsStatus: false), left)
    }

    private func violations(_ what: String, readsStatus: Bool) throws -> [String] {
        let left = try Self.files(of: place)
        var found = readsStatus ? try status() : []
        do {
            let end = try Self.finish(scene, place)
            if !ends.contains(end) {
                found += ["exit code \(end.code) \(end.error)"]
                for (sign, lines) in [("-", (ends[0].lines, end.lines)), ("+", (end.lines, ends[0].lines))] {
                    found += Set(lines.0).subtracting(lines.1).sorted().prefix(8).map { "\(sign) \($0.prefix(300))" }
                }
            }
        } catch { found.append("\(error)") }
        return found.isEmpty ? [] : ["\(scene.name), \(what), left \(left):"] + found
    }

    /// The error of `tributary status`, which must work after each kill.
    private func status() throws -> [String] {
        let status = try CrashScene.command.run(["status", "app.sqlite"], in: place.folder)
        return status.code == 0 || status.error.contains("the database does not exist")
            ? [] : ["status: \(status.error)"]
    }

    // MARK: Folders

    private static func template(of place: CrashScene.Place) -> URL {
        place.world.folder.url.appending(path: "template")
    }

    /// Makes the folder what it was before the command.
    private static func reset(_ place: CrashScene.Place) throws {
        try? FileManager.default.removeItem(at: place.folder)
        try FileManager.default.copyItem(at: template(of: place), to: place.folder)
    }

    private static func files(of place: CrashScene.Place) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: place.folder.path).sorted()
    }

    /// Runs the command to its end.
    private static func finish(_ scene: CrashScene, _ place: CrashScene.Place) throws -> End {
        try end(of: CrashScene.command.run(scene.words, in: place.folder), scene, place)
    }

    private static func end(of outcome: Tool.Outcome, _ scene: CrashScene, _ place: CrashScene.Place) throws -> End {
        var lines: [String] = []
        for name in try files(of: place) where !scene.leftovers.contains(name) {
            lines.append("file \(name)")
            guard !name.contains(".sqlite") else { continue }
            // A run that had committed nothing may be replaced by a second run, and its rejects by others.
            lines += try Data(contentsOf: place.folder.appending(path: name)).split(separator: UInt8(ascii: "\n")).map {
                "\(name) \(String(decoding: $0, as: UTF8.self).trimmingPrefix(/{("reject":[0-9]+,)?"run":[0-9]+,/))"
            }
        }
        lines += try (scene.hasOwnRuns ? [] : runs(place)) + rows(place.database)
        return End(code: outcome.code, error: outcome.error, lines: lines)
    }

    // MARK: Databases

    /// The counts of all runs, but for those that have read nothing.
    private static func runs(_ place: CrashScene.Place) throws -> [String] {
        let status = try CrashScene.command.run(["status", "app.sqlite", "--json"], in: place.folder)
        return try status.lines.compactMap { line in
            var run = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            if run["state"] as? String == "abandoned", run["read"] as? Int == 0 { return nil }
            for name in ["run", "started", "updated", "seconds"] { run[name] = nil }
            return String(
                decoding: try JSONSerialization.data(withJSONObject: run, options: [.sortedKeys]), as: UTF8.self)
        }
    }

    /// The schema and the rows of a database, without what depends on the pace and the number of a run, and checks.
    private static func rows(_ path: String) throws -> [String] {
        let connection = try Connection(.file(path))
        connection.setUsesSchemaCode(true)
        var lines = try connection.rows(of: "SELECT \"type\", \"name\", \"sql\" FROM sqlite_master ORDER BY 1, 2").map {
            "\($0)"
        }
        for check: SQLFragment in ["PRAGMA integrity_check", "PRAGMA foreign_key_check"] {
            lines += try connection.rows(of: check).map { "\($0)" }
        }
        let tables = try connection.rows(
            of: """
                SELECT "name", "type" FROM pragma_table_list
                WHERE "schema" = 'main' AND "type" <> 'shadow' AND "name" NOT IN ('sqlite_schema', '_run') ORDER BY 1
                """)
        for case let table in tables {
            guard case .text(let name) = table[0] else { continue }
            if table[1] == .text("virtual") {
                // The whole search index must agree with its table.
                try connection.execute(
                    "INSERT INTO \(identifier: name) (\(identifier: name), rank) VALUES ('integrity-check', 1)")
                continue
            }
            try connection.forEachRow(of: "SELECT * FROM \(identifier: name)") { row in
                let values = (0..<row.columnCount).map { (row.columnName(at: $0), row.value(at: $0)) }
                // The identity of the database.
                if name == "_metadata", values[0].1 == .text("store") { return }
                let hidden = name == "_reject" ? ["run", "id"] : ["run", "_run", "_version"]
                let texts = values.filter { !hidden.contains($0.0) }.map { column, value in
                    guard case .text(let text) = value else { return "\(column) \(value)" }
                    // The name of kept marks has the number of their run.
                    return "\(column) '\(text.replacing(/^\u{1}\u{1}[0-9]+/, with: "kept"))'"
                }
                lines.append("\(name): \(texts.joined(separator: ", "))")
            }
        }
        return lines
    }
}
