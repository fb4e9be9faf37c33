import Foundation
import Testing
import TributaryTestSupport

/// The packages of the examples: compiled with the modules of the test build, and used as in their READMEs.
@Suite struct ExampleTests {
    private let folder: TemporaryFolder
    private static let examples = Tool.package.appending(path: "Examples")
    private static let names = ["Bookshelf", "DumpProfile", "FilmSearch", "NightlySync", "Template"]

    init() throws { folder = try TemporaryFolder() }

    private func path(_ file: String) -> String { Self.examples.appending(path: file).path }

    /// The Swift files below a folder of an example.
    private static func sources(_ folder: String) throws -> [String] {
        let root = examples.appending(path: folder)
        let files = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        return files.filter { $0.hasSuffix(".swift") }.sorted().map { root.appending(path: $0).path }
    }

    /// Compiles a target of an example, and links it.
    private func build(_ example: String, _ target: String) throws -> Tool {
        let program = try SwiftProgram(folder)
        try program.compile(
            ["-parse-as-library", "-wmo", "-c", "-module-name", target, "-o", "main.o"]
                + Self.sources("\(example)/Sources/\(target)"))
        return try program.link(["main.o"])
    }

    @Test("The bookshelf imports, lists, searches, undoes and migrates")
    func bookshelf() throws {
        let program = try build("Bookshelf", "Bookshelf")
        let (books, database) = (path("Bookshelf/books.json"), folder.path("books.sqlite"))
        func run(_ commands: String...) throws -> [String] {
            let outcome = try program.run([database], input: Data(commands.joined(separator: "\n").utf8))
            #expect(outcome.code == 0 && outcome.error.isEmpty, "\(outcome.error)")
            return outcome.lines
        }
        let first = try run(
            "import \(books)", "list", "search LEM", "rename 9780441172719 Dune, again", "search dune", "undo",
            "search dune", "undo", "redo", "save", "nonsense")
        let imported = try #require(first.firstIndex(of: "imported \(books): 8 books"))
        #expect(first[..<imported].last == "  8 books so far")
        #expect(
            Array(first[(imported + 1)...].prefix(16)) == [
                "Frank Herbert", "  9780441172719  Dune (1965)", "Philip K. Dick", "  9781598530506  Ubik (1969)",
                "Stanisław Lem", "  9780156837507  Solaris (1961)", "  9780156027595  The Cyberiad (1965)",
                "Ursula K. Le Guin", "  9780547773742  A Wizard of Earthsea (1968)",
                "  9780061054884  The Dispossessed (1974)", "  9780156030083  The Lathe of Heaven (1971)",
                "  9780441478125  The Left Hand of Darkness (1969)", "index: F P S U",
                "  9780156837507  Solaris (1961)", "  9780156027595  The Cyberiad (1965)",
                "  9780441172719  Dune, again (1965)",
            ])
        #expect(
            Array(first[(imported + 17)...].prefix(3)) == ["  9780441172719  Dune (1965)", "nothing to undo", "saved"])
        // What was saved is there, and importing again restores the title from the file.
        #expect(try run("search dune") == ["  9780441172719  Dune, again (1965)"])
        #expect(try run("import \(books)", "search dune").last == "  9780441172719  Dune (1965)")

        let old = folder.path("old.sqlite")
        try program.run(["--first-edition", old]).expect(0)
        #expect(
            try program.run([old], input: Data("list".utf8)).lines == [
                "migrating \(old):", "  renames the attribute Book.name to Book.title",
                "  adds the attribute Book.isRead, with its default for objects without one", "Dan Simmons",
                "  9780553283686  Hyperion", "index: D",
            ])
    }

    @Test("The nightly sync reports changes, deletes nothing for a feed that is cut short, and exits by its result")
    func nightlySync() throws {
        let program = try build("NightlySync", "NightlySync")
        let whole = try String(contentsOfFile: path("NightlySync/products.json"), encoding: .utf8)
        /// Runs the program, with the feed of the night before if there is no other one.
        func night(_ feed: String?, _ code: Int32, _ lines: [String]) throws {
            if let feed { _ = try folder.write(feed.utf8, to: "feed.json") }
            let outcome = try program.run(["shop.sqlite", "feed.json", "report"], in: folder.url)
            #expect(outcome.code == code && outcome.error.isEmpty && outcome.lines == lines, "\(outcome.text)")
        }
        func report() throws -> [String: Any] {
            let report = try JSONSerialization.jsonObject(with: Data(folder.read("report/report.json")))
            return try #require(report as? [String: Any])
        }
        func skus() throws -> [String] {
            try Tool.tributary.run(
                ["query", folder.path("shop.sqlite"), "Product", "--fields", "sku,price", "--format", "csv"]
            ).lines.dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let unchanged = ["feed.json: unchanged", "  0 read, 0 inserted, 0 updated, 0 deleted, 0 rejected"]
        try night(
            whole, 0,
            ["feed.json: changed", "  6 read, 6 inserted, 0 updated, 0 deleted, 0 rejected"]
                + ["a1", "a2", "a3", "b1", "b2", "b3"].map { "  inserted \($0)" })
        try night(nil, 0, unchanged)
        try night(whole, 0, ["feed.json: unchanged", "  6 read, 0 inserted, 0 updated, 0 deleted, 0 rejected"])
        #expect(try report()["result"] as? String == "unchanged" && report()["inserted"] as? Int == 0)

        let lines = whole.split(separator: "\n").map(String.init)
        let next = lines.filter { !$0.contains("\"a3\"") }.joined(separator: "\n").replacing("39.00", with: "35.00")
        try night(
            next, 0,
            [
                "feed.json: changed", "  5 read, 0 inserted, 1 updated, 1 deleted, 0 rejected", "  updated a1: price",
                "  deleted a3",
            ])
        let rows = ["a1,35", "a2,180", "b1,90", "b2,120", "b3,25"]
        #expect(try skus() == rows)
        #expect(try report()["changes"] as? [String] == ["updated a1: price", "deleted a3"])
        #expect(try report()["deleted"] as? Int == 1 && report()["run"] as? Int == 3)
        let changes = String(decoding: try folder.read("report/changes.ndjson"), as: UTF8.self)
        #expect(changes.contains(#""old":{"price":"39"},"new":{"price":"35"}"#))

        // A feed that is cut short, empty, or has a record without a key, asks for a look at it each night.
        let half = String(next.prefix(next.count / 2))
        let reason = "  nothing was deleted: the feed has records without a key, or is cut short"
        try night(
            half, 3,
            [
                "feed.json: attention", "  3 read, 0 inserted, 0 updated, 0 deleted, 1 rejected",
                "  run 4 has rejected records, and kept them", reason,
            ])
        try night(
            nil, 3,
            ["feed.json: attention", unchanged[1], "  run 4 has rejected records, and kept them", reason])
        try night(
            "[]", 3,
            [
                "feed.json: attention", unchanged[1],
                "  5 of 5 rows of Product are no longer in the feed, more than 20.0%; nothing was deleted",
            ])
        try night(
            next.replacing(" 25.00", with: " -25.00"), 3,
            [
                "feed.json: attention", "  5 read, 0 inserted, 0 updated, 0 deleted, 1 rejected",
                "  run 6 has rejected records, and kept them",
            ])
        #expect(try skus() == rows)
        try FileManager.default.removeItem(atPath: folder.path("feed.json"))
        let failed = try program.run(["shop.sqlite", "feed.json", "report"], in: folder.url)
        #expect(failed.code == 1 && failed.lines.last == "  feed.json: No such file or directory")
        #expect(try report()["result"] as? String == "failed")
        try night(next, 0, ["feed.json: unchanged", "  5 read, 0 inserted, 0 updated, 0 deleted, 0 rejected"])

        // The runs of a week are kept, and the last of them can be undone.
        for price in 1...9 {
            try night(
                next.replacing(" 25.00", with: " \(price)"), 0,
                ["feed.json: changed", "  5 read, 0 inserted, 1 updated, 0 deleted, 0 rejected", "  updated b3: price"])
        }
        let status = try Tool.tributary.run(["status", folder.path("shop.sqlite")]).lines
        #expect(status.count { $0.hasPrefix("run ") } == 7)
        try Tool.tributary.run(["undo", folder.path("shop.sqlite")]).expect(0)
        #expect(try skus().last == "b3,8")
    }

    @Test("The page of a profile shows each path of a dump, and no markup of its values")
    func dumpProfile() throws {
        let program = try build("DumpProfile", "ProfilePage")
        let dump = """
            {"id": 1, "on": "2026-01-10", "user": {"name": "<script>", "age": 41}, "tags": ["a", "b"], "ok": true}
            {"id": 2, "on": "2026-01-11", "user": {"name": "<script>"}, "tags": ["a"], "ok": true}
            {"id": 3, "on": null, "user": {"name": "Ben & Co", "age": "40"}, "tags": [], "ok": false}
            {"id": 4, "on": "2026-01-12", "user": {"name": "Cleo"}, "tags": ["a"], "ok": true
            """
        _ = try folder.write(dump.utf8, to: "dump.ndjson")
        let outcome = try program.run(["dump.ndjson"], in: folder.url)
        #expect(outcome.code == 0 && outcome.error.isEmpty)
        let page = outcome.text
        #expect(page.hasPrefix("<!DOCTYPE html>\n") && !page.contains("<script"))
        let cells = page.matches(of: /<tr><th scope="row">(.*)<\/td><\/tr>/).map { row in
            row.1.split(separator: /<\/t[hd]><td[^>]*>/, omittingEmptySubsequences: false).map(String.init)
        }
        #expect(
            cells == [
                ["id", "100 %", "integer", "3", "1 … 3", ""],
                ["on", "66 %", "date", "2", "2026-01-10 … 2026-01-11", ""],
                ["user", "100 %", "object", "", "", ""],
                [
                    "user.name", "100 %", "text", "2", "&lt;script&gt; … Ben &amp; Co",
                    "&lt;script&gt; 66 % · Ben &amp; Co 33 %",
                ],
                ["user.age", "66 %", "integer ×1, text ×1", "2", "41", ""],
                ["tags", "100 %", "array", "", "", ""],
                ["tags[]", "100 %", "text", "2", "a … b", "a 66 % · b 33 %"],
                ["ok", "100 %", "boolean", "", "", "true 66 % · false 33 %"],
            ])
        let facts = page.matches(of: /<p>(.*)<\/p>/).map { String($0.1) }
        #expect(
            facts.contains("Places that could not be read: 1") && facts.contains("The key of a record is id."),
            "\(facts)")
        let missing = try program.run(["nothing.json"], in: folder.url)
        #expect(missing.code == 1 && missing.text.isEmpty && missing.error.contains("No such file"))
    }

    @Test("The film search has generated classes, sections, and searches words in titles and names")
    func filmSearch() throws {
        let classes = folder.path("Model")
        try Tool.tributary.run(["generate", path("FilmSearch/Films.xcdatamodel"), "--output", classes]).expect(0)
        let kept = path("FilmSearch/Sources/FilmSearch/Model")
        #expect(FileManager.default.contentsEqual(atPath: classes, andPath: kept), "generate the classes again")

        let program = try build("FilmSearch", "FilmSearch")
        let input = ["varda", "m LANG", "%", ""].joined(separator: "\n") + "\n"
        let outcome = try program.run(
            [folder.path("films.sqlite"), path("FilmSearch/films.json")], input: Data(input.utf8))
        #expect(outcome.code == 0 && outcome.error.isEmpty, "\(outcome.error)")
        #expect(
            Array(outcome.lines.prefix(12)) == [
                "11 films are new, 0 have changed", "1950s:", "  La Pointe Courte (1955), Agnès Varda", "1960s:",
                "  Cléo from 5 to 7 (1962), Agnès Varda, 90 min", "index: 1950s 1960s", "1920s:",
                "  Metropolis (1927), Fritz Lang, 153 min", "1930s:", "  M (1931), Fritz Lang, 117 min",
                "index: 1920s 1930s", "no films",
            ])
        #expect(outcome.lines.count == 12 + 6 + 11 + 1)
        #expect(outcome.lines.last == "index: 1920s 1930s 1950s 1960s 1970s 1980s")
    }

    @Test("The template imports a dump, and its test passes")
    func template() throws {
        let program = try SwiftProgram(folder)
        // The entry point gets another name, as in a build for tests.
        try program.compile(
            ["-parse-as-library", "-wmo", "-c", "-module-name", "Template", "-o", "main.o", "-enable-testing"]
                + ["-emit-module", "-emit-module-path", "Template.swiftmodule", "-Xfrontend"]
                + ["-entry-point-function-name", "-Xfrontend", "Template_main"] + Self.sources("Template/Sources"))
        let runner = """
            import Testing

            @testable import Template

            @main struct Runner {
                static func main() async {
                    if CommandLine.arguments.contains("--filter") { await Testing.__swiftPMEntryPoint() as Never }
                    await Template.main()
                }
            }
            """
        try program.compile(
            ["-parse-as-library", "-wmo", "-c", "-module-name", "TemplateTests", "-o", "tests.o"]
                + [folder.write(runner.utf8, to: "Runner.swift")] + Self.sources("Template/Tests"))
        let template = try program.link(["main.o", "tests.o"])
        let tested = try template.run(["--filter", "Template"])
        #expect(tested.code == 0 && (tested.text + tested.error).contains("with 1 test in 1 suite passed"))
        let outcome = try template.run([folder.path("members.sqlite"), path("Template/members.json")])
        #expect(outcome.code == 0 && outcome.lines == ["3 read, 3 inserted, 0 updated", "Cleo", "Ada"])
    }

    @Test("The manifest of an example finds the products and traits of this package", arguments: names)
    func manifest(_ name: String) throws {
        let outcome = try Tool("/usr/bin/env").run(
            ["swift", "package", "--package-path", path(name), "--scratch-path", folder.path("scratch")]
                + ["show-dependencies", "--format", "flatlist"])
        #expect(outcome.code == 0 && !outcome.error.contains("warning:"), "\(outcome.error)")
    }

    @Test("There are no other examples, and they are short")
    func areShort() throws {
        #expect(try FileManager.default.contentsOfDirectory(atPath: Self.examples.path).sorted() == Self.names)
        for name in Self.names where name != "Bookshelf" {
            let lines = try Self.sources("\(name)/Sources").flatMap { file in
                try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            }
            #expect(lines.count < 150, "\(name): \(lines.count) lines")
        }
    }

    @Test("The command in the README of an example names a program and files that exist", arguments: names.dropLast())
    func readme(_ name: String) throws {
        let readme = try String(contentsOfFile: path("\(name)/README.md"), encoding: .utf8)
        let command = try #require(readme.firstMatch(of: /swift run --package-path (\S+) (\w+)(.*)/)).output
        #expect(command.1 == "Examples/\(name)")
        let manifest = try String(contentsOfFile: path("\(name)/Package.swift"), encoding: .utf8)
        #expect(manifest.contains("name: \"\(command.2)\""))
        for file in command.3.split(separator: " ") where file.hasSuffix(".json") {
            #expect(FileManager.default.fileExists(atPath: Tool.package.appending(path: file).path), "\(file)")
        }
        for file in readme.matches(of: /\n\| `([\w+.]+\.swift)`/) {
            #expect(try Self.sources("\(name)/Sources").contains { $0.hasSuffix("/\(file.1)") }, "\(file.1)")
        }
    }
}
