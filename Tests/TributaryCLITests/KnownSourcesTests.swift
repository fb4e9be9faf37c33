import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// Imports without a key: no file is imported twice, and a changed one is never added in silence.
@Suite("Imports without a key")
struct KnownSourcesTests {
    private let world: ImportWorld
    init() throws { world = try ImportWorld() }

    private func ids(_ table: String) throws -> [Int64] {
        try world.values("id", of: table).compactMap { value in
            if case .integer(let id) = value { id } else { nil }
        }
    }

    @Test("A touched file and a copy are known by their content")
    func touchAndCopy() throws {
        let file = try world.write("[{\"id\":1},{\"id\":2}]")
        try world.load(file).expect(0)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: file)
        let copy = try world.write("[{\"id\":1},{\"id\":2}]", "copy.json")
        try world.load(file).expect(text: "already imported by run 1 and unchanged since")
        try world.load(copy, "--table", "users").expect(text: "already imported by run 1")
        #expect(try ids("users") == [1, 2])
    }

    @Test("A changed file asks whether its records are added or replace the others")
    func changed() throws {
        let file = try world.write("[{\"id\":1},{\"id\":2}]")
        try world.load(file).expect(0)
        _ = try world.write("[{\"id\":1},{\"id\":3}]")
        try world.load(file).expect(
            1, error: "has changed since run 1 imported it", "--truncate makes the table what the file holds")
        #expect(try ids("users") == [1, 2])
        try world.load(file, "--append").expect(0)
        #expect(try ids("users") == [1, 2, 1, 3])
        // The same command again finds the content that it has added.
        try world.load(file, "--append").expect(text: "already imported")
        try world.load(file, "--truncate").expect(0)
        #expect(try ids("users") == [1, 3])
        try world.load(file).expect(text: "already imported")
    }

    @Test("A new file of a list is imported alone")
    func newFile() throws {
        let files = try (1...3).map { try world.write("[{\"id\":\($0)}]", "part\($0).json") }
        try world.load(files[0], files[1], "--table", "t").expect(0)
        try world.load(files[0], files[1], files[2], "--table", "t").expect(
            error: "2 files were imported before, and left out: ", prefix: "1 read = 1 inserted")
        #expect(try ids("t") == [1, 2, 3])
    }

    @Test("A dry run foretells what the command does with known, grown and changed files")
    func dryRuns() throws {
        let file = try world.write("{\"id\":1}\n{\"id\":2}\n", "log.ndjson")
        try world.load(file, "--dry-run").expect(2, prefix: "2 read = 2 inserted")
        try world.load(file).expect(0)
        try world.load(file, "--dry-run").expect(
            0, error: "dry run: no row was changed", text: "already imported by run 1")
        _ = try world.write("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n", "log.ndjson")
        try world.load(file, "--dry-run").expect(2, prefix: "1 read = 1 inserted")
        _ = try world.write("{\"id\":4}\n", "log.ndjson")
        try world.load(file, "--dry-run").expect(error: "has changed since run 1")
        try world.load(file, "--dry-run", "--append").expect(prefix: "1 read = 1 inserted")
        try world.load(file, "--dry-run", "--truncate").expect(prefix: "1 read = 1 inserted")
        #expect(try ids("log") == [1, 2])
    }

    @Test("Records with nested objects and without a key are imported once, also when later files need other columns")
    func relations() throws {
        func load(_ words: String...) throws -> Tool.Outcome {
            try Tool.tributary.run(["import", world.database, "--relations", "--table", "t"] + words)
        }
        let line = #"{"n":1,"to":{"id":7}}"# + "\n"
        let file = try world.write(line, "t.ndjson")
        try load(file).expect(0)
        try load(try world.write(#"[{"n":2,"more":true,"to":{"id":8,"more":1}}]"#, "other.json")).expect(
            0, prefix: "1 read = 1 inserted")
        for path in [file, try world.write(line, "copy.ndjson")] {
            try load(path).expect(0, text: "already imported by run 1")
        }
        _ = try world.write(line + #"{"n":3,"newer":5,"to":{"id":7}}"# + "\n", "t.ndjson")
        for words in [["--dry-run"], []] {
            try Tool.tributary.run(
                ["import", world.database, "--relations", "--table", "t", file] + words
            ).expect(prefix: "1 read = 1 inserted\ninside them: to 1 unchanged\n")
        }
        #expect(try world.values("n", of: "t") == [1, 2, 3])
        _ = try world.write(#"{"n":3,"to":{"id":9}}"# + "\n", "t.ndjson")
        try load(file).expect(
            1, error: "has changed since run 3", "recognized; --append adds its records, and --key updates rows")
        try load(file, "--append").expect(prefix: "1 read = 1 inserted")
        try load(file, "--append").expect(text: "already imported by run 4")
        #expect(try world.values("n", of: "t") == [1, 2, 3, 3])
        // Another choice of tables is another import.
        let all = try load(file, "--relations=all")
        #expect(all.code != 0 && all.error.contains("given"), "\(all.error)")
    }

    @Test("Lines appended to NDJSON are imported alone, a line without its end asks")
    func grown() throws {
        let file = try world.write("{\"id\":1}\n{\"id\":2}\n", "log.ndjson")
        try world.load(file).expect(0)
        _ = try world.write("{\"id\":1}\n{\"id\":2}\n{\"id\":3}", "log.ndjson")
        try world.load(file).expect(prefix: "1 read = 1 inserted")
        _ = try world.write("{\"id\":1}\n{\"id\":2}\n{\"id\":34}\n", "log.ndjson")
        try world.load(file).expect(error: "has changed since run 2")
        #expect(try ids("log") == [1, 2, 3])
    }

    @Test("Grown lines are imported once, wherever lines end", arguments: [1, 2, 3] as [UInt64])
    func grownInSteps(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var text = ""
        var count = 0
        for _ in 0..<5 {
            for _ in 0..<Int.random(in: 0...300, using: &random) {
                count += 1
                text +=
                    "{\"id\":\(count),\"t\":\"\(String(repeating: "x", count: Int.random(in: 0...40, using: &random)))\"}\n"
            }
            guard count > 0 else { continue }
            let outcome = try world.load(try world.write(text, "log.ndjson"), "--batch-size", "7")
            #expect(outcome.code == 0, "seed \(seed): \(outcome.error)")
            #expect(try ids("log") == (1...Int64(count)).map(\.self), "seed \(seed)")
        }
    }

    @Test("A file with other options asks as well")
    func otherOptions() throws {
        let file = try world.write("[{\"id\":1},{\"id\":2}]")
        try world.load(file, "--limit", "1").expect(0)
        try world.load(file, "--limit", "1").expect(text: "already imported")
        try world.load(file).expect(error: "was imported with other options by run 1")
        #expect(try ids("users") == [1])
    }

    @Test("Deleted rows may be imported again")
    func deletedRows() throws {
        let file = try world.write("[{\"id\":1}]")
        try world.load(file).expect(0)
        try Connection(.file(world.database)).execute("DELETE FROM users")
        try world.load(file).expect(prefix: "1 read = 1 inserted")
    }

    @Test("A list that changed while its import was unfinished names that run")
    func unfinished() throws {
        let bad = try world.write("[{\"id\":1},{\"id\":2},", "a.json")
        let other = try world.write("[{\"id\":3}]", "b.json")
        try world.load(bad, "--table", "t", "--batch-size", "1").expect(1)
        try world.load(bad, other, "--table", "t").expect(
            1, error: "run 1, which is not finished, has imported records of")
    }

    @Test("New lines are imported once beside an unfinished import that has committed nothing")
    func grownBesideUnfinished() throws {
        let bad = "{\"id\" 1}\n"
        let path = try world.write(bad + "{\"id\":7}\n", "t.ndjson")
        try world.load(path, "--on-error", "quarantine").expect(3)
        _ = try world.write(bad, "t.ndjson")
        try world.load(path, "--again").expect(1)
        _ = try world.write(bad + "{\"id\":7}\n{\"id\":5}\n", "t.ndjson")
        try world.load(path, "--on-error", "quarantine").expect(0)
        #expect(try ids("t") == [7, 5])
    }

    @Test("What an unfinished import has committed is not imported again: by --restart, nor from a copy")
    func unfinishedTwice() throws {
        let text = "{\"id\":1}\n{\"id\":2}\n"
        let file = try world.write(text + "{\"id\":x}\n", "t.ndjson")
        try world.load(file, "--batch-size", "1").expect(1)
        #expect(try ids("t") == [1, 2])
        let copy = try world.write(text + "{\"id\":3}\n", "copy.ndjson")
        for words in [[file, "--restart"], [copy], [copy, "--dry-run"]] {
            let refused = try Tool.tributary.run(["import", world.database, "--table", "t"] + words)
            #expect(refused.code == 1, "\(words) \(refused.text)")
            let said =
                words[0] == file
                ? "run 1, which is not finished, has imported records of"
                : "begins with records that run 1, which is not finished, has imported into t"
            #expect(refused.error.contains(said), "\(refused.error)")
        }
        #expect(try ids("t") == [1, 2])
        try world.load(copy, "--table", "t", "--truncate").expect(0)
        #expect(try ids("t") == [1, 2, 3])
    }

    @Test("A table that an unfinished import fills in a file of its own is not truncated: the file would block it")
    func truncatedLoad() throws {
        let file = try world.write("{\"id\":1}\n{\"id\":x}\n", "t.ndjson")
        try world.load(file, "--batch-size", "1", "--first-load", "direct").expect(1)
        let other = try world.write("{\"id\":3}\n", "other.ndjson")
        try world.load(other, "--table", "t", "--truncate").expect(1, error: "run 1 has begun to load t")
        try Tool.tributary.run(["forget", world.database, "--run", "1"]).expect(0)
        try world.load(other, "--table", "t", "--truncate").expect(0)
        #expect(try ids("t") == [3])
        let files = try FileManager.default.contentsOfDirectory(atPath: world.folder.path("")).sorted()
        #expect(files == ["app.sqlite", "other.ndjson", "t.ndjson"], "\(files)")
    }

    @Test("Into a table of another program, too, --append adds no content that is there")
    func foreignTable() throws {
        try Connection(.file(world.database)).execute("CREATE TABLE \"t\" (\"id\")")
        let file = try world.write("{\"id\":1}\n", "t.ndjson")
        try world.load(file).expect(0)
        try world.load(file, "--append").expect(text: "already imported by run 1")
        _ = try world.write("{\"id\":1}\n{\"id\":2}\n", "t.ndjson")
        try world.load(file, "--append").expect(prefix: "1 read = 1 inserted")
        try world.load(file, "--dry-run").expect(text: "already imported by run 2")
        #expect(try world.query("SELECT id FROM t") == [[1], [2]])
    }

    @Test("A truncating import that fails leaves the rows as they were")
    func failedTruncation() throws {
        let file = try world.write("[{\"id\":1}]")
        try world.load(file).expect(0)
        _ = try world.write("[{\"id\":5},{\"id\":6},}")
        try world.load(file, "--truncate").expect(1, without: "to resume")
        #expect(try ids("users") == [1])
        try world.load(file, "--truncate", "--append").expect(error: "cannot be used together")
    }

    @Test("A unique column is offered as the key, and becomes it")
    func keyOffer() throws {
        let file = try world.write("[{\"id\":1,\"n\":1},{\"id\":2,\"n\":1}]")
        try world.load(file).expect(
            error:
                "id is unique in all 2 records; to keep this table in step, run: tributary import \(world.database) \(file) --key id\n"
        )
        try world.load(file, "--key", "n").expect(error: "users cannot get the key n: several rows have the same value")
        try world.load(file, "--key", "id").expect(prefix: "2 read = 2 unchanged")
        _ = try world.write("[{\"id\":2,\"n\":5},{\"id\":3,\"n\":1}]")
        try world.load(file).expect(prefix: "2 read = 1 inserted + 1 updated")
        #expect(try ids("users") == [1, 2, 3])
    }

    @Test("A key needs values in all rows")
    func keyWithoutValues() throws {
        let file = try world.write("[{\"id\":1},{\"n\":1}]")
        try world.load(file).expect(without: "is unique")
        try world.load(file, "--key", "id").expect(error: "users cannot get the key id: rows have no id")
        try world.load(file, "--key", "x").expect(error: "it has no column x")
    }
}
