import Foundation

/// Times cases and their twins in turn, and prints the results.
struct Benchmark {
    static let usage = "usage: scripts/benchmark [FILTER] [--rounds N] [--count N] [--json]\n\(ImportBenchmark.usage)"

    private let workload: Workload
    private let options: BenchmarkOptions

    private struct Row: Encodable {
        let name: String
        let seconds: Double
        let twin: String
        let twinSeconds: Double
        let ratio: Double
        let megabytesPerSecond: Double?
        let nanosecondsEach: Double
    }

    init(_ words: [String]) throws {
        options = try BenchmarkOptions(words, allowing: ["--json"], usage: Benchmark.usage)
        workload = try Workload(count: options.count)
    }

    func run(_ cases: [BenchmarkCase]) throws {
        let filter = options.names.last
        let chosen = cases.filter { filter == nil || $0.name.contains(filter ?? "") }
        guard !chosen.isEmpty else { throw Problem("no case has '\(filter ?? "")' in its name") }
        let report = Report(printsJSON: options.printsJSON)
        var rows: [Row] = []
        report.say(
            "\(workload.count) records, \(workload.byteCount / 1_000_000) MB, median of \(options.rounds) rounds after a warm-up"
        )
        for item in chosen {
            let row = try measure(item)
            rows.append(row)
            report.say(line(row))
        }
        try report.finish(rows)
    }

    /// Runs a case and its twin alternately, so that other load on the machine affects both.
    private func measure(_ item: BenchmarkCase) throws -> Row {
        var times: [Double] = []
        var twinTimes: [Double] = []
        var records = 1
        for round in 0...options.rounds {
            let (seconds, result) = try Duration.measure { try item.run(workload) }
            let (twinSeconds, expected) = try Duration.measure { try item.twin.run(workload) }
            guard result == expected else {
                throw Problem("\(item.name) gives \(result), but \(item.twin.name) gives \(expected)")
            }
            records = result.records
            // The first round only warms up.
            guard round > 0 else { continue }
            times.append(seconds)
            twinTimes.append(twinSeconds)
        }
        let seconds = times.median
        return Row(
            name: item.name, seconds: seconds, twin: item.twin.name, twinSeconds: twinTimes.median,
            ratio: zip(times, twinTimes).map(/).median,
            megabytesPerSecond: item.readsDump ? Double(workload.byteCount) / 1e6 / seconds : nil,
            nanosecondsEach: seconds * 1e9 / Double(max(1, records)))
    }

    private func line(_ row: Row) -> String {
        let speed = row.megabytesPerSecond.map { String(format: "%.0f MB/s", $0) }
        return Report.line(
            (row.name, 30), (String(format: "%.3f s", row.seconds), 10),
            (speed ?? String(format: "%.1f ns each", row.nanosecondsEach), 14), (row.twin, 22))
            + String(format: "%.3f s   ratio %.2f", row.twinSeconds, row.ratio)
    }
}

/// The reason why a benchmark cannot run.
struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
