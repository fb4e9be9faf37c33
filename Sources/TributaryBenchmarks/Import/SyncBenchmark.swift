import CTributaryTwins
import Foundation
import Tributary
import TributarySQLite

/// `scripts/benchmark import sync`: times the first sync of records and one of known records beside the same imports, and
/// a sync that deletes some.
struct SyncBenchmark {
    private static let count = 1_000_000
    /// The records that the last feed no longer holds.
    private static let gone = 100_000

    let programs: ImportSide.Programs
    let folder: URL
    let rounds: Int

    /// Measures, and prints.
    func run(say: (String) -> Void) throws {
        let all = try makeFile()
        let some = try makeShorterFile(of: all)
        let (imported, synced) = (path("imported"), path("synced"))
        defer {
            for database in [imported, synced] { remove(database) }
            try? FileManager.default.removeItem(atPath: some)
        }
        var peak = 0
        for (isFirst, again, kind, target) in [(true, [], "new", 1.15), (false, ["--again"], "known", 1.3)] {
            var (plain, marked) = ([Double](), [Double]())
            for _ in 0..<max(1, rounds) {
                if isFirst { for database in [imported, synced] { remove(database) } }
                plain.append(try measure("import", all, into: imported, again).seconds)
                let run = try measure("sync", all, into: synced, ["--feed", "films"] + again)
                marked.append(run.seconds)
                peak = max(peak, run.peak)
            }
            say(
                String(
                    format: "%d \(kind) films: import %.2f s, sync %.2f s (ratio %.2f, target \(target))",
                    SyncBenchmark.count, plain.median, marked.median, marked.median / plain.median))
        }
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

    /// Films with the ids from 1.
    private func makeFile() throws -> String {
        let file = path("flat-\(SyncBenchmark.count).ndjson")
        guard !FileManager.default.fileExists(atPath: file) else { return file }
        let words = [programs.benchmarks, "import-films", "\(SyncBenchmark.count)", "flat", file]
        guard Child.run(words, output: path("output")).code == 0 else { throw Problem("could not make \(file)") }
        return file
    }

    /// The same films without those that are gone.
    private func makeShorterFile(of file: String) throws -> String {
        let shorter = path("synced.ndjson")
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

    private func remove(_ database: String) {
        for ending in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: database + ending)
        }
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }
}
