import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary retry`, `rejects` and `forget`.
@Suite struct RetryTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private var rejects: String { world.folder.path("bad.ndjson") }

    private func run(_ words: String...) throws -> Tool.Outcome { try Tool.tributary.run(words) }

    private func retry(_ words: String...) throws -> Tool.Outcome {
        try Tool.tributary.run(["retry", world.database, rejects] + words)
    }

    private func edit(_ old: String, _ new: String) throws {
        let text = String(decoding: try world.folder.read("bad.ndjson"), as: UTF8.self)
        _ = try world.folder.write(text.replacing(old, with: new).utf8, to: "bad.ndjson")
    }

    /// Imports three records, one of which is damaged and one has no key.
    private func load(_ words: String...) throws -> Tool.Outcome {
        let path = try world.write("{\"id\":1}\n{\"id\":x}\n{\"n\":3}\n", "e.ndjson")
        return try Tool.tributary.run(["import", world.database, path, "--key", "id"] + words)
    }

    @Test("A retried record keeps the name of its source in --source-column")
    func sourceColumn() throws {
        let one = try world.write("{\"id\":1}\n{\"n\":1}\n", "one.ndjson")
        let two = try world.write("{\"id\":2}\n{\"n\":2}\n", "two.ndjson")
        try world.load(one, two, "--table", "t", "--key", "id", "--source-column", "file", "--rejects", rejects).expect(
            3)
        let text = try String(contentsOfFile: rejects, encoding: .utf8)
        let edited = text.replacing(#"{\"n\":1}"#, with: #"{\"id\":3}"#).replacing(#"{\"n\":2}"#, with: #"{\"id\":4}"#)
        #expect(edited != text)
        try edited.write(toFile: rejects, atomically: true, encoding: .utf8)
        try retry().expect(0)
        #expect(try world.values("file", of: "t") == [.text(one), .text(two), .text(one), .text(two)])
    }

    @Test("Edited rejects of two runs add columns one after the other")
    func newColumns() throws {
        for id in 1...2 {
            let dump = try world.write("{\"id\":\(id)}\n{\"id\" \(id)}\n", "dump\(id).ndjson")
            try world.load(dump, "--table", "t", "--key", "id", "--on-error", "quarantine").expect(3)
        }
        try run("rejects", world.database, "-o", rejects).expect(0)
        let text = try String(contentsOfFile: rejects, encoding: .utf8)
        let edited = text.replacing(#"{\"id\" 1}"#, with: #"{\"id\":3,\"n\":5}"#)
            .replacing(#"{\"id\" 2}"#, with: #"{\"id\":4,\"m\":1,\"n\":\"x\"}"#)
        #expect(edited != text)
        try edited.write(toFile: rejects, atomically: true, encoding: .utf8)
        try retry().expect(0)
        #expect(try world.values("n", of: "t") == [.null, .null, .integer(5), .text("x")])
    }

    @Test("A retry that can never work is not offered again, and takes no mapping without a model")
    func impossibleRetries() throws {
        try load("--rejects", rejects).expect(3)
        let map = try world.write("{}", "map.json")
        try retry("--map", map).expect(64, error: "'--map' needs a model")
        try retry("--key", "n").expect(1, error: "the key of e in", without: "to resume")
    }

    @Test("A reject of which only the first bytes are kept is not offered to retry", arguments: [1, 2])
    func truncatedRejects(count: Int) throws {
        let long = String(repeating: "x", count: 70_000)
        let large = (0..<count).map { "{\"id\":y,\"n\":\($0),\"t\":\"\(long)\"}\n" }.joined()
        let path = try world.write(large, "e.ndjson")
        let what = count == 1 ? "1 record rejected, of which" : "2 records rejected, of which"
        let kept = count == 1 ? "64 KiB are kept" : "64 KiB of each are kept"
        let words = "tributary: \(what) only the first \(kept); fix the source, and import it again\n"
        for options in [["--on-error", "quarantine"], ["--rejects", rejects]] {
            try Tool.tributary.run(["import", world.database, path, "--key", "id", "--again"] + options).expect(
                3, error: words, without: "retry", "tributary rejects", "and kept")
        }
        let both = try world.write(large + "{\"id\":y}\n", "both.ndjson")
        try Tool.tributary.run(["import", world.database, both, "--key", "id", "--on-error", "quarantine"]).expect(
            3, error: "1 record rejected and kept in the database; to see them, run: ", words)
    }

    @Test("Rejects are written, edited and retried, and a retry leaves the file unchanged")
    func editing() throws {
        try load("--on-error", "quarantine").expect(
            3, error: "2 records rejected and kept in the database; to see them, run: tributary rejects ")
        let lines = try run("rejects", world.database)
        #expect(
            lines.code == 0 && lines.lines.count == 2
                && lines.text.hasPrefix("{\"reject\":1,\"run\":1,\"entity\":\"e\""))
        try run("rejects", world.database, "--run", "1", "-o", rejects).expect(0)
        #expect(try world.folder.read("bad.ndjson") == Array(lines.output))
        #expect(try run("rejects", world.database, "--run", "7").text.isEmpty)
        try edit("{\\\"id\\\":x}", "{\\\"id\\\":2}")
        let file = try world.folder.read("bad.ndjson")
        try run("rejects", world.database, "-o", rejects).expect(1, error: "retry edited rejects")
        try retry("--dry-run").expect(3, prefix: "2 read = 1 inserted + 1 rejected\n")
        #expect(try world.values("id", of: "e") == [1])
        let outcome = try retry("--json").expect(3)
        #expect(try world.books(outcome)["inserted"] == 1 && world.books(outcome)["rejected"] == 1)
        #expect(outcome.text.contains("\"attention\":[\"rejected\"]"))
        #expect(try world.values("id", of: "e") == [1, 2])
        #expect(try world.folder.read("bad.ndjson") == file)
        try edit("{\\\"n\\\":3}", "{\\\"id\\\":3}")
        let last = try retry().expect(0)
        #expect(
            last.text == """
                1 read = 1 inserted
                1 not in this database: imported since, forgotten, or rejected by another one

                """)
        #expect(try run("rejects", world.database).text.isEmpty)
        try run("status", world.database).expect(text: "run 1")
    }

    @Test("Rejects are retried from the database without a file")
    func fromTheDatabase() throws {
        try load("--rejects", rejects).expect(3)
        try run("retry", world.database, "--run", "9").expect(0, output: "0 read\n")
        try run("retry", world.database).expect(3, output: "2 read = 2 rejected\n")
    }

    @Test("A mode that needs a key, and paths of a key, are refused for rejects without one, and nothing is imported")
    func modeWithoutKey() throws {
        let keyed = try world.write("{\"id\":1}\n{\"id\":x}\n", "keyed.ndjson")
        try world.load(keyed, "--key", "id", "--on-error", "quarantine").expect(3)
        for table in ["plain", "foreign"] {
            if table == "foreign" { try Connection(.file(world.database)).execute("CREATE TABLE \"foreign\" (\"n\")") }
            let path = try world.write("{\"n\":1}\n{\"n\":x}\n", "\(table).ndjson")
            try world.load(path, "--on-error", "quarantine").expect(3)
        }
        try run("rejects", world.database, "-o", rejects).expect(0)
        try edit("\\\"id\\\":x", "\\\"id\\\":2")
        try edit("\\\"n\\\":x", "\\\"n\\\":2")
        for mode in ["update", "ignore", "replace"] {
            try retry("--mode", mode).expect(1, error: "the mode \(mode) needs a key")
        }
        for run in ["2", "3"] {
            try self.run(
                "retry", world.database, "--run", run, "--remote-key", "n"
            ).expect(1, error: "the key is not; name the key")
        }
        func numbers(_ table: String) throws -> [[SQLValue]] {
            try Connection(.file(world.database)).rows(of: "SELECT \"n\" FROM \(identifier: table)")
        }
        #expect(try world.values("id", of: "keyed") == [1] && numbers("plain") == [[1]] && numbers("foreign") == [[1]])
        try retry().expect(0, prefix: "3 read = 3 inserted")
    }

    @Test("The exit code of a dry run tells whether it would change anything")
    func dryRuns() throws {
        let path = try world.write("{\"id\":1}\n", "e.ndjson")
        try world.load(path, "--key", "id", "--dry-run").expect(2)
        try world.load(path, "--key", "id").expect(0)
        try world.load(path, "--key", "id", "--dry-run").expect(0, error: "dry run: no row was changed")
        let bad = try load("--dry-run", "--rejects", rejects)
        let line = String(decoding: try world.folder.read("bad.ndjson"), as: UTF8.self)
        #expect(bad.code == 3 && line.contains("{\\\"n\\\":3}"))
    }

    @Test("Retried members of an object keep their keys")
    func members() throws {
        let path = try world.write(#"{"users":{"u1":{"n":1},"u2":{"n":x},"u3":{"n":"three"}}}"#)
        let model = try world.write(
            """
            <model><entity name="User"><attribute name="uid" attributeType="String"/>
            <attribute name="n" attributeType="Integer 64"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="uid"/></uniquenessConstraint></uniquenessConstraints>
            </entity></model>
            """, "m.xml")
        try world.load(
            path, "--model", model, "--at", ".users{}", "--key-as", "uid", "--rejects", rejects
        ).expect(3, prefix: "3 read = 1 inserted + 2 rejected")
        try edit("{\\\"n\\\":x}", "{\\\"n\\\":2}")
        try edit("\\\"three\\\"", "3")
        try retry().expect(0)
        #expect(try Set(world.values("uid", of: "User")) == [.text("u1"), .text("u2"), .text("u3")])
        #expect(try Set(world.values("n", of: "User")) == [.integer(1), .integer(2), .integer(3)])
    }

    @Test("A damaged record is imported by a retry once it is fixed")
    func damageAlone() throws {
        let path = try world.write(#"[{"id":1,"s":"\ud800"},{"id":2}]"#, "e.json")
        try world.load(path, "--entity", "E", "--key", "id", "--rejects", rejects).expect(3)
        try retry().expect(3)
        try edit("\\\\ud800", "fixed")
        try retry().expect(0)
        #expect(try Set(world.values("id", of: "E")) == [1, 2])
    }

    @Test("Options of the command line override the entity and the key of a reject")
    func anotherEntity() throws {
        try load("--rejects", rejects).expect(3)
        try world.load(try world.write("{\"id\":7}\n", "f.ndjson"), "--key", "id").expect(0)
        try edit("{\\\"id\\\":x}", "{\\\"id\\\":2}")
        try retry("--entity", "f", "--key", "id").expect(3)
        #expect(try world.values("id", of: "e") == [1] && world.values("id", of: "f") == [7, 2])
    }

    @Test("Lines that are no rejects of the database can be imported by a key")
    func foreignLines() throws {
        try load("--on-error", "skip").expect(3)
        let text = """
            no JSON
            {"run":1,"entity":"e","raw":"{\\"id\\":7}"}
            {"run":1,"raw":"{","truncated":true}

            """
        _ = try world.folder.write(text.utf8, to: "bad.ndjson")
        try retry("--key", "id").expect(3, output: "1 read = 1 inserted\n2 not retried: truncated, or not JSON\n")
        #expect(try world.values("id", of: "e") == [1, 7])
    }

    @Test("Commands with missing or conflicting arguments name the problem")
    func refusals() throws {
        try run("retry", "b", "a", "c").expect(64, error: "Name one file of rejects, or none for those of the database")
        try run("retry", "b", "a", "--run", "1").expect(64)
        try run("forget", world.database).expect(64)
        for words in [["rejects"], ["forget", "--run", "1"], ["retry"]] {
            try Tool.tributary.run(words + [world.database]).expect(
                1, error: "database does not exist, or nothing was imported into it")
        }
    }

    @Test("After a run or an entity is forgotten, its import starts from the beginning")
    func forgetting() throws {
        try load("--rejects", rejects).expect(3)
        try run("forget", world.database, "--run", "1").expect(0, output: "run 1 forgotten\n")
        try run("forget", world.database, "--run", "1").expect(1, error: "the journal has no run 1")
        #expect(try run("rejects", world.database).text.isEmpty)
        try load("--on-error", "skip").expect(prefix: "3 read = 1 unchanged + 2 rejected")
        let connection = try Connection(.file(world.database))
        try connection.execute("ALTER TABLE \"e\" RENAME TO \"mine\"")
        try load("--on-error", "skip", "--again").expect(1)
        try run("forget", world.database, "--entity", "e").expect(0, output: "1 run forgotten\n")
        try load("--on-error", "skip").expect(prefix: "3 read = 1 inserted + 2 rejected")
        #expect(try world.values("id", of: "mine") == [1] && world.values("id", of: "e") == [1])
    }
}
