import Foundation
import Testing
import TributaryTestSupport

/// `tributary inspect`, run as a process.
@Suite struct InspectTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private static let users = Tool.package.appending(path: "Fixtures/dumps/users.json").path

    private func run(_ words: String..., columns: Int = 100, locale: String = "C.UTF-8") throws -> Tool.Outcome {
        try Tool("/usr/bin/env").run(
            ["COLUMNS=\(columns)", "LC_ALL=\(locale)", Tool.tributary.path, "inspect"] + words)
    }

    @Test("The table fits the width, and tells less of each path on a narrow terminal", arguments: [60, 100, 200])
    func widths(_ columns: Int) throws {
        let lines = try run(Self.users, columns: columns).expect(0).lines.dropFirst().dropLast()
        #expect(lines.count == 14)
        #expect(lines.allSatisfy { $0.count <= columns }, "\(lines.joined(separator: "\n"))")
        let id = try #require(lines.first { $0.hasPrefix("id ") })
        let expected = [
            60: "id                100 %  integer  key · 1 … 8",
            100: "id                100 %  integer          8  ████████  key · 1 … 8",
            200: "id                100 %  integer          8  ████████  key · 1 … 8",
        ]
        #expect(id == expected[columns])
    }

    @Test("A terminal without Unicode gets ASCII")
    func ascii() throws {
        let outcome = try run(Self.users, locale: "en_US.ISO-8859-1")
        let table = outcome.lines.dropLast().joined(separator: "\n")
        #expect(table.allSatisfy { $0.isASCII }, "\(table)")
        #expect(table.contains("key | 1 ... 8"))
    }

    @Test("The last line is the command that imports, and it imports")
    func importLine() throws {
        let folder = URL(filePath: world.folder.path(""))
        _ = try world.write(
            "[{\"uid\":\"a\",\"tags\":[{\"id\":1}]},{\"uid\":\"b\",\"tags\":[{\"id\":1},{\"id\":2}]}]", "-odd name.json"
        )
        let outcome = try Tool.tributary.run(["inspect", "--format", "array", "--", "-odd name.json"], in: folder)
        let line = try #require(outcome.expect(0).lines.last)
        #expect(
            line
                == "tributary import --format array --key uid --relations -- '-odd name.sqlite' '-odd name.json'"
        )
    }

    @Test("Each anomaly is told with its number and the place of the first one")
    func anomalies() throws {
        let path = try world.write(
            """
            {"id":1,"n":9007199254740993,"x":1,"name":"a"}
            {"id":2,"n":12345678901234567890,"x":"one","Name":"b"}
            {"id":3,"n":1,"n":2,"x":0.1234567890123456789,"z":"007"}

            """, "odd.ndjson")
        let text = try run(path).expect(0).text
        for line in [
            ".: 1 object has a key twice (the last value counts); first: record 3, line 3, byte 102",
            ".n: 1 integer has more than 64 bits (text keeps them); first: record 2, line 2, byte 59",
            ".n: 2 integers are beyond 2^53 (JavaScript rounds them); first: record 1, line 1, byte 12",
            ".x: text ×1 beside number; first: record 2, line 2, byte 84",
            ".x: 1 number has more digits than a double (--numbers exact keeps them); first: record 3, line 3, byte 126",
            ".: name and Name differ in case only; name ×1, first: record 1, line 1, byte 42",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line)\n\(text)")
        }
        #expect(text.contains("100 % with leading zeros"))
    }

    @Test("--no-values shows nothing of the values, in any form")
    func hiddenValues() throws {
        let page = world.folder.path("p.html")
        let schema = world.folder.path("s.json")
        let text = try run(Self.users, "--no-values", "--html", page, "--write-schema", schema).expect(0).text
        let json = try run(Self.users, "--no-values", "--json").expect(0).text
        let files = try [page, schema].map { try String(contentsOfFile: $0, encoding: .utf8) }
        for form in [text, json] + files {
            for secret in ["Tanaka", "example", "2010-03-13", "178961", "river"] {
                #expect(!form.contains(secret), "\(secret)")
            }
        }
        #expect(text.contains("18–19 characters"))
        let damaged = try world.write("[{\"a\":\"secret\"},{\"b\":\"secret\" x}]")
        for words in [["--no-values"], ["--no-values", "--json"], ["--no-values", "-q", "--html", page]] {
            let outcome = try Tool.tributary.run(["inspect"] + words + [damaged]).expect(3)
            #expect(!outcome.text.contains("secret") && !outcome.error.contains("secret"), "\(outcome.text)")
        }
        #expect(try !String(contentsOfFile: page, encoding: .utf8).contains("secret"))
    }

    @Test("--top sets the number of common values")
    func top() throws {
        let path = try world.write(#"[{"a":"x"},{"a":"x"},{"a":"y"},{"a":"z"}]"#)
        #expect(try run("--top", "1", path).text.contains("x 50 % · +2"))
        #expect(try run("--top", "3", path).text.contains("x 50 % · y 25 % · z 25 %"))
    }

    @Test("The page has no script and nothing that is loaded, and values are text in it")
    func page() throws {
        let path = try world.write(
            "[{\"<script>alert(1)</script>\":\"<img src=x onerror=y>&'\\\"\"},{\"a\":\"x\",\"b\":[1,2,2]}]")
        let page = world.folder.path("p.html")
        try run("-q", path, "--html", page).expect(0, output: "")
        let html = try String(contentsOfFile: page, encoding: .utf8)
        for word in ["<script", "<img", " src=\"", "http:", "https:", "url(", "@import"] {
            #expect(!html.contains(word), "\(word)")
        }
        #expect(html.contains("&lt;img src=x onerror=y&gt;&amp;&#39;"))
        #expect(html.contains("default-src 'none'"))
        #expect(html.components(separatedBy: "<th scope=\"col\"").count > 6)
    }

    @Test("--against tells what differs from an earlier profile, and ends with 2 if anything does")
    func drift() throws {
        func line(_ number: Int, _ rest: String) -> String { "{\"id\":\(number),\(rest)}" }
        let states = ["new", "paid", "sent"]
        let old = (0..<300).map { line($0, "\"state\":\"\(states[$0 % 3])\",\"n\":\($0 % 50),\"old\":1,\"t\":\"x\"") }
        let same = (300..<600).map {
            line($0, "\"state\":\"\(states[$0 % 3])\",\"n\":\($0 % 50),\"old\":1,\"t\":\"x\"")
        }
        var changed = same
        changed[10] = line(311, "\"state\":\"lost\",\"n\":77,\"t\":5,\"fresh\":true")
        let baseline = try world.write("", "base.json")
        let first = try world.write(old.joined(separator: "\n"), "1.ndjson")
        try run(first, "--json").expect(0).output.write(to: URL(filePath: baseline))
        let second = try world.write(same.joined(separator: "\n"), "2.ndjson")
        try run(second, "--against", baseline).expect(0, output: "")
        let third = try world.write(changed.joined(separator: "\n"), "3.ndjson")
        let outcome = try run(third, "--against", baseline).expect(2)
        #expect(
            outcome.lines == [
                ".state: new value lost",
                ".n: new value 77",
                ".old: filled in 99.7 %, before in 100 %",
                ".t: integer ×1 is new; first: record 11, line 11, byte 512",
                ".fresh: new, in 0.3 % of the objects; first: record 11, line 11, byte 522",
                ".id: no key any more, 1 value repeats",
            ])
        try run(third, "--against", first).expect(1, error: "is not a profile")
        try run(third, "--against", "/nowhere").expect(1, error: "/nowhere: the profile cannot be read")
    }

    @Test("What is damaged is told with its place, and the rest is profiled")
    func damage() throws {
        let path = try world.write("{\"a\":1}\n{\"a\":\n{\"a\":3}\n", "d.ndjson")
        let outcome = try run(path).expect(3)
        #expect(outcome.text.contains("damaged: 1 (") && outcome.text.contains("d.ndjson:2:6"), "\(outcome.text)")
        #expect(outcome.text.contains("--rejects d-rejects.ndjson"))
        try run("/nowhere.json").expect(1, error: "/nowhere.json")
        let packed = Tool.package.appending(path: "Fixtures/compressed/users.json.gz").path
        #expect(try run(packed).expect(0).text.contains("gzip, 8 records"))
    }

    @Test("--limit and --at choose records, and a pipe is read")
    func choice() throws {
        #expect(try run("--limit", "3", Self.users).expect(0).text.contains("3 records"))
        #expect(try run("--limit", "3", Self.users).text.contains("only the first 3 records of the input were read"))
        let path = try world.write(#"{"a":{"b":[{"x":1}]},"c":[{"y":2},{"y":3}]}"#)
        let text = try run("--at", ".a.b[]", path).expect(0).text
        #expect(text.contains("x ") && text.contains("also there: .c (2 records)"), "\(text)")
        let piped = try Tool.tributary.run(["inspect", "-"], input: Data("{\"a\":1}\n{\"a\":2}\n".utf8))
        #expect(piped.text.contains("2 records") && !piped.text.contains("import"))
        // Standard input cannot be read again for records at several paths.
        try Tool.tributary.run(["inspect", "-"], input: Data(#"{"a":[{"x":1}],"b":[{"y":2}]}"#.utf8)).expect(
            1, error: "has several arrays of records: .a[], .b[]")
    }

    @Test("An output that is an input, or cannot be written, is refused before anything is read")
    func outputs() throws {
        let path = try world.write("[{\"a\":1}]")
        try run(path, "--html", path).expect(64, error: "is an input; choose another file")
        let baseline = try world.write("{}", "base.json")
        try run(path, "--against", baseline, "--html", baseline).expect(64, error: "is an input; choose another file")
        try run(path, "--html", "/nowhere/p.html").expect(1, error: "cannot write /nowhere/p.html")
        let page = world.folder.path("p")
        try run(path, "--html", page, "--write-schema", page).expect(64, error: "Two outputs have the same file")
        try run(path, "--html", "-").expect(64, error: "takes the name of a file")
        try run(path, "--top", "-1").expect(64, error: "at least 0")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[{\"a\":1}]")
    }

    @Test("Figures equal Python's, findings those that were planted, and every record validates in the schema")
    func python() throws {
        let script = Tool.package.appending(path: "scripts/sweep-profiles").path
        let seed = SeededGenerator.sampled(15_000).seed % 100_000
        let outcome = try Tool("/usr/bin/env").run(
            ["python3", script, "--tool", Tool.tributary.path, "--count", "11", "--seed", "\(seed)"]
        ).expect(0, text: ", 0 differences")
        print(outcome.text)
    }
}
