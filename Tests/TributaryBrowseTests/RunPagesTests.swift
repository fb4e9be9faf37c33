import Foundation
import Testing
import TributaryBrowse
import TributaryImport
import TributarySQLite
import TributaryTestSupport

/// The pages of runs: `/runs` and `/runs/N`.
struct RunPagesTests {
    private let world: BrowseWorld

    init() throws { world = try BrowseWorld() }

    /// Imports a dump into the table `books`, and returns the exit code.
    @discardableResult
    private func load(_ text: String, _ name: String = "books.json", _ words: String...) throws -> Int32 {
        let words = ["--key", "id", "--table", "books", "-q"] + words
        return try Tool.tributary.run(
            ["import", "app.sqlite", try world.write(text, name)] + words, in: world.folder.url
        ).code
    }

    private func plain(_ path: [String], _ query: [(name: String, value: String)] = []) -> String {
        let page = world.page(path, query)
        #expect(page.status == 200, "\(page.text)")
        return BrowseWorld.plain(page.text)
    }

    @Test("A run shows counts that add up, its rejects with place and bytes, and the commands that retry and undo it")
    func rejects() throws {
        let dump = "[{\"id\":1},\n{\"id\":2,\"a\":<b>},\n{\"id\":[3]}]"
        try load(dump, "bo'oks <i>.json", "--on-error", "quarantine", "--undoable")
        let list = plain(["runs"])
        #expect(list.contains("1 done bo'oks <i>.json books"), "\(list)")
        let run = plain(["runs", "1"])
        #expect(run.contains("3 read = 1 inserted + 2 rejected"), "\(run)")
        #expect(run.contains("bo'oks <i>.json, record 2, line 2, column 13, byte"), "\(run)")
        #expect(run.contains("{\"id\":2,\"a\":<b>}"), "\(run)")
        #expect(run.contains("tributary retry ") && run.contains(" --run 1"), "\(run)")
        #expect(run.contains("tributary undo ") && run.contains(" --run 1 --dry-run"), "\(run)")
        // The commands do what they say.
        let database = try #require(run.firstMatch(of: /tributary undo (\S+) --run 1/)).output.1
        let undo = try Tool.shell("tributary undo \(database) --run 1", in: world.folder.url)
        #expect(undo.code == 0, "\(undo.error)")
        let undone = plain(["runs", "1"])
        #expect(undone.contains("Run 1 undone") && undone.contains("run 1 is undone already"), "\(undone)")
    }

    @Test("A failed run says why and that the same command resumes it, and later runs prevent undoing")
    func failed() throws {
        #expect(try load("[{\"id\":1},{\"id\":2},{\"id\":<}]", "books.json", "--batch-size", "1", "--undoable") == 1)
        let run = plain(["runs", "1"])
        #expect(run.contains("Run 1 failed"), "\(run)")
        #expect(run.contains("The same import command"), "\(run)")
        try load("[{\"id\":7}]", "others.json", "--undoable")
        #expect(plain(["runs", "1"]).contains("It cannot be undone:"), "\(plain(["runs", "1"]))")
        #expect(plain(["runs", "2"]).contains("tributary undo"))
    }

    @Test("A run whose row another program has changed takes neither the tables nor the server away")
    func impossible() throws {
        try load("[{\"id\":1}]")
        let largest = "9223372036854775807"
        let deleted = "{\"feed\":\"f\",\"restored\":0,\"unidentified\":0,\"deleted\":{\"a\":\(largest),\"b\":1}}"
        for change in ["'$.sources[0].size', \(largest)", "'$.summary.sync', json('\(deleted)')"] {
            try world.execute("UPDATE _run SET payload = json_set(payload, \(change))")
            let home = plain([])
            #expect(home.contains("run 1 of the journal cannot be read") && home.contains("books"), "\(home)")
            #expect(world.page(["runs", "1"]).status == 500)
            try world.execute(
                "UPDATE _run SET payload = json_remove(json_set(payload, '$.sources[0].size', 10), '$.summary.sync')")
            #expect(world.page(["runs", "1"]).status == 200)
        }
    }

    @Test("Bytes of rejects that are no text are shown in hexadecimal, and control characters by their pictures")
    func bytes() throws {
        let bytes: [UInt8] =
            Array("{\"id\":1}\n{\"id\":2,\"a\":\u{1}\u{202E}}\n{\"id\":".utf8) + [0xFF, 0xC3] + Array("}\n".utf8)
        let file = try world.folder.write(bytes, to: "books.ndjson")
        try world.run(
            "import", "app.sqlite", file, "--key", "id", "--table", "books", "-q", "--on-error", "quarantine")
        let page = world.page(["runs", "1"]).text
        #expect(page.contains("{&quot;id&quot;:2,&quot;a&quot;:␁\u{FFFD}}"), "\(page)")
        #expect(page.contains("⟨FF⟩⟨C3⟩"), "\(page)")
    }

