import Foundation
import Testing
import TributaryTestSupport

/// The lines of `--help`: each option is used by a test, and the limits do what their lines say.
@Suite struct HelpTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private func options() throws -> Set<String> {
        let commands = [
            "import", "status", "rejects", "retry", "forget", "seed", "model", "generate", "records", "validate",
            "inspect", "query", "tables", "browse", "export",
        ]
        var options: Set<String> = []
        for command in commands {
            let lines = try Tool.tributary.run(["help", command, "--all"]).text.split(separator: "\n")
            for line in lines where line.hasPrefix("  -") {
                // Two spaces or more separate the names from their explanation.
                let names = line.dropFirst(2).split(separator: "  ", maxSplits: 1)[0]
                for match in names.matches(of: /--[a-z-]+/) {
                    options.insert(String(match.output))
                }
            }
        }
        return options
    }

    @Test("Each option in the help is used by a test of the command")
    func eachOptionIsUsed() throws {
        let folder = Tool.package.appending(path: "Tests/TributaryCLITests")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let text = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
        let options = try options()
        #expect(options.count > 50)
        for option in options.sorted() {
            // Alone in a list of words, or in a line of a table.
            let isUsed = ["\"\(option)\"", "\"\(option)=", " \(option) "].contains { text.contains($0) }
            #expect(isUsed, "\(option)")
        }
    }

    @Test(
        "Each limit of the text refuses what exceeds it, and permits what does not",
        arguments: [
            ("--max-string", #"[{"a":"12345678"}]"#, 8, "found a string of more than 7 bytes"),
            ("--max-number", #"[{"a":12345678}]"#, 8, "found a number of more than 7 characters"),
            ("--max-key", #"[{"abcdefgh":1}]"#, 8, "found a key of more than 7 bytes"),
        ])
    func limits(_ option: String, _ text: String, _ size: Int, _ reason: String) throws {
        let path = try world.write(text)
        try Tool.tributary.run(["records", "--silent", option, "\(size - 1)", path]).expect(1, error: reason)
        #expect(try Tool.tributary.run(["records", "--silent", option, "\(size)", path]).lines.count == 1)
    }

    @Test("The ratio of decompressed bytes and the window of a stream are bounded")
    func compression() throws {
        let path = Tool.package.appending(path: "Fixtures/compressed/users.json.gz").path
        let refused = try Tool.tributary.run(["records", "-q", "--max-ratio", "1", path])
        // The ratio counts from 64 MiB on, so that short texts are read.
        #expect(refused.code == 0 && refused.lines.count == 8)
        let text = "[" + String(repeating: " ", count: 65 << 20) + "1]"
        let packed = try Tool("/usr/bin/gzip").run(["-1", "-c", try world.write(text, "long.json")])
        let file = try world.folder.write(packed.output, to: "long.json.gz")
        try Tool.tributary.run(["records", "-q", "--max-ratio", "2", file]).expect(
            1, error: "a ratio above the limit of 2")
        #expect(try Tool.tributary.run(["records", "-q", "--max-window", "1K", path]).lines.count == 8)
    }

    @Test("After a damaged record the next one is searched within the bound")
    func search() throws {
        let damaged = "[{\"a\":1},{\"a\":?" + String(repeating: " ", count: 5000) + "},\n{\"a\":3}]"
        let path = try world.write(damaged)
        let wide = try Tool.tributary.run(["records", "-q", "--on-error", "skip", path])
        #expect(wide.lines.count == 2, "\(wide.error)")
        let narrow = try Tool.tributary.run(["records", "-q", "--on-error", "skip", "--max-search", "1K", path])
        #expect(narrow.lines.count == 1, "\(narrow.error)")
    }

    @Test("Records can be skipped, and rejects written to a file")
    func outputs() throws {
        let path = try world.write(#"[{"id":1},{"x":2},{"id":3}]"#)
        #expect(try Tool.tributary.run(["records", "-q", "--offset", "2", path]).lines == [#"{"id":3}"#])
        try world.load(path, "--key", "id", "--on-error", "quarantine").expect(3)
        let file = world.folder.path("rejects.ndjson")
        let outcome = try Tool.tributary.run(["rejects", world.database, "--output", file])
        #expect(outcome.code == 0 && outcome.text.isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#""raw":"{\"x\":2}""#))
    }
}
