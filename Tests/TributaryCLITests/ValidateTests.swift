import Foundation
import Testing
import TributaryTestSupport

/// `tributary validate`, run as a process.
@Suite struct ValidateTests {
    private let folder = try? TemporaryFolder()

    private func file(_ text: String, _ name: String = "f.json") throws -> String {
        try #require(folder).write(text.utf8, to: name)
    }

    @Test("validate prints nothing for valid files")
    func silenceIfAllIsWell() throws {
        let outcome = try Tool.tributary.run(["validate", try file("[1]"), try file("{\"a\":1}\n", "g.json")])
        #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.error.isEmpty)
    }

    @Test("validate prints one line for each file with an error")
    func oneLineForEachError() throws {
        let (bad, good) = (try file("[1,x]", "bad.json"), try file("1", "good.json"))
        let outcome = try Tool.tributary.run(["validate", bad, good, "/nowhere.json"]).expect(1)
        #expect(
            outcome.lines == [
                "\(bad):1:4: found x, expected a value; byte 3, at $[1], near [1,x",
                "/nowhere.json: No such file or directory",
            ])
        #expect(outcome.error.isEmpty)
        #expect(try Tool.tributary.run(["validate", "-q", bad]).output.isEmpty)
    }

    @Test("validate checks each line of NDJSON by itself")
    func eachLineOfNDJSON() throws {
        let path = try file("{\"a\":1}\n{\"a\":}\n[\n{}\n", "l.ndjson")
        let outcome = try Tool.tributary.run(["validate", "--format", "ndjson", path]).expect(1)
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines.first?.hasPrefix("\(path):2:6: found }, expected a value") == true)
        #expect(try Tool.tributary.run(["validate", "--format", "ndjson", "--jobs", "3", path]).lines == outcome.lines)
        // Read as one text, the file has one error: its second line.
        #expect(try Tool.tributary.run(["validate", path]).lines.count == 1)
        try Tool.tributary.run(["validate", "--format", "concat", try file("{}[] 1", "c")]).expect(0)
    }

    @Test("validate reads standard input, with or without an operand")
    func standardInput() throws {
        try Tool.tributary.run(["validate", "-"], input: Data("[1,2]".utf8)).expect(0)
        #expect(
            try Tool.tributary.run(["validate"], input: Data("[1,2".utf8)).lines == [
                "standard input:1:5: found the end of the text, expected a comma or ]; byte 4, at $, near [1,2"
            ])
        try Tool.tributary.run(["validate"], input: Data()).expect(1)
    }

    @Test("validate applies limits of depth and of bytes")
    func limitsCanBeSet() throws {
        let path = try file("[[[1]]]")
        try Tool.tributary.run(["validate", "--max-depth", "2", path]).expect(1)
        try Tool.tributary.run(["validate", "--max-depth", "3", path]).expect(0)
        try Tool.tributary.run(["validate", "--max-bytes", "6", path]).expect(1)
    }

    @Test("Each syntax fixture has the same verdict with any buffer size", arguments: ["1", "7", "4096", "256K"])
    func fixturesWithAnyBuffer(_ size: String) throws {
        let folder = Tool.package.appending(path: "Fixtures/syntax")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let good = names.filter { $0.hasPrefix("accept") }.map { folder.appending(path: $0).path }
        try Tool.tributary.run(["validate", "--buffer-size", size] + good).expect(0)
        let bad = names.filter { $0.hasPrefix("reject") }.sorted()
        let refused = try Tool.tributary.run(
            ["validate", "--buffer-size", size] + bad.map { folder.appending(path: $0).path })
        #expect(refused.lines.count == bad.count)
        for (name, line) in zip(bad, refused.lines) {
            #expect(line.contains(name))
            if let offset = Int(name.split(separator: "_")[2]) { #expect(line.contains("byte \(offset)")) }
        }
    }
}
