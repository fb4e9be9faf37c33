import CTributaryTwins
import Foundation

/// `scripts/benchmark postgres`: times imports into PostgreSQL and their C twin in turn, each run in a child process.
struct PostgresBenchmark {
    static let usage =
        "usage: scripts/benchmark postgres [WORK...] [--rounds N] [--count N] [--large] [--side command|library]\n"
        + "works: \(PostgresWork.allCases.map(\.rawValue).joined(separator: " "))"

    private static let mostRatio = 1.2
    private static let mostGrowth = 1.2
    /// The works that are measured with ten times as many records as well.
    private static let growing: [PostgresWork] = [.fresh, .again]

    private let options: BenchmarkOptions
    private let works: [PostgresWork]
    private let side: PostgresSide
    private let databases: PostgresDatabases
    private let report = Report()
    private let folder: BenchmarkFolder

    /// One measured run.
    private struct Run {
        let seconds: Double
        let peak: Int
        let loggedBytes: Int64
    }

    init(_ words: [String]) throws {
        // `scripts/benchmark` starts a server and passes its address.
        options = try BenchmarkOptions(
            words, allowing: ["--large", "--side", "--server"], usage: PostgresBenchmark.usage)
        let named = try options.names.map { name in
            guard let work = PostgresWork(rawValue: name) else { throw Problem(PostgresBenchmark.usage) }
            return work
        }
        guard let side = PostgresSide(rawValue: options.side ?? "command"), side != .twin else {
            throw Problem(PostgresBenchmark.usage)
        }
        self.side = side
        guard let server = options.server else {
            throw Problem("there is no server; run scripts/benchmark, which starts one")
        }
        works = named.isEmpty ? PostgresWork.allCases : named
        databases = try PostgresDatabases(server)
        folder = try BenchmarkFolder("postgres")
    }

    /// Measures and prints.
    func run() throws {
        let count = options.count
        let small = try measure(works, count)
        guard options.isLarge else { return }
        let large = try measure(works.filter(PostgresBenchmark.growing.contains), count * 10)
        for (work, seconds) in large {
            guard let less = small.first(where: { $0.work == work })?.seconds else { continue }
            report.say(
                String(
                    format: "%@: a record costs %.2f times as much with %d records as with %d (bound %.2f)",
                    work.rawValue, seconds / 10 / less, count * 10, count, PostgresBenchmark.mostGrowth))
        }
    }

    private func measure(_ works: [PostgresWork], _ count: Int) throws -> [(work: PostgresWork, seconds: Double)] {
        report.say(try folder.heading(count, path(of: .users, count), options.rounds))
        report.say("work     connections  seconds   twin      ratio   bound  peak      a record   log of the server")
        var results: [(PostgresWork, Double)] = []
        for work in works {
            let (own, twin) = try measure(work, count)
            let seconds = own.map(\.seconds).median
            report.say(line(work, own, twin, count))
            results.append((work, seconds))
        }
        for name in ["work", base(side), base(.twin)] { try databases.remove(name) }
        return results
    }

    private func line(_ work: PostgresWork, _ own: [Run], _ twin: [Run], _ count: Int) -> String {
        let seconds = own.map(\.seconds).median
        let ratio = zip(own, twin).map { $0.seconds / $1.seconds }.median
        // Every run is within the bound of the log, not only the middle one.
        let logged = own.map(\.loggedBytes).max() ?? 0
        var log = String(format: "%.2f MB", Double(logged) / 1e6)
        if let most = work.mostLogged { log += String(format: " (bound %.2f)", Double(most) / 1e6) }
        return Report.line(
            (work.rawValue, 9), ("\(work.connections)", 13), (String(format: "%.2f s", seconds), 10),
            (String(format: "%.2f s", twin.map(\.seconds).median), 10), (String(format: "%.2f", ratio), 8),
            (String(format: "%.2f", PostgresBenchmark.mostRatio), 7),
            ("\((own.map(\.peak).max() ?? 0) >> 20) MiB", 10),
            (String(format: "%.2f µs", seconds * 1e6 / Double(count)), 11)) + log
    }

    // MARK: One kind of work

    private func measure(_ work: PostgresWork, _ count: Int) throws -> (own: [Run], twin: [Run]) {
        for side in [side, .twin] { try makeBase(of: work, side, count) }
        var runs: [PostgresSide: [Run]] = [:]
        var sum: String?
        for _ in 0..<options.rounds {
            for side in [side, .twin] {
                try databases.make("work", from: work.base == nil ? nil : base(side))
                runs[side, default: []].append(try perform(work, side, work.file, in: "work", count))
                let found = try databases.contents("work")
                let expected = work == .new ? 2 * count : count
                guard found.count == expected, sum == nil || sum == found.sum else {
                    throw Problem(
                        "\(side.rawValue), \(work.rawValue): the table holds \(found), not \(expected) rows with the sum "
                            + "\(sum ?? "of the other side")")
                }
                sum = found.sum
            }
        }
        return (runs[side] ?? [], runs[.twin] ?? [])
    }

    private func base(_ side: PostgresSide) -> String { "base_\(side.rawValue)" }

    /// Makes a database in which a side has loaded what the table holds before the import.
    private func makeBase(of work: PostgresWork, _ side: PostgresSide, _ count: Int) throws {
        guard let file = work.base else { return }
        try databases.make(base(side))
        _ = try perform(.fresh, side, file, in: base(side), count)
        try databases.vacuum(base(side))
    }

    /// Runs an import and checks its summary.
    private func perform(
        _ work: PostgresWork, _ side: PostgresSide, _ file: PostgresWork.File, in database: String, _ count: Int
    ) throws -> Run {
        let model = try folder.model("model.xml", PostgresSide.model)
        let words = try side.words(
            work, path(of: file, count), model: model, into: databases.address(database), folder)
        try databases.checkpoint()
        let logged = try databases.loggedBytes()
        let child = try folder.run(words)
        try folder.checkSummary(work.outcome, count)
        return Run(
            seconds: child.seconds, peak: Int(child.peak_bytes), loggedBytes: try databases.loggedBytes() - logged)
    }

    // MARK: Files

    /// A file of users, one a line.
    private func path(of file: PostgresWork.File, _ count: Int) throws -> String {
        try folder.file("\(file.rawValue)-\(count).ndjson", report) { path in
            ["import-users", "\(count)", "1", "\(file.contents)", path, "\(file.first(count))"]
        }
    }
}
