import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// Imports that are stopped or killed, and go on.
@Suite struct ImportResumingTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private static let count = 60_000

    /// Records with some dirt.
    private var dump: [UInt8] {
        let lines = (0..<Self.count).map { index in
            index % 1009 == 7 ? "{\"id\":\(index),}\n" : "{\"id\":\(index % 50_000),\"name\":\"n\(index)\"}\n"
        }
        return Array(lines.joined().utf8)
    }

    /// Imports without an interruption; the rows and the rejects.
    private func reference(_ file: String) throws -> (rows: [[String: SQLValue]], rejects: Int) {
        let database = world.folder.path("reference.sqlite")
        let outcome = try Tool.tributary.run([
            "import", "-q", file, "--into", database, "--entity", "e", "--key", "id", "--rejects",
            world.folder.path("reference.ndjson"),
        ])
        #expect(outcome.code == 3)
        return (try world.rows("e", in: database), try world.folder.read("reference.ndjson").count { $0 == 0x0A })
    }

    @Test func killedAgainAndAgain() throws {
        let file = try world.folder.write(dump, to: "e.ndjson")
        // Killed as soon as anything is written, be it before or behind the first commit.
        let script = """
            run() { exec tributary import -q e.ndjson --entity e --key id --batch-size 100 --rejects bad.ndjson --into app.sqlite; }
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

    @Test func statusTellsHowRunsStand() throws {
        #expect(try Tool.tributary.run(["status", world.database]).code == 1)
        let path = try world.write("{\"id\":1}\n{\"id\":x}\n{\"id\":3}\n", "e.ndjson")
        #expect(try world.load(path, "--batch-size", "1").code == 1)
        let failed = try Tool.tributary.run(["status", world.database])
        #expect(failed.code == 0 && failed.lines.count == 2, "\(failed.error)")
        #expect(failed.lines[0].hasPrefix("run 1  20") && failed.lines[0].contains("  e.ndjson into e  failed: "))
        #expect(try world.load(path, "--on-error", "skip").code == 3)
        let all = try Tool.tributary.run(["status", world.database])
        #expect(
            all.lines[0].hasSuffix("  e.ndjson into e  finished")
                && all.lines[1] == "    3 read = 2 inserted + 1 rejected")
        #expect(try Tool.tributary.run(["status", world.database, "--unfinished"]).text == "nothing is unfinished\n")
        let json = try Tool.tributary.run(["status", world.database, "--json"])
        let object = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        #expect(object["state"] as? String == "finished" && object["rejected"] as? Int == 1)
        #expect(object["sources"] as? [String] == [path] && object["failure"] is NSNull)
    }
}
