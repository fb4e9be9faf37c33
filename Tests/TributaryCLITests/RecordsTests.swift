import Foundation
import Testing
import TributaryJSON
import TributaryTestSupport

/// `tributary records`, run as a process.
@Suite struct RecordsTests {
    private let folder = try? TemporaryFolder()

    private func file(_ text: String, _ name: String = "f.json") throws -> String {
        try #require(folder).write(text.utf8, to: name)
    }

    private func run(_ words: String...) throws -> Tool.Outcome { try Tool.tributary.run(["records"] + words) }

    @Test("records prints each record on one line, with its text unchanged")
    func eachRecordOnALine() throws {
        let path = try file("[ {\"b\" : 1.50 , \"a\":\"\\u00e9\"} ,\n 2 ]")
        let outcome = try run(path).expect(0, output: "{\"b\":1.50,\"a\":\"\\u00e9\"}\n2\n")
        #expect(outcome.error == "tributary: \(path): an array of records\n")
        #expect(try run("-q", path).error.isEmpty)
    }

    @Test("The printed records of every dump are read and printed again unchanged", arguments: Dump.Kind.allCases)
    func everyDumpRoundTrips(_ kind: Dump.Kind) throws {
        let path = Tool.package.appending(path: "Fixtures/dumps/\(kind.rawValue).json").path
        var words = ["-q"]
        if kind == .firebase { words += ["--at", ".users{}"] }
        if kind == .trello { words += ["--at", ".cards[]"] }
        let outcome = try Tool.tributary.run(["records"] + words + [path])
        let isCutOff = kind == .llm || kind == .trace
        #expect(outcome.code == (isCutOff ? 1 : 0), "\(outcome.error)")
        let again = try Tool.tributary.run(["records", "-q", "--format", "ndjson", "-"], input: outcome.output)
        #expect(again.text == outcome.text && again.code == 0)
        #expect(outcome.lines.count == (kind == .firebase || kind == .trello ? 4 : 8))
    }

    @Test("Records that are members of an object are printed with their keys")
    func keysOfObjectsOfRecords() throws {
        let path = try file("{\"u1\":{\"n\":1},\"u2\":7}")
        try run("-q", "--at", "{}", path).expect(output: "{\"_key\":\"u1\",\"n\":1}\n{\"_key\":\"u2\",\"_value\":7}\n")
        #expect(try run("-q", "--at", "{}", "--key-as", "uid", path).lines.first == "{\"uid\":\"u1\",\"n\":1}")
    }

    @Test("--skip and --limit count the records of all files together")
    func skipAndLimit() throws {
        let path = try file("[0,1,2,3,4,5]")
        let other = try file("[6,7]", "g.json")
        #expect(try run("-q", "--skip", "2", "--limit", "3", path).lines == ["2", "3", "4"])
        #expect(try run("-q", "--skip", "5", path, other).lines == ["5", "6", "7"])
        #expect(try run("-q", "--limit", "0", path).text.isEmpty)
        #expect(try run("-q", "--skip", "99", path).text.isEmpty)
        try run("-q", "--limit", "1", path, "/nowhere.json").expect(0)
    }

