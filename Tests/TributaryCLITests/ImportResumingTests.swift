import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// Imports that are stopped or killed, and then resume.
@Suite struct ImportResumingTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private static let count = 60_000

    /// Records with repeated keys, some of which are damaged.
    private var dump: [UInt8] {
        let lines = (0..<Self.count).map { index in
            index % 1009 == 7 ? "{\"id\":\(index),}\n" : "{\"id\":\(index % 50_000),\"name\":\"n\(index)\"}\n"
        }
        return Array(lines.joined().utf8)
    }

    /// The rows and the number of rejects of an import without an interruption.
    private func reference(_ file: String) throws -> (rows: [[String: SQLValue]], rejects: Int) {
        let database = world.folder.path("reference.sqlite")
        try Tool.tributary.run([
            "import", database, "-q", file, "--entity", "e", "--key", "id", "--rejects",
            world.folder.path("reference.ndjson"),
        ]).expect(3)
        return (try world.rows("e", in: database), try world.folder.read("reference.ndjson").count { $0 == 0x0A })
    }

    @Test(
        "An import from a pipe resumes after a signal with the same result",
        arguments: [("INT", 130), ("TERM", 143), ("KILL", 137)] as [(String, Int32)])
    func resumesFromAPipe(_ signal: String, _ code: Int32) throws {
        let file = try world.folder.write(dump, to: "e.ndjson")
        // The signal comes when a part of the feed is committed and the import waits for more.
        let script = """
            set -m; mkfifo pipe
            run() { exec tributary import app.sqlite --entity e --key id --batch-size 500 --rejects bad.ndjson "$@"; }
            run pipe > first.out 2> first.err & exec 3> pipe
            head -c 1000000 e.ndjson >&3
            until tributary status app.sqlite --json 2>/dev/null | grep -q '"read":[1-9]'; do :; done
            kill -\(signal) $!; wait $!; echo $?
            exec 3>&-
            cat e.ndjson > pipe & (run pipe --json -q); echo $?
            """
        let outcome = try Tool.shell(script, in: world.folder.url)
        #expect(outcome.lines.first == "\(code)" && outcome.lines.last == "3", "\(outcome.error) \(outcome.lines)")
        let summary = try JSONSerialization.jsonObject(with: Data(outcome.lines.dropLast().last?.utf8 ?? "".utf8))
        let books = try #require(summary as? [String: Any])
        #expect(
            books["read"] as? Int == Self.count && (books["resumedAt"] as? Int ?? 0) > 0 && books["run"] as? Int == 1)
        let expected = try reference(file)
        #expect(try world.rows("e") == expected.rows)
        #expect(try world.folder.read("bad.ndjson").count { $0 == 0x0A } == expected.rejects)
        if signal != "KILL" {
            let message = String(decoding: try world.folder.read("first.err"), as: UTF8.self)
            #expect(message.contains("everything read is committed\n"), "\(message)")
            #expect(
                message.contains(
                    "to resume, feed the same input again and run: tributary import app.sqlite pipe --entity e"))
        }
    }

    @Test("Resuming from a pipe with other bytes is refused, and --restart reads them")
    func anotherPipeIsRefused() throws {
        _ = try world.folder.write(dump, to: "e.ndjson")
        let script = """
            set -m; mkfifo pipe
            run() { exec tributary import -q app.sqlite --entity e --key id --batch-size 500 --on-error skip "$@"; }
            run pipe & exec 3> pipe
            head -c 1000000 e.ndjson >&3
            until tributary status app.sqlite --json 2>/dev/null | grep -q '"read":[1-9]'; do :; done
            kill -INT $!; wait $!
            exec 3>&-
            sed 's/"id":3,"name":"n3"/"id":-3,"name":"nX"/' e.ndjson > pipe & (run pipe); echo $?
            sed 's/"id":3,"name":"n3"/"id":-3,"name":"nX"/' e.ndjson > pipe & (run pipe --restart); echo $?
            """
        let outcome = try Tool.shell(script, in: world.folder.url)
        #expect(outcome.lines == ["1", "3"], "\(outcome.error)")
        #expect(outcome.error.contains("tributary: pipe: its first "))
        #expect(outcome.error.contains(" bytes are not those that were read before the checkpoint"))
        #expect(try world.rows("e").contains { $0["id"] == -3 && $0["name"] == .text("nX") })
    }

    @Test("A pipe in place of a file, or a file in place of a pipe, is refused with the way to resume")
    func pipeOrFile() throws {
        _ = try world.write("{\"id\":1}\n{\"id\":x}\n{\"id\":3}\n", "v.ndjson")
        // Each of them stops at its second record. A table without a key cannot be imported again from the start.
        let script = """
            run() { tributary import -q app.sqlite - --batch-size 1 "$@"; }
            cat v.ndjson | run --table a; run --table a < v.ndjson; cat v.ndjson | run --table a --on-error skip
            run --table b --key id < v.ndjson; cat v.ndjson | run --table b --key id
            run --table b --key id --on-error skip < v.ndjson
            """
        let outcome = try Tool.shell(script, in: world.folder.url).expect(
            3,
            error: "standard input has changed since its import (run 1) stopped after record 1: it is a regular file "
                + "now; resume it from a pipe again, as in: cat FILE | tributary import app.sqlite - --quiet "
                + "--batch-size 1 --table a\n",
            "after record 1: it is a pipe now; resume it with < FILE\n", without: "restore", "its size differs")
        for table in ["a", "b"] { #expect(try world.values("id", of: table) == [1, 3], "\(outcome.error)") }
    }

    @Test("An import that is killed many times ends with the same result")
    func killedAgainAndAgain() throws {
        let file = try world.folder.write(dump, to: "e.ndjson")
        // Each run is killed as soon as anything is written, before or after the first commit.
        let script = """
            run() { exec tributary import -q app.sqlite e.ndjson --entity e --key id --batch-size 100 --rejects bad.ndjson; }
            for i in 1 2 3 4 5 6 7 8; do
                (run) & pid=$!
                until [ -s app.sqlite-wal ] || ! kill -0 $pid 2>/dev/null; do :; done
                kill -KILL $pid; wait $pid
            done 2>/dev/null
            (run); echo $?
            """
        let outcome = try Tool.shell(script, in: world.folder.url)
        #expect(outcome.lines == ["3"], "\(outcome.error)")
        let expected = try reference(file)
        #expect(try world.rows("e") == expected.rows)
        #expect(try world.folder.read("bad.ndjson").count { $0 == 0x0A } == expected.rejects)
    }

    /// The nanoseconds of these times do not fit into 64 bits.
    @Test(
        "A file with a modification date in another millennium is known as unchanged",
        arguments: [10_413_792_000, -10_413_792_000])
    func aFileOfAnotherMillennium(_ time: Double) throws {
        let path = try world.write("{\"id\":1}\n", "e.ndjson")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: path)
        try world.load(path, "--key", "id").expect(0, prefix: "1 read = 1 inserted")
        try world.load(path, "--key", "id").expect(text: "unchanged since")
    }

    @Test("The journal can read any path of records that it has written")
    func theJournalReadsWhatItHasWritten() throws {
        let path = try world.write("{\"\u{301}x\\\"y\u{600}\":[{\"id\":1},{\"id\":2}]}", "e.json")
        try world.load(path, "--entity", "E", "--key", "id").expect(0)
        let status = try Tool.tributary.run(["status", world.database])
        #expect(status.code == 0 && status.lines.count == 2, "\(status.error)")
        try world.load(path, "--entity", "E", "--key", "id", "--again").expect(0)
    }

    @Test("status shows the source, the state and the counts of each run")
    func statusTellsHowRunsStand() throws {
        try Tool.tributary.run(["status", world.database]).expect(1)
        let path = try world.write("{\"id\":1}\n{\"id\":x}\n{\"id\":3}\n", "e.ndjson")
        try world.load(path, "--batch-size", "1").expect(1)
        let failed = try Tool.tributary.run(["status", world.database])
        #expect(failed.code == 0 && failed.lines.count == 2, "\(failed.error)")
        #expect(failed.lines[0].hasPrefix("run 1  20") && failed.lines[0].contains("  e.ndjson into e  failed: "))
        try world.load(path, "--on-error", "skip").expect(3)
        let all = try Tool.tributary.run(["status", world.database])
        #expect(
            all.lines[0].hasSuffix("  e.ndjson into e  finished")
                && all.lines[1] == "    3 read = 2 inserted + 1 rejected")
        try Tool.tributary.run(["status", world.database, "--unfinished"]).expect(output: "nothing is unfinished\n")
        let json = try Tool.tributary.run(["status", world.database, "--json"])
        let object = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        #expect(object["state"] as? String == "finished" && object["rejected"] as? Int == 1)
        #expect(object["sources"] as? [String] == [path] && object["failure"] is NSNull)
    }
}
