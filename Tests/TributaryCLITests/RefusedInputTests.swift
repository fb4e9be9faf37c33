import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// What the command says of inputs that it cannot import, and what it advises.
@Suite("Messages about inputs")
struct RefusedInputTests {
    private let world: ImportWorld
    init() throws { world = try ImportWorld() }

    @Test(
        "A file of another format is recognized and named, and no advice would keep all of it as rejects",
        arguments: [
            ("id,name\n1,Ada\n2,Bob\n", "CSV"), ("\"id\";\"name, first\"\n1;Ada\n", "CSV"),
            ("id\tname\n1\tAda\n", "TSV"),
            ("1,2\n3,4\n", "CSV"), ("---\nid: 1\n", "YAML"), ("name: Ada\nage: 5\n", "YAML"), ("- id: 1\n", "YAML"),
            ("<?xml version=\"1.0\"?>\n<a/>", "XML or HTML"), ("PAR1\u{15}\u{4}", "Parquet"),
            ("\u{7F}ELF\u{2}\u{1}\u{0}\u{0}", "a binary file"), ("%PDF-1.4\n%", "PDF"),
        ])
    func otherFormats(text: String, name: String) throws {
        let path = try world.write(text, "data.json")
        try world.load(path, "--format", "json").expect(
            1, error: "this is not JSON; it looks like \(name);", without: "quarantine", "run: ")
    }

    @Test("The layout of a file of another format is not stated before the error", arguments: ["csv", "csv.gz"])
    func layoutOfAnotherFormat(ending: String) throws {
        _ = try world.write("id,name\n1,Ada\n", "t.csv")
        try Tool.shell("gzip -k t.csv", in: world.folder.url).expect(0)
        let path = world.folder.path("t.\(ending)")
        let words = "t.\(ending): this is not JSON; it looks like CSV; convert it to JSON first\n"
        let outcome = try world.load(path).expect(1, error: words)
        #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome.error)")
        let json = try world.write("[{\"id\":1}]", "a.json")
        try world.load(json, path, "--table", "t").expect(
            1, error: "a.json: an array of records\n", words, without: "1 more")
    }

    @Test(
        "Damaged JSON is never taken for another format",
        arguments: ["{\"id\":1,\"a\",\"b\"}", "[{\"id\":1},{\"id\":x}]", "[1,2,", "{a: 1}", "\"a, b\"x", "nul"])
    func damagedJSON(text: String) throws {
        try world.load(try world.write(text, "data.json"), "--format", "json").expect(1, without: "this is not JSON")
    }

    @Test("A wrong key is reported, without advice to keep all records as rejects")
    func wrongKey() throws {
        let path = try world.write("[{\"id\":1},{\"id\":2}]")
        try world.load(path, "--key", "Id").expect(
            1, error: "found no member for the key Id", "check --key", without: "to continue")
        try world.load(try world.write("[{\"id\":1},{\"n\":2}]", "some.json"), "--key", "id").expect(
            1, error: "to continue and keep such records as rejects, run: ")
    }

