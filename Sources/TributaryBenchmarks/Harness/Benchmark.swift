import Foundation

/// Times cases and their twins in turn, and prints the results.
struct Benchmark {
    let workload: Workload
    let rounds: Int
    let filter: String?
    let printsJSON: Bool

    private struct Row: Encodable {
        let name: String
        let seconds: Double
        let twin: String
        let twinSeconds: Double
        let ratio: Double
        let megabytesPerSecond: Double?
        let nanosecondsEach: Double
    }

    func run(_ cases: [BenchmarkCase]) throws {
        let chosen = cases.filter { filter == nil || $0.name.contains(filter ?? "") }
        guard !chosen.isEmpty else { throw Problem("no case has '\(filter ?? "")' in its name") }
        var rows: [Row] = []
        say(
            "\(workload.count) records, \(workload.byteCount / 1_000_000) MB, median of \(rounds) rounds after a warm-up"
        )
        for item in chosen {
            let row = try measure(item)
            rows.append(row)
            say(line(row))
        }
        if printsJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(rows), as: UTF8.self))
        }
    }

    /// Runs a case and its twin alternately, so that other load on the machine affects both.
    private func measure(_ item: BenchmarkCase) throws -> Row {
        var times: [Double] = []
        var twinTimes: [Double] = []
        var ratios: [Double] = []
        var records = 1
        for round in 0...rounds {
            let (seconds, result) = try time { try item.run(workload) }
            let (twinSeconds, expected) = try time { try item.twin.run(workload) }
            guard result == expected else {
                throw Problem("\(item.name) gives \(result), but \(item.twin.name) gives \(expected)")
            }
            records = result.records
            // The first round only warms up.
            guard round > 0 else { continue }
            times.append(seconds)
            twinTimes.append(twinSeconds)
            ratios.append(seconds / twinSeconds)
        }
        let seconds = times.median
        return Row(
            name: item.name, seconds: seconds, twin: item.twin.name, twinSeconds: twinTimes.median,
            ratio: ratios.median,
            megabytesPerSecond: item.readsDump ? Double(workload.byteCount) / 1e6 / seconds : nil,
            nanosecondsEach: seconds * 1e9 / Double(max(1, records)))
    }

    private func line(_ row: Row) -> String {
        func cell(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        var text = cell(row.name, 30) + cell(String(format: "%.3f s", row.seconds), 10)
        let speed = row.megabytesPerSecond.map { String(format: "%.0f MB/s", $0) }
        text += cell(speed ?? String(format: "%.1f ns each", row.nanosecondsEach), 14)
        return text + cell(row.twin, 22) + String(format: "%.3f s   ratio %.2f", row.twinSeconds, row.ratio)
    }

    private func time<Result>(_ body: () throws -> Result) rethrows -> (Double, Result) {
        let start = ContinuousClock.now
        let result = try body()
        return ((ContinuousClock.now - start) / Duration.seconds(1), result)
    }

    /// Prints a line, to standard error if standard output is JSON.
    private func say(_ text: String) {
        printsJSON ? FileHandle.standardError.write(Data((text + "\n").utf8)) : print(text)
    }
}

/// The reason why a benchmark cannot run.
struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
