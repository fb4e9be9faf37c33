import CTributaryTwins
import Foundation
import Tributary
import TributarySQLite

/// `scripts/benchmark import sync`: times a sync of known records beside the same import, and one that deletes some.
struct SyncBenchmark {
    private static let count = 1_000_000
    /// The records that the last feed no longer holds.
    private static let gone = 100_000

    let programs: ImportSide.Programs
    let folder: URL
    let rounds: Int

    /// Measures, and prints.
    func run(say: (String) -> Void) throws {
        let (all, some) = (try makeFile(SyncBenchmark.count), try makeFile(SyncBenchmark.count - SyncBenchmark.gone))
        let (imported, synced) = (path("imported"), path("synced"))
        defer { for database in [imported, synced] { remove(database) } }
        _ = try measure("import", all, into: imported, [])
        let first = try measure("sync", all, into: synced, ["--feed", "films"])
        var (plain, known) = ([Double](), [Double]())
        var peak = first.peak
        for _ in 0..<rounds {
            plain.append(try measure("import", all, into: imported, ["--again"]).seconds)
            let run = try measure("sync", all, into: synced, ["--feed", "films", "--again"])
            known.append(run.seconds)
            peak = max(peak, run.peak)
        }
        say(
            String(
                format: "%d known films: import --again %.2f s, sync --again %.2f s (ratio %.2f, target 1.3)",
                SyncBenchmark.count, plain.median, known.median, known.median / plain.median))
        let last = try measure("sync", some, into: synced, ["--feed", "films", "--max-delete", "10%"])
        peak = max(peak, last.peak)
        var options = Connection.Options()
        options.isReadOnly = true
        let found = try Connection(.file(synced), options: options).value(of: "SELECT count(*) FROM film")
        guard found == .integer(Int64(SyncBenchmark.count - SyncBenchmark.gone)) else {
            throw Problem("after the deletion the table has \(String(describing: found)) rows")
        }
        say(
            String(
                format: "%d of them deleted: %.2f s; at most %d MiB", SyncBenchmark.gone, last.seconds, peak >> 20))
    }

    private func measure(
        _ command: String, _ file: String, into database: String, _ words: [String]
    ) throws -> (seconds: Double, peak: Int) {
        let all = [
            programs.command, command, file, "--into", database, "--table", "film", "--key", "id", "--json", "-q",
        ]
        let child = Child.run(all + words, output: path("output"))
        guard child.code == 0 else { throw Problem("\(command) ended with code \(child.code)") }
        return (child.seconds, child.peak_bytes)
    }

    /// Films with the ids from 1 to `count`.
    private func makeFile(_ count: Int) throws -> String {
        let file = path("flat-\(count).ndjson")
        guard !FileManager.default.fileExists(atPath: file) else { return file }
        let words = [programs.benchmarks, "import-films", "\(count)", "flat", file]
        guard Child.run(words, output: path("output")).code == 0 else { throw Problem("could not make \(file)") }
        return file
    }

    private func remove(_ database: String) {
        for ending in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: database + ending)
        }
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }
}