    @Test("A command that would fail again is not offered to resume")
    func noUselessResume() throws {
        let whole = Array(
            "[\((0..<9000).map { "{\"id\":\($0),\"n\":\"\($0 &* 7919)\"}" }.joined(separator: ","))]".utf8)
        let json = try world.folder.write(whole, to: "users.json")
        let script = """
            gzip -c users.json > once.json.gz; gzip -c once.json.gz > twice.json.gz
            head -c 20000 once.json.gz > cut.json.gz; printf '\\004\\042\\115\\030aaaa' > l.json
            """
        try Tool.shell(script, in: world.folder.url).expect(0)
        #expect(json.hasSuffix("users.json"))
        for (name, words) in [
            ("twice.json.gz", "compressed twice"), ("cut.json.gz", "ends before it is complete"), ("l.json", "lz4"),
            ("missing.json", "No such file"),
        ] {
            let outcome = try world.load(world.folder.path(name), "--key", "id", "--batch-size", "100")
            #expect(outcome.code == 1 && outcome.error.contains(words), "\(name): \(outcome.error)")
            #expect(!outcome.error.contains("run: "), "\(name): \(outcome.error)")
        }
    }

    @Test(
        "A limit is named by its option",
        arguments: [
            ("--max-depth", "2", "[{\"a\":[[1]]}]"), ("--max-string", "3", "[{\"a\":\"long\"}]"),
            ("--max-key", "3", "[{\"long\":1}]"), ("--max-number", "2", "[{\"a\":123}]"),
            ("--max-record", "5", "[{\"a\":123}]"), ("--max-keys", "1", "[{\"a\":1,\"b\":2}]"),
        ])
    func limits(option: String, value: String, text: String) throws {
        let path = try world.write(text)
        let words = [option, value, path]
        // 'validate' reads texts, which have no records.
        let commands = [["import", world.database], ["records"], ["validate"]]
        for command in commands.prefix(option == "--max-record" ? 2 : 3) {
            let outcome = try Tool.tributary.run(command + words)
            #expect(
                (outcome.error + outcome.text).contains("raise \(option) to permit it"),
                "\(outcome.error)\(outcome.text)")
        }
    }

    // MARK: Names

    @Test("A folder and an archive give their name to the table, and without a name the message tells what to name")
    func namesOfTables() throws {
        let folder = world.folder.path("towns")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("[{\"id\":1}]".utf8).write(to: URL(filePath: folder + "/2024-01.json"))
        try world.load(folder + "/").expect(0)
        // A folder that grows keeps its table.
        try Data("[{\"id\":2}]".utf8).write(to: URL(filePath: folder + "/2024-02.json"))
        try world.load(folder).expect(prefix: "1 read = 1 inserted")
        #expect(try world.values("id", of: "towns") == [1, 2])
        try Tool.shell("tributary import -q ../inside.sqlite .", in: URL(filePath: folder)).expect(
            0)
        #expect(try world.rows("towns", in: world.folder.path("inside.sqlite")).count == 2)
        #if Archive && Gzip
            let archive = world.folder.path("lakes.tar.gz")
            try Tool("/usr/bin/env").run(["tar", "-czf", archive, "-C", folder, "2024-01.json", "2024-02.json"]).expect(
                0)
            try world.load(archive).expect(0)
            #expect(try world.values("id", of: "lakes") == [1, 2])
        #endif
        try Tool.shell("tributary import \(world.database) < /dev/null").expect(
            error: "Name the files, or the table of standard input: --table NAME")
        try world.load(folder + "/2024-01.json", folder + "/2024-02.json").expect(
            64, error: "Name the table of the records: --table NAME")
    }

    @Test("A repeated command line has the option's name as it was written")
    func resumeLine() throws {
        try world.load(try world.write("[{\"id\":1},{\"id\":x}]"), "--table", "t", "--pk", "id").expect(
            error: "--table t --pk id")
    }

    @Test("A JSON file named as a model is reported")
    func modelOfJSON() throws {
        try Tool.tributary.run(["model", try world.write(" {\"a\":\"b & c\"}", "u.json")]).expect(
            1, error: "a model is XML; this is JSON")
    }

    @Test("The JSON of a model has the words for inferred types")
    func outlineOfInferredColumns() throws {
        let path = try world.write("[{\"id\":1,\"name\":\"A\",\"x\":1},{\"id\":2,\"x\":\"b\"}]")
        try world.load(path, "--key", "id").expect(0)
        let text = try Tool.tributary.run(["model", world.database, "--json"]).text
        #expect(!text.contains("tributary.values") && !text.contains("Undefined"), "\(text)")
        for type in ["Integer 64", "String", "Any"] { #expect(text.contains("\"type\" : \"\(type)\""), "\(text)") }
        #expect(text.contains("\"isInferred\" : true"))
    }
}
