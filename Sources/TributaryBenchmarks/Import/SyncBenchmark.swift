import CTributaryTwins
import Foundation

/// `scripts/benchmark import sync`: times the first sync of records and one of known records beside the same imports, and
/// a sync that deletes some.
struct SyncBenchmark {
    private static let count = 1_000_000
    /// The records that the last feed no longer holds.
    private static let gone = 100_000

    let folder: BenchmarkFolder
    let rounds: Int
    let report: Report

    /// Measures, and prints.
    func run() throws {
        let all = try folder.films(SyncBenchmark.count, "flat", report)
        defer { for name in ["imported", "synced", "shorter"] { folder.clear(name) } }
        let some = try makeShorterFile(of: all)
        let (imported, synced) = (folder.path("imported"), folder.path("synced"))
        var peak = 0
        for (isFirst, again, kind, target) in [(true, [], "new", 1.15), (false, ["--again"], "known", 1.3)] {
            var (plain, marked) = ([Double](), [Double]())
            for _ in 0..<max(1, rounds) {
                if isFirst { for name in ["imported", "synced"] { folder.clear(name) } }
                plain.append(try measure("import", all, into: imported, again).seconds)
                let run = try measure("sync", all, into: synced, ["--feed", "films"] + again)
                marked.append(run.seconds)
                peak = max(peak, Int(run.peak_bytes))
            }
            report.say(
                String(
                    format: "%d \(kind) films: import %.2f s, sync %.2f s (ratio %.2f, target \(target))",
                    SyncBenchmark.count, plain.median, marked.median, marked.median / plain.median))
        }
        let last = try measure("sync", some, into: synced, ["--feed", "films", "--max-delete", "10%"])
        peak = max(peak, Int(last.peak_bytes))
        try folder.check(synced, "film", ids: SyncBenchmark.gone + 1...SyncBenchmark.count)
        report.say(
            String(
                format: "%d of them deleted: %.2f s; at most %d MiB", SyncBenchmark.gone, last.seconds, peak >> 20))
    }

    private func measure(
        _ command: String, _ file: String, into database: String, _ words: [String]
    ) throws -> twin_child {
        try folder.run(
            [folder.command, command, database, file, "--table", "film", "--key", "id", "--json", "-q"]
                + words)
    }

    /// The same films without those that are gone.
    private func makeShorterFile(of file: String) throws -> String {
        let shorter = folder.path("shorter.ndjson")
        _ = FileManager.default.createFile(atPath: shorter, contents: nil)
        let (input, output) = (
            try FileHandle(forReadingFrom: URL(filePath: file)), try FileHandle(forWritingTo: URL(filePath: shorter))
        )
        // A process that reads the whole file would count its bytes as memory of the child.
        var rest = Data()
        while let piece = try input.read(upToCount: 1 << 20), !piece.isEmpty {
            rest += piece
            guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            var kept = Data()
            for line in rest[...end].split(separator: UInt8(ascii: "\n")) {
                let digits = line.dropFirst("{\"id\":".utf8.count).prefix { $0 != UInt8(ascii: ",") }
                guard let id = Int(String(decoding: digits, as: UTF8.self)), id > SyncBenchmark.gone else { continue }
                kept += line
                kept.append(UInt8(ascii: "\n"))
            }
            try output.write(contentsOf: kept)
            rest = Data(rest[(end + 1)...])
        }
        try output.close()
        return shorter
    }
}