    @Test("Rejects and runs are shown in pages, each once, and a long reject in part with a link to all of it")
    func pages() throws {
        let long = String(repeating: "x", count: 5000)
        let records = (0..<120).map { "{\"id\":\($0),\"a\":<\($0 == 0 ? long : "")}" }.joined(separator: "\n")
        let file = try world.write(records, "books.ndjson")
        try world.run(
            "import", "app.sqlite", file, "--key", "id", "--table", "books", "-q", "--on-error", "quarantine")
        var (seen, next): ([String], String?) = ([], "/runs/1")
        while let address = next {
            let (path, query) = Self.request(address)
            let page = world.page(path, query)
            #expect(page.status == 200)
            seen += page.text.matches(of: /<li id="reject-(\d+)">/).map { String($0.output.1) }
            next = page.text.firstMatch(of: /href="([^"]*)#rejects" rel="next"/).map { String($0.output.1) }
        }
        #expect(seen == (1...120).map(String.init))
        let whole = world.page(["runs", "1"], [("reject", "1")])
        #expect(whole.text.contains(long) && !world.page(["runs", "1"]).text.contains(long))
        #expect(world.page(["runs", "1"], [("reject", "121")]).status == 404)
        for path in [["runs", "2"], ["runs", "x"], ["runs", "-1"], ["runs", "99999999999999999999"]] {
            #expect(world.page(path).status == 404, "\(path)")
        }

        let connection = try Connection(.file(world.database))
        for number in 2...130 {
            try connection.execute(
                """
                INSERT INTO "_run" SELECT \(number), "identity", "state",
                json_set("payload", '$.run', \(number), '$.summary.run', \(number)) FROM "_run" WHERE "run" = 1
                """)
        }
        var runs: [String] = []
        next = "/runs"
        while let address = next {
            let (path, query) = Self.request(address)
            let page = world.page(path, query).text
            runs += page.matches(of: /<th scope="row" class="number"><a href="\/runs\/(\d+)">/).map {
                String($0.output.1)
            }
            next = page.firstMatch(of: /href="([^"]*)" rel="next"/).map { String($0.output.1) }
        }
        #expect(runs == (1...130).reversed().map(String.init))
        #expect(plain(["runs"], [("before", "31")]).contains("Newer"))
    }

    /// The path and the query of an address of a page.
    private static func request(_ address: String) -> ([String], [(name: String, value: String)]) {
        let parts = address.replacing("&amp;", with: "&").split(separator: "?", maxSplits: 1)
        let query = parts.count < 2 ? [] : parts[1].split(separator: "&").map { $0.split(separator: "=") }
        return (
            parts[0].split(separator: "/").map(String.init),
            query.map { (String($0[0]).removingPercentEncoding ?? "", String($0[1]).removingPercentEncoding ?? "") }
        )
    }

    @Test("A database without a journal has no runs, and says so")
    func none() throws {
        try world.execute("CREATE TABLE t (a)")
        #expect(plain(["runs"]).contains("The journal has no runs"))
        #expect(world.page(["runs", "1"]).status == 404)
    }

    @Test("A running import shows its figures, and each answer adds a position until it has ended")
    func live() throws {
        let start = try Tool.shell(
            """
            mkfifo pipe
            tributary import -q app.sqlite --key id --table books --batch-size 1 - > /dev/null 2>&1 < pipe &
            """, in: world.folder.url)
        #expect(start.code == 0, "\(start.error)")
        let pipe = try FileHandle(forWritingTo: world.folder.url.appending(path: "pipe"))
        /// The first page for which `condition` is true.
        func page(_ query: [(name: String, value: String)] = [], where condition: (String) -> Bool) throws -> String {
            let end = ContinuousClock.now + .seconds(120)
            while ContinuousClock.now < end {
                let page = world.page(["runs", "1"], query)
                if page.status == 200, condition(page.text) { return page.text }
            }
            Issue.record("the page does not come to what is expected: \(world.page(["runs", "1"], query).text)")
            throw CancellationError()
        }
        func address(_ text: String) throws -> [(name: String, value: String)] {
            Self.request(String(try #require(text.firstMatch(of: /data-live="([^"]*)"/)).output.1)).1
        }
        try pipe.write(contentsOf: Data("{\"id\":1}\n{\"id\":2}\n".utf8))
        let first = try page { BrowseWorld.plain($0).contains("Records read 2 ") }
        #expect(first.contains("<h1>Run 1 <span class=\"badge running\">"), "\(first)")
        var query = try address(first)
        #expect(query.first?.value == "live" && query.last?.value.hasPrefix("0.0_") ?? false, "\(query)")
        for record in 3...5 {
            try pipe.write(contentsOf: Data("{\"id\":\(record)}\n".utf8))
            let part = try page(query) { BrowseWorld.plain($0).contains("Records read \(record) ") }
            #expect(part.hasPrefix("<section"), "\(part)")
            let next = try address(part)
            #expect(next.last?.value.hasSuffix(".\(record)") ?? false, "\(next)")
            query = next
        }
        // What is no list of positions is left out, and a list never grows beyond its limit.
        for text in ["1", "1.2.3", "-1.2", "a.b_1.2", "99999999999999999999.1", "_", ".", "9.9_1.1", "<b>"] {
            let kept = try address(world.page(["runs", "1"], [("part", "live"), ("samples", text)]).text)
            #expect(kept.last?.value.wholeMatch(of: /[0-9._]+/) != nil, "\(text): \(kept)")
        }
        let many = (0..<500).map { "0.\($0)" }.joined(separator: "_") + (1...500).map { "_\($0).0" }.joined()
        let kept = try address(world.page(["runs", "1"], [("part", "live"), ("samples", many)]).text)
        #expect((kept.last?.value.split(separator: "_").count ?? 0) <= 120)
        try pipe.close()
        let end = try page(query) { !$0.contains("data-live") }
        #expect(BrowseWorld.plain(end).contains("The import has ended"), "\(end)")
        #expect(BrowseWorld.plain(world.page(["runs", "1"]).text).contains("5 read = 5 inserted"))
    }
}