    @Test("records stops at the first error and names its place")
    func stopAtTheFirstError() throws {
        let path = try file("[{\"i\":1},{\"i\":x},{\"i\":3}]")
        let outcome = try run(path).expect(1, output: "{\"i\":1}\n")
        #expect(
            outcome.error.split(separator: "\n").last
                == "tributary: \(path):1:15: found x, expected a value; byte 14, record 2, at $[1].i, near [{\"i\":1},{\"i\":x"
        )
    }

    @Test("--on-error skip leaves out damaged records, and reports and counts them")
    func skipDamage() throws {
        let path = try file("[{\"i\":1},{\"i\":x},{\"i\":3}]")
        let outcome = try run("--on-error", "skip", path).expect(3)
        #expect(outcome.lines == ["{\"i\":1}", "{\"i\":3}"])
        #expect(outcome.error.contains("tributary: skipped: \(path):1:15: found x"))
        #expect(outcome.error.hasSuffix("tributary: 1 of 3 records rejected (7 bytes)\n"))
    }

    @Test("--rejects writes damaged records to a file, or empties it without any")
    func quarantine() throws {
        let path = try file("[{\"i\":1},{\"i\":x},{\"i\":3}]")
        let rejects = try #require(folder).path("r.ndjson")
        let outcome = try run("-q", "--rejects", rejects, path).expect(3)
        #expect(outcome.error == "tributary: 1 of 3 records rejected (7 bytes), kept in \(rejects)\n")
        let line = try String(contentsOfFile: rejects, encoding: .utf8)
        #expect(
            line
                == "{\"file\":\"\(path)\",\"byte\":14,\"line\":1,\"column\":15,\"record\":2,\"path\":\"$[1].i\",\"code\":\"syntax.unexpected\",\"reason\":\"found x, expected a value\",\"start\":9,\"length\":7,\"raw\":\"{\\\"i\\\":x}\"}\n"
        )
        // Without rejects the file is empty and the code is 0.
        try run("-q", "--rejects", rejects, try file("[1]", "g.json")).expect(0)
        #expect(try #require(folder).read("r.ndjson").isEmpty)
    }

    @Test("Only the first ten damaged records are named")
    func manyDamagedRecordsAreNotAllNamed() throws {
        let text = "[" + (0..<50).map { $0 % 2 == 0 ? "{\"i\":\($0)}" : "{\"i\":x}" }.joined(separator: ",") + "]"
        let outcome = try run("--on-error", "skip", try file(text))
        #expect(outcome.error.split(separator: "\n").count == 1 + 10 + 1 + 1)
        #expect(outcome.lines.count == 25)
    }

    @Test("--jobs does not change what is printed")
    func jobs() throws {
        let texts = (0..<9000).map { "{\"i\":\($0),\"t\":\"\($0 % 4000 == 3999 ? "\t" : "a, b")\"}" }
        for (text, format) in [
            ("[" + texts.joined(separator: ",\n") + "]", "array"), (texts.joined(separator: "\n"), "ndjson"),
        ] {
            let path = try file(text)
            let one = try run("--jobs", "1", "--format", format, "--on-error", "skip", path).expect(3)
            let four = try run("--jobs", "4", "--format", format, "--on-error", "skip", path).expect(3)
            #expect(one.lines.count == 8998 && four.lines == one.lines && four.error == one.error)
        }
    }

    @Test("Repeated keys in an object are reported")
    func repeatedKeysAreSaid() throws {
        try run(try file("[{\"a\":1,\"a\":2}]")).expect(
            error: "1 key is repeated within an object; the last value is used", output: "{\"a\":1,\"a\":2}\n")
    }

    @Test("A usage error has code 64, while --version and --help print their texts")
    func usageErrors() throws {
        let outcome = try run("--limti", "3", "f").expect(64)
        #expect(
            outcome.error
                == "tributary: Unknown option '--limti'. Did you mean '--limit'?\nSee 'tributary records --help'.\n")
        try Tool.tributary.run(["--version"]).expect(output: "tributary 0.1.0\n")
        let help = try Tool.tributary.run(["--help"]).text
        #expect(help.hasPrefix("tributary imports JSON dumps of any size into SQLite or PostgreSQL."))
        try Tool.tributary.run(["records", "--help"]).expect(text: "--key-as NAME")
    }

    @Test("Files with unusual names can be read")
    func filesOfOddNames() throws {
        for name in ["-x.json", "a b\n.json", "file:x?mode=memory", "'); DROP TABLE t;--"] {
            try Tool.tributary.run([
                "records", "-q", "--", try #require(folder).write("[1]".utf8, to: name),
            ]).expect(output: "1\n")
        }
        try Tool.tributary.run(["records", "-q", "--", "-x.json"], in: try #require(folder).url).expect(output: "1\n")
    }

    #if Gzip && Zstd && Bzip2 && Xz
        @Test("Compressed input from a pipe is detected and read", arguments: Compressor.allCases)
        func compressedFromAPipe(_ compressor: Compressor) throws {
            let bytes = Dump(.users, count: 3000).bytes
            let outcome = try Tool.tributary.run(["records", "-"], input: Data(compressor.compress(bytes)))
            #expect(outcome.lines.count == 3000)
            #expect(outcome.error == "tributary: standard input: an array of records, \(compressor)\n")
        }
    #endif
}
