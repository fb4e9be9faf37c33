import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// Imports that fail because of too many rejects, or before anything is read.
@Suite struct ImportRefusalTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private func lines(_ count: Int, wrong: Int) -> String {
        (0..<count).map { $0 < wrong ? "{\"id\":x\($0)}\n" : "{\"id\":\($0)}\n" }.joined()
    }

    @Test("A percentage for --max-errors is checked at the end of a short feed")
    func aShareOfFewRecordsIsJudgedInTheEnd() throws {
        let path = try world.write(lines(900, wrong: 900), "e.ndjson")
        let words = [path, "--key", "id", "--format", "ndjson"]
        // A second attempt must fail in the same way.
        for _ in 0..<2 {
            try Tool.tributary.run(["import", "--max-errors", "1%", world.database] + words).expect(
                1, error: "900 of 900 records were rejected, more than 1.0%")
        }
        try Tool.tributary.run(["import", "--max-errors", "100%", world.database] + words).expect(3)
        let few = try world.write(lines(900, wrong: 5), "f.ndjson")
        let outcome = try world.load(few, "--key", "id", "--max-errors", "1%", "--json").expect(3)
        let books = try world.books(outcome)
        #expect(books["read"] == 900 && books["inserted"] == 895 && books["rejected"] == 5)
    }

    @Test("_rest cannot be part of a key, and the refusal creates no database", arguments: ["_rest", "id,_rest"])
    func theColumnOfTheRestIsNoKey(_ key: String) throws {
        let path = try world.write("{\"id\":1,\"_rest\":2}\n", "e.ndjson")
        try world.load(path, "--key", key).expect(1, error: "_rest cannot be a part of the key")
        #expect(!FileManager.default.fileExists(atPath: world.database))
    }

    @Test("A wrong key can be corrected until the table has rows")
    func aKeyMayBeCorrectedBeforeThereAreRows() throws {
        let path = try world.write("{\"id\":1,\"n\":5}\n{\"id\":2,\"n\":5}\n", "e.ndjson")
        try world.load(path, "--key", "n", "--dry-run").expect(2)
        try world.load(path, "--key", "wrong").expect(1)
        try world.load(path, "--key", "id").expect(0)
        #expect(try world.values("id", of: "e") == [1, 2])
        try world.load(path, "--key", "n", "--again").expect(1, error: "the key of e in \(world.database) is id, not n")
    }

    @Test("A mistyped key of a failed import does not bind the next one", arguments: ["groups", "direct"])
    func aMistypedKeyBindsNothing(_ way: String) throws {
        let path = try world.write("{\"id\":1}\n{\"id\":1}\n", "e.ndjson")
        try world.load(path, "--key", "Id", "--first-load", way).expect(1, error: "Id")
        // Without a key each record is a row.
        try world.load(path, "--first-load", way).expect(0)
        #expect(try world.rows("e").map { $0.keys.sorted() } == [["_pk", "id"], ["_pk", "id"]])
        // With other columns of a key as well, and the key of a finished import stays when the rows are gone.
        let other = try world.write("{\"id\":1}\n{\"id\":2}\n", "f.ndjson")
        try world.load(other, "--key", "ID,n", "--first-load", way).expect(1)
        try world.load(other, "--key", "id", "--first-load", way).expect(0)
        try Connection(.file(world.database)).execute("DELETE FROM \"f\"")
        try world.load(path, "--table", "f", "--first-load", way).expect(0)
        #expect(try world.values("id", of: "f") == [1])
    }

    @Test(
        "A command that would fail again is not offered to resume an import",
        arguments: ["lz4", "compressed twice", "cut", "cut compressed", "missing"])
    func theSameCommandIsNotOffered(_ fault: String) throws {
        let text = Array(lines(30_000, wrong: 0).utf8)
        let bytes =
            switch fault {
            case "lz4": [0x04, 0x22, 0x4D, 0x18] + text
            case "compressed twice": Compressor.gzip.compress(Compressor.gzip.compress(text))
            case "cut": Array("[".utf8) + lines(30_000, wrong: 0).dropLast().replacing("\n", with: ",").utf8
            case "cut compressed": Array(Compressor.gzip.compress(text).dropLast(4000))
            default: text
            }
        let path = try world.folder.write(bytes, to: "e.json")
        let files = fault == "missing" ? [path, world.folder.path("none.json")] : [path]
        for policy in ["stop", "quarantine"] {
            let outcome = try Tool.tributary.run(
                ["import", world.database, "--table", "e", "--on-error", policy] + files)
            #expect(outcome.code == 1 || fault == "cut", "\(outcome.error)")
            #expect(!outcome.error.contains("to resume, run"), "\(outcome.error)")
        }
    }

    @Test("An import stopped at the damaged first record of a second source resumes there")
    func theDamagedBeginningOfASourceIsMetAgain() throws {
        let paths = [
            try world.write("[{\"id\":1},{\"id\":2}]", "a.json"),
            try world.write("[{\"id\":x},{\"id\":4},{\"id\":5}]", "b.json"),
        ]
        func load(_ words: String...) throws -> Tool.Outcome {
            let common = ["import", world.database, "--entity", "e", "--key", "id"]
            return try Tool.tributary.run(common + paths + words)
        }
        try load().expect(1)
        let outcome = try load("--rejects", world.folder.path("bad.ndjson"), "--json").expect(3)
        let books = try world.books(outcome)
        #expect(books["read"] == 5 && books["inserted"] == 4 && books["rejected"] == 1 && books["resumedAt"] == 2)
        #expect(try world.values("id", of: "e") == [1, 2, 4, 5])
        let kept = String(decoding: try world.folder.read("bad.ndjson"), as: UTF8.self)
        #expect(kept.contains("\"record\":1,\"path\":\"$[0].id\",\"code\":\"syntax.unexpected\""), "\(kept)")
    }

    @Test(
        "What an option forbids is reported before a database is made",
        arguments: [
            "sync", "sync --key id --soft-delete id", "sync --key id --soft-delete _gone",
            "import --key id --source-column id", "import --relations --truncate",
            "import --model Users.xml --entity User --map map.json",
            "sync --model Users.xml --entity User --scope missing==1",
        ])
    func refusalsMakeNothing(_ text: String) throws {
        _ = try world.model()
        _ = try world.write(#"{"None":{"key":"id"}}"#, "map.json")
        let dump = try world.write(#"[{"id":1,"part":{"id":2}}]"#)
        var words = text.split(separator: " ").map(String.init)
        words = words.map { ["Users.xml", "map.json"].contains($0) ? world.folder.path($0) : $0 }
        try Tool.tributary.run([words[0], world.database, dump] + words.dropFirst()).expect(
            1, without: "to resume")
        let files = try FileManager.default.contentsOfDirectory(atPath: world.folder.url.path)
        #expect(files.allSatisfy { !$0.hasPrefix("app.sqlite") }, "\(files)")
    }
}
