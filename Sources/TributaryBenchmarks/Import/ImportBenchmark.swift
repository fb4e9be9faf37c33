import CTributaryTwins
import Foundation

/// `scripts/benchmark import`: times imports and their C twin in turn, each run in a child process.
struct ImportBenchmark {
    static let usage =
        "usage: scripts/benchmark import [WORK...] [--rounds N] [--count N] [--large] [--side command|closures] [--json]\n"
        + "works: \(ImportWork.allCases.map(\.rawValue).joined(separator: " ")) graph sync frames"

    private let options: BenchmarkOptions
    private let works: [ImportWork]
    private let sides: [ImportSide]
    private let report: Report
    private let folder: BenchmarkFolder

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
        options = try BenchmarkOptions(
            words, rounds: 3, allowing: ["--large", "--json", "--side"], usage: ImportBenchmark.usage)
        var works: [ImportWork] = []
        for name in options.names where !["frames", "graph", "sync"].contains(name) {
            guard let work = ImportWork(rawValue: name) else { throw Problem(ImportBenchmark.usage) }
            works.append(work)
        }
        if options.names.isEmpty { works = options.isLarge ? [.fresh] : ImportWork.allCases }
        self.works = works
        sides =
            try options.side.map { name in
                guard let side = ImportSide(rawValue: name), side != .twin else { throw Problem(ImportBenchmark.usage) }
                return [side]
            } ?? [.command, .closures]
        report = Report(printsJSON: options.printsJSON)
        folder = try BenchmarkFolder("import")
    }

    /// Measures and prints.
    func run() throws {
        defer { folder.clear("base"); folder.clear("work") }
        if options.names.contains("frames") { try measureFrames() }
        if options.names.contains("sync") {
            try SyncBenchmark(folder: folder, rounds: options.rounds, report: report).run()
        }
        if options.names.contains("graph") {
            try GraphBenchmark(folder: folder, rounds: options.rounds, report: report).run()
        }
        if works.isEmpty { return }
        var rows = try measure(options.count)
        if options.isLarge {
            let large = try measure(options.count * 10)
            for row in large {
                guard let small = rows.first(where: { $0.work == row.work && $0.side == row.side }) else { continue }
                let growth = row.microsecondsEach / small.microsecondsEach
                report.say(
                    String(
                        format: "%@, %@: a row costs %.2f times as much with %d records as with %d (target %.2f)",
                        row.work.rawValue, row.side.rawValue, growth, row.records, small.records, 1.15))
            }
            rows += large
        }
        try report.finish(rows)
    }

    private func measure(_ count: Int) throws -> [Row] {
        report.say(try folder.heading(count, users(count), options.rounds))
        report.say("work      side       seconds   twin      ratio   target  peak      a row")
        var rows: [Row] = []
        for work in works {
            for row in try measure(work, count) {
                report.say(line(row))
                rows.append(row)
            }
        }
        return rows
    }

    private func line(_ row: Row) -> String {
        Report.line(
            (row.work.rawValue, 10), (row.side.rawValue, 11), (String(format: "%.2f s", row.seconds), 10),
            (String(format: "%.2f s", row.twinSeconds), 10), (String(format: "%.2f", row.ratio), 8),
            (String(format: "%.2f", row.target), 8), ("\(row.peakMemory >> 20) MiB", 10))
            + String(format: "%.2f µs", row.microsecondsEach)
    }

    // MARK: One kind of work

    private func measure(_ work: ImportWork, _ count: Int) throws -> [Row] {
        let all = sides + [.twin]
        var runs: [ImportSide: [twin_child]] = [:]
        if work.needsBase { for side in all { try makeBase(side, count) } }
        for _ in 0..<options.rounds {
            for side in all { runs[side, default: []].append(try measure(work, side, count)) }
        }
        let twin = runs[.twin] ?? []
        return sides.map { side in
            let own = runs[side] ?? []
            let seconds = own.map(\.seconds).median
            return Row(
                work: work, side: side, records: count, rounds: options.rounds, seconds: seconds,
                twinSeconds: twin.map(\.seconds).median,
                ratio: zip(own, twin).map { $0.seconds / $1.seconds }.median, target: work.target(side, count: count),
                peakMemory: own.map(\.peak_bytes).max() ?? 0, microsecondsEach: seconds * 1e6 / Double(count))
        }
    }

    /// Makes a database of a side that already has the users.
    private func makeBase(_ side: ImportSide, _ count: Int) throws {
        folder.clear(base(side))
        _ = try perform(.fresh, side, users(count), into: base(side), count)
    }

    private func base(_ side: ImportSide) -> String { "base-\(side.rawValue)" }

    private func measure(_ work: ImportWork, _ side: ImportSide, _ count: Int) throws -> twin_child {
        folder.clear("work")
        defer { folder.clear("work") }
        if work.needsBase {
            // The write-ahead log is part of the database; the file of the writer's lock is not.
            for ending in ["", "-wal"] {
                let base = folder.path(base(side) + ending)
                guard FileManager.default.fileExists(atPath: base) else { continue }
                try FileManager.default.copyItem(atPath: base, toPath: folder.path("work" + ending))
            }
            // Waits until the file is on the disk, so that no later measurement includes writing it.
            let file = try FileHandle(forUpdating: URL(filePath: folder.path("work")))
            try file.synchronize()
            try file.close()
        }
        return try perform(work, side, users(count, isChanged: work == .changed), into: "work", count)
    }

    /// Measures the delay of the main queue while all rows change.
    private func measureFrames() throws {
        let count = options.count
        report.say("delay of the main queue while \(count) rows change, in milliseconds; a frame has 16.7")
        for show in [ImportFrames.Show.objects, .controller, .twin] {
            try makeBase(show.side, count)
            let changed = try users(count, isChanged: true)
            let database = folder.path(base(show.side))
            let child = try folder.run(
                [BenchmarkFolder.ownPath, "import-frames", show.rawValue, changed, database])
            let waits = try JSONDecoder().decode(ImportFrames.Waits.self, from: folder.output())
            report.say(
                String(
                    format: "%@: median %.2f, 99 of 100 within %.2f, 999 of 1,000 within %.2f, longest %.2f "
                        + "(%d measured); at most %d MiB", show.text, waits.median, waits.ninetyNinth,
                    waits.thousandth, waits.longest, waits.count, child.peak_bytes >> 20))
        }
    }

    /// Runs one import and checks its result.
    private func perform(
        _ work: ImportWork, _ side: ImportSide, _ file: String, into name: String, _ count: Int
    ) throws -> twin_child {
        let model = try folder.model(
            "\(work.indexCount)-indexes.xml", ImportUsers.model(indexed: work.indexCount > 1))
        let database = folder.path(name)
        let child = try folder.run(side.words(work, file, model: model, into: database, folder))
        if side != .twin { try folder.checkSummary(work.outcome, count) }
        try folder.check(database, "User", ids: 1...count)
        return child
    }

    /// A file of users, or of the same ones with other contents in another order.
    private func users(_ count: Int, isChanged: Bool = false) throws -> String {
        let seed = isChanged ? "2" : "1"
        return try folder.file("users-\(isChanged ? "b" : "a")-\(count).json", report) {
            ["import-users", "\(count)", seed, seed, $0]
        }
    }
}
