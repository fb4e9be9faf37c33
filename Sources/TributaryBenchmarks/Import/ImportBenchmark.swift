import CTributaryTwins
import Foundation
import Tributary
import TributarySQLite

/// `scripts/benchmark import`: times imports and their C twin in turn, each run in a child process.
struct ImportBenchmark {
    static let usage =
        "usage: scripts/benchmark import [WORK...] [--rounds N] [--count N] [--large] [--side command|closures] [--json]\n"
        + "works: \(ImportWork.allCases.map(\.rawValue).joined(separator: " ")) graph sync frames"

    private var works: [ImportWork] = []
    private var sides: [ImportSide] = [.command, .closures]
    private var rounds = 3
    private var count = 1_000_000
    private var isLarge = false
    private var measuresFrames = false
    private var measuresGraph = false
    private var measuresSync = false
    private var printsJSON = false
    private let programs: ImportSide.Programs
    private let folder: URL

    /// The measurements of one side.
    private struct Row: Encodable {
        let work: ImportWork
        let side: ImportSide
        let records: Int
        let rounds: Int
        let seconds: Double
        let twinSeconds: Double
        let ratio: Double
        let target: Double
        let peakMemory: Int
        let microsecondsEach: Double
    }

    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--rounds": rounds = try TributaryBenchmarks.number(rest.popFirst(), word)
            case "--count": count = try TributaryBenchmarks.number(rest.popFirst(), word)
            case "--large": isLarge = true
            case "frames": measuresFrames = true
            case "graph": measuresGraph = true
            case "sync": measuresSync = true
            case "--json": printsJSON = true
            case "--side":
                guard let side = rest.popFirst().flatMap(ImportSide.init), side != .twin else {
                    throw Problem(ImportBenchmark.usage)
                }
                sides = [side]
            default:
                guard let work = ImportWork(rawValue: word) else { throw Problem(ImportBenchmark.usage) }
                works.append(work)
            }
        }
        if works.isEmpty, !measuresFrames, !measuresGraph, !measuresSync {
            works = isLarge ? [.fresh] : ImportWork.allCases
        }
        programs = try ImportSide.Programs()
        folder = FileManager.default.temporaryDirectory.appending(path: "tributary-benchmarks/import")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Measures and prints.
    func run() throws {
        defer { clear("base"); clear("work") }
        if measuresFrames { try measureFrames() }
        if measuresSync {
            try SyncBenchmark(programs: programs, folder: folder, rounds: rounds).run(say: say)
        }
        if measuresGraph {
            try GraphBenchmark(programs: programs, folder: folder, rounds: rounds).run(say: say)
        }
        if works.isEmpty { return }
        var rows = try measure(count)
        if isLarge {
            let large = try measure(count * 10)
            for row in large {
                guard let small = rows.first(where: { $0.work == row.work && $0.side == row.side }) else { continue }
                let growth = row.microsecondsEach / small.microsecondsEach
                say(
                    String(
                        format: "%@, %@: a row costs %.2f times as much with %d records as with %d (target %.2f)",
                        row.work.rawValue, row.side.rawValue, growth, row.records, small.records, 1.15))
            }
            rows += large
        }
        guard printsJSON else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(rows), as: UTF8.self))
    }

    private func measure(_ count: Int) throws -> [Row] {
        let file = try users(count, "a", order: 1, contents: 1)
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
        say("\(count) records, \(size / 1_000_000) MB; median of \(rounds) rounds, each in a child process")
        say("work      side       seconds   twin      ratio   target  peak      a row")
        var rows: [Row] = []
        for work in works {
            for row in try measure(work, count) {
                say(line(row))
                rows.append(row)
            }
        }
        return rows
    }

    private func line(_ row: Row) -> String {
        func cell(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        return cell(row.work.rawValue, 10) + cell(row.side.rawValue, 11)
            + cell(String(format: "%.2f s", row.seconds), 10) + cell(String(format: "%.2f s", row.twinSeconds), 10)
            + cell(String(format: "%.2f", row.ratio), 8) + cell(String(format: "%.2f", row.target), 8)
            + cell("\(row.peakMemory >> 20) MiB", 10) + String(format: "%.2f µs", row.microsecondsEach)
    }

    // MARK: One kind of work

    private func measure(_ work: ImportWork, _ count: Int) throws -> [Row] {
        let all = sides + [.twin]
        var runs: [ImportSide: [(seconds: Double, peak: Int)]] = [:]
        if work.needsBase { for side in all { try makeBase(side, count) } }
        for _ in 0..<rounds {
            for side in all { runs[side, default: []].append(try measure(work, side, count)) }
        }
        let twin = runs[.twin] ?? []
        return sides.map { side in
            let own = runs[side] ?? []
            let seconds = own.map(\.seconds).median
            return Row(
                work: work, side: side, records: count, rounds: rounds, seconds: seconds,
                twinSeconds: twin.map(\.seconds).median,
                ratio: zip(own, twin).map { $0.seconds / $1.seconds }.median, target: work.target(side, count: count),
                peakMemory: own.map(\.peak).max() ?? 0, microsecondsEach: seconds * 1e6 / Double(count))
        }
    }

    /// Makes a database of a side that already has the users.
    private func makeBase(_ side: ImportSide, _ count: Int) throws {
        clear("base-\(side.rawValue)")
        _ = try perform(
            .init(
                work: .fresh, file: users(count, "a", order: 1, contents: 1), model: model(.fresh),
                database: path("base-\(side.rawValue)")), side, count)
    }

    private func measure(_ work: ImportWork, _ side: ImportSide, _ count: Int) throws -> (seconds: Double, peak: Int) {
        clear("work")
        if work.needsBase {
            // The write-ahead log is part of the database; the file of the writer's lock is not.
            for ending in ["", "-wal"] {
                let base = path("base-\(side.rawValue)") + ending
                guard FileManager.default.fileExists(atPath: base) else { continue }
                try FileManager.default.copyItem(atPath: base, toPath: path("work") + ending)
            }
            try flush(path("work"))
        }
        let file =
            try work == .changed ? users(count, "b", order: 2, contents: 2) : users(count, "a", order: 1, contents: 1)
        let run = try perform(.init(work: work, file: file, model: model(work), database: path("work")), side, count)
        clear("work")
        return run
    }

    /// Measures the delay of the main queue while all rows change.
    private func measureFrames() throws {
        say("delay of the main queue while \(count) rows change, in milliseconds; a frame has 16.7")
        for show in [ImportFrames.Show.objects, .controller, .twin] {
            try makeBase(show.side, count)
            let changed = try users(count, "b", order: 2, contents: 2)
            let child = Child.run(
                [
                    programs.benchmarks, "import-frames", show.rawValue, changed, path("base-\(show.side.rawValue)"),
                ], output: path("output"))
            guard child.code == 0 else { throw Problem("the frames of \(show.rawValue) ended with code \(child.code)") }
            let waits = try JSONDecoder().decode(
                ImportFrames.Waits.self, from: Data(contentsOf: URL(filePath: path("output"))))
            say(
                String(
                    format: "%@: median %.2f, 99 of 100 within %.2f, 999 of 1,000 within %.2f, longest %.2f "
                        + "(%d measured); at most %d MiB", show.text, waits.median, waits.ninetyNinth,
                    waits.thousandth, waits.longest, waits.count, child.peak_bytes >> 20))
        }
    }

    /// Runs one import and checks its result.
    private func perform(_ job: ImportSide.Job, _ side: ImportSide, _ count: Int) throws -> (seconds: Double, peak: Int)
    {
        let words = side.words(job, programs)
        let child = Child.run(words, output: self.path("output"))
        guard child.code == 0 else {
            throw Problem("\(words.joined(separator: " ")) ended with code \(child.code)")
        }
        if side != .twin {
            let summary = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path("output"))))
            let members = summary as? [String: Any]
            let counts = members?["counts"] as? [String: Any] ?? members
            guard let counted = counts?[job.work.outcome] as? Int, counted == count else {
                throw Problem("\(side.rawValue), \(job.work.rawValue): the summary is \(summary)")
            }
        }
        var options = Connection.Options()
        options.isReadOnly = true
        let connection = try Connection(.file(job.database), options: options)
        let found = try connection.rows(of: "SELECT count(*), sum(id) FROM User")
        guard found == [[.integer(Int64(count)), .integer(Int64(count) * Int64(count + 1) / 2)]] else {
            throw Problem("\(side.rawValue), \(job.work.rawValue): the table has \(found)")
        }
        return (child.seconds, child.peak_bytes)
    }

    // MARK: Files

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Removes the files whose names begin with `name`.
    private func clear(_ name: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for found in names where found.hasPrefix(name) { try? FileManager.default.removeItem(atPath: path(found)) }
    }

    /// Waits until a file is on the disk, so that no later measurement includes writing it.
    private func flush(_ path: String) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.synchronize()
        try file.close()
    }

    private func users(_ count: Int, _ name: String, order: UInt64, contents: UInt64) throws -> String {
        let path = path("users-\(name)-\(count).json")
        if !FileManager.default.fileExists(atPath: path) {
            say("making \(count) users …")
            // A child process generates the file, because memory of this process would count for its children.
            let words = [programs.benchmarks, "import-users", "\(count)", "\(order)", "\(contents)", path]
            guard Child.run(words, output: self.path("output")).code == 0 else {
                throw Problem("could not make \(path)")
            }
        }
        return path
    }

    private func model(_ work: ImportWork) throws -> String {
        let path = path("\(work.indexCount)-indexes.xml")
        try ModelFile.write(ImportUsers.model(indexed: work.indexCount > 1)).write(
            toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func say(_ text: String) {
        if printsJSON {
            FileHandle.standardError.write(Data((text + "\n").utf8))
        } else {
            print(text)
            fflush(nil)
        }
    }
}
