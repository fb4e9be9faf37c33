import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary sync`, `undo`, and staged imports.
@Suite struct SyncCommandTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    /// The ways in which a first run fills its table.
    private static let loads = ["groups", "direct"]

    /// Syncs a feed; `way` is the way in which an empty table is filled.
    private func sync(_ way: String, _ text: String, _ words: String...) throws -> Tool.Outcome {
        let path = try world.write(text, "shop.json")
        let isUndoable = words.contains("--undoable") || words.contains("--changes")
        return try Tool.tributary.run(
            ["sync", path, "--into", world.database, "--key", "id"] + words + (isUndoable ? [] : ["--first-load", way]))
    }

    private func feed(_ ids: some Sequence<Int>, named name: String = "a") -> String {
        "[\(ids.map { "{\"id\": \($0), \"name\": \"\(name)\"}" }.joined(separator: ", "))]"
    }

    private func ids() throws -> [Int] {
        try world.values("id", of: "shop").compactMap { if case .integer(let id) = $0 { Int(id) } else { nil } }
            .sorted()
    }

    @Test("Rows that the feed no longer holds go, up to the limit, and others stay", arguments: loads)
    func deletion(_ way: String) throws {
        #expect(try sync(way, feed(0..<20)).code == 0)
        // A row that no sync has brought.
        #expect(try world.load(world.write(feed([99]), "other.json"), "--table", "shop", "--key", "id").code == 0)
        let dry = try sync(way, feed(1..<20, named: "b"), "--dry-run")
        #expect(dry.code == 2, "\(dry.error)")
        #expect(dry.text.contains("would delete shop id 0"), "\(dry.text)")
        #expect(dry.text.contains("would change shop id 1: name \"a\" → \"b\""), "\(dry.text)")
        #expect(try ids() == Array(0..<20) + [99])
        let outcome = try sync(way, feed(1..<20))
        #expect(outcome.code == 0 && outcome.text.contains("no longer in the feed, deleted: shop 1"), "\(outcome.text)")
        #expect(try ids() == Array(1..<20) + [99])
        let refused = try sync(way, feed(11..<20))
        #expect(refused.code == 3, "\(refused.error)")
        #expect(refused.error.contains("10 of 19 rows of shop are no longer in the feed, more than 10.0%"))
        #expect(refused.error.contains("use --max-delete 10"), "\(refused.error)")
        #expect(try ids() == Array(1..<20) + [99])
        let allowed = try sync(way, feed(11..<20), "--max-delete", "10")
        #expect(allowed.code == 0, "\(allowed.error)")
        #expect(try ids() == Array(11..<20) + [99])
    }

    @Test("A pipe is synced like a file, with repeated records and records that are held back", arguments: [1, 5])
    func pipe(_ copies: Int) throws {
        func sync(_ ids: some Sequence<Int>) throws -> Tool.Outcome {
            let lines = ids.map { "{\"id\": \($0), \"name\": \"\($0 % 7)\"}" }
            let text = Array(repeating: lines, count: copies).flatMap(\.self).joined(separator: "\n")
            _ = try world.write(text, "shop.ndjson")
            return try Tool.shell(
                "cat shop.ndjson | tributary sync - --into app.sqlite --table shop --key id --max-delete 40%",
                in: world.folder.url)
        }
        #expect(try sync(0..<500).code == 0)
        let shorter = try sync(100..<500)
        #expect(shorter.code == 0 && shorter.text.contains("deleted: shop 100"), "\(shorter.text) \(shorter.error)")
        #expect(try ids() == Array(100..<500))
    }

    @Test("The journal keeps what a sync has deleted, and a repeated command says it", arguments: loads)
    func journal(_ way: String) throws {
        #expect(try sync(way, feed(0..<20)).code == 0)
        #expect(try sync(way, feed(1..<20)).code == 0)
        let words = [
            "sync", world.folder.path("shop.json"), "--into", world.database, "--key", "id", "--first-load", way,
        ]
        for (extra, expected) in [([], "in the feed, deleted: shop 1"), (["--json"], "\"deleted\":{\"shop\":1}")] {
            let repeated = try Tool.tributary.run(words + extra)
            #expect(repeated.text.contains(expected), "\(repeated.text)")
        }
        let status = try Tool.tributary.run(["status", world.database])
        #expect(status.text.components(separatedBy: "deleted: shop 1").count == 2, "\(status.text)")
        let json = try Tool.tributary.run(["status", world.database, "--json"])
        #expect(json.lines.map { $0.contains("\"deleted\":{\"shop\":1}") } == [false, true], "\(json.text)")
        // The journal of a refused sync says nothing about the API of the library.
        #expect(try sync(way, feed(11..<20)).code == 3)
        let refused = try Tool.tributary.run(["status", world.database])
        #expect(refused.text.contains("10 of 19 rows") && !refused.text.contains("sync.limit"), "\(refused.text)")
    }

    @Test("A scope that names no column of the table is refused before anything is written")
    func wrongScope() throws {
        #expect(try sync("groups", feed(0..<20)).code == 0)
        for ids in [0..<20, 0..<19] {
            let wrong = try sync("groups", feed(ids, named: "b"), "--scope", "regon == 'nl'")
            #expect(wrong.code == 1 && wrong.error.contains("regon"), "\(wrong.error)")
            #expect(!wrong.error.contains("to resume"), "\(wrong.error)")
        }
        #expect(try world.values("name", of: "shop").allSatisfy { $0 == "a" })
        let status = try Tool.tributary.run(["status", world.database, "--unfinished"])
        #expect(status.text == "nothing is unfinished\n")
        #expect(try sync("groups", feed(0..<19), "--scope", "name == 'a'").code == 0)
        #expect(try ids() == Array(0..<19))
    }

    @Test("One row may go from a small table")
    func smallTable() throws {
        #expect(try sync("groups", feed(0..<3)).code == 0)
        #expect(try sync("groups", feed(0..<1)).code == 3)
        #expect(try sync("groups", feed(0..<2)).code == 0)
        #expect(try ids() == [0, 1])
    }

    @Test("A refused deletion makes room for the next feed", arguments: loads)
    func nextFeed(_ way: String) throws {
        #expect(try sync(way, feed(0..<20)).code == 0)
        #expect(try sync(way, feed(0..<5)).code == 3)
        let next = try sync(way, feed(0..<19))
        #expect(next.code == 0 && next.text.contains("deleted: shop 1"), "\(next.text) \(next.error)")
    }

    @Test("A record whose key is unknown forbids deletion; one whose value is bad keeps its row", arguments: loads)
    func rejects(_ way: String) throws {
        #expect(try sync(way, feed(0..<20)).code == 0)
        let unknown = try sync(
            way, "[{\"id\": 0}, {\"name\": \"x\"}]", "--on-error", "quarantine", "--max-delete", "90%")
        #expect(unknown.code == 3 && unknown.error.contains("nothing was deleted"), "\(unknown.error)")
        #expect(try ids() == Array(0..<20))
        let json = try sync(way, "[{\"id\": 0}, {\"name\": \"x\"}]", "--on-error", "skip", "--json", "--again")
        #expect(json.text.contains("\"unidentified\":1"), "\(json.text)")
    }

    @Test("Feeds share rows, and a scope or a date keeps them", arguments: loads)
    func feeds(_ way: String) throws {
        #expect(try sync(way, feed(0..<20), "--feed", "north").code == 0)
        #expect(try sync(way, feed(10..<25), "--feed", "south").code == 0)
        #expect(try sync(way, feed(0..<5), "--feed", "north", "--max-delete", "80%").code == 0)
        #expect(try ids() == Array(0..<5) + Array(10..<25))
        #expect(try sync(way, feed(10..<15), "--feed", "south", "--max-delete", "80%", "--scope", "id > 20").code == 0)
        #expect(try ids() == Array(0..<5) + Array(10..<21))
        #expect(
            try sync(way, feed(10..<12), "--feed", "south", "--max-delete", "99%", "--soft-delete", "gone").code == 0)
        let rows = try world.rows("shop")
        #expect(rows.filter { $0["gone"] != .null }.count == 9)
        #expect(try sync(way, feed(10..<21), "--feed", "south", "--soft-delete", "gone").code == 0)
        #expect(try world.rows("shop").allSatisfy { $0["gone"] == .null })
    }

    @Test("Rows outside of a scope stay those of the feed, also those that another feed holds", arguments: loads)
    func sharedOutsideOfScope(_ way: String) throws {
        #expect(try sync(way, feed(0..<20), "--feed", "north").code == 0)
        #expect(try sync(way, feed(10..<20), "--feed", "south").code == 0)
        #expect(try sync(way, feed(0..<5), "--feed", "south", "--scope", "id < 5").code == 0)
        #expect(try sync(way, feed(0..<5), "--feed", "north", "--max-delete", "99%").code == 0)
        #expect(try ids() == Array(0..<5) + Array(10..<20))
    }

    @Test("After two syncs are undone, the feed has the rows that it had before them")
    func undoneFeeds() throws {
        #expect(try world.load(world.write(feed(0..<3), "shop.json"), "--key", "id").code == 0)
        #expect(try sync("groups", feed(0..<4), "--undoable").code == 0)
        #expect(try sync("groups", feed(0..<5), "--undoable").code == 0)
        for _ in 0..<2 { #expect(try Tool.tributary.run(["undo", world.database]).code == 0) }
        #expect(try sync("groups", feed(5..<6)).code == 0)
        #expect(try ids() == [0, 1, 2, 5])
    }

    @Test("An undo gives a feed its earlier rows back, and later runs keep theirs", arguments: [true, false])
    func undoneBeforeLater(_ isUndoable: Bool) throws {
        #expect(try world.load(world.write(feed([7]), "shop.json"), "--key", "id").code == 0)
        #expect(try sync("groups", feed(0..<3), "--undoable").code == 0)
        #expect(try sync("groups", feed(0..<2), "--undoable", "--max-delete", "100%").code == 0)
        let later = isUndoable ? ["--undoable"] : ["--quiet"]
        #expect(try sync("groups", feed([1, 0, 7]), later[0]).code == 0)
        #expect(try Tool.tributary.run(["undo", world.database, "--run", "3"]).code == 0)
        #expect(try ids() == [0, 1, 2, 7])
        if isUndoable { #expect(try Tool.tributary.run(["undo", world.database]).code == 0) }
        #expect(try sync("groups", feed([5]), "--max-delete", "100%").code == 0)
        // Without the later run no feed has brought the row of the import.
        #expect(try ids() == (isUndoable ? [5, 7] : [5]))
    }

    @Test("No run is undone after an import has emptied its table")
    func undoneAfterTruncation() throws {
        #expect(try sync("groups", feed(0..<3), "--undoable").code == 0)
        let path = try world.write("{\"id\" 2}\n", "bad.ndjson")
        #expect(
            try world.load(path, "--table", "shop", "--key", "id", "--truncate", "--on-error", "quarantine").code == 3)
        #expect(try ids() == [])
        let undo = try Tool.tributary.run(["undo", world.database])
        #expect(undo.code == 1 && undo.error.contains("run 2 has imported into the same tables"), "\(undo.error)")
    }

    @Test("A row that records still refer to stays, until they do not", arguments: loads)
    func references(_ way: String) throws {
        func load(_ authors: String...) throws -> Tool.Outcome {
            let records = authors.enumerated().map { "{\"id\": \($0), \"author\": \($1)}" }
            let path = try world.write("[\(records.joined(separator: ","))]", "books.json")
            return try Tool.tributary.run(
                [
                    "sync", path, "--into", world.database, "--relations", "--max-delete", "99%", "--again",
                    "--first-load", way,
                ])
        }
        #expect(try load("{\"id\": 1, \"n\": \"A\"}", "{\"id\": 2, \"n\": \"B\"}", "{\"id\": 3}").code == 0)
        #expect(try load("1", "{\"id\": 2, \"n\": \"B\"}", "{\"id\": 2}").code == 0)
        #expect(try world.values("id", of: "author") == [1, 2])
        #expect(try load("2", "2", "{\"id\": 2}").code == 0)
        #expect(try world.values("id", of: "author") == [2])
    }

    @Test("Undo reverts what a run did, except in edited rows", arguments: loads)
    func undo(_ way: String) throws {
        #expect(try sync(way, feed(0..<10)).code == 0)
        let before = try world.rows("shop")
        let changes = world.folder.path("changes.ndjson")
        let text = "[{\"id\": 1, \"name\": \"b\"}, {\"id\": 2, \"name\": \"a\"}, {\"id\": 77, \"name\": \"n\"}]"
        #expect(try sync(way, text, "--changes", changes, "--max-delete", "99%").code == 0)
        let lines = try String(contentsOfFile: changes, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 10, "\(lines)")
        #expect(lines.contains { $0.contains("\"change\":\"updated\"") && $0.contains("\"new\":{\"name\":\"b\"}") })
        func undo(_ words: String...) throws -> Tool.Outcome {
            try Tool.tributary.run(["undo", world.database] + words)
        }
        #expect(try undo("--run", "1").code == 1)
        let dry = try undo("--dry-run")
        #expect(dry.code == 2 && dry.text.contains("run 2 would be undone"), "\(dry.text)")
        let outcome = try undo("--run", "2", "--json")
        #expect(outcome.code == 0 && outcome.text.contains("\"inserted\":{\"shop\":8}"), "\(outcome.text)")
        #expect(try world.rows("shop").map { $0["id"] } == before.map { $0["id"] })
        #expect(try world.rows("shop") == before)
        let status = try Tool.tributary.run(["status", world.database])
        #expect(status.text.contains("undone"), "\(status.text)")
        #expect(try undo("--run", "2").code == 1)
        // An edited row stays.
        #expect(try sync(way, text, "--undoable", "--max-delete", "99%").code == 0)
        try Connection(.file(world.database)).execute("UPDATE \"shop\" SET \"name\" = 'mine' WHERE \"id\" = 1")
        let kept = try undo("--run", "3")
        #expect(kept.code == 3 && kept.text.contains("edited since"), "\(kept.text)")
        #expect(try world.rows("shop").contains { $0["name"] == "mine" })
        #expect(try undo("--run", "3", "--quiet").code == 1)
        let none = try undo()
        #expect(none.code == 1 && none.error.contains("no run has kept what it changed"), "\(none.error)")
        // A run that has changed nothing is undone without a change.
        let same = try world.write("[{\"id\": 2, \"name\": \"a\"}]", "same.json")
        #expect(try world.load(same, "--table", "shop", "--key", "id", "--undoable").code == 0)
        #expect(try undo("--dry-run").code == 0)
    }

    @Test("Rows to which tables of other programs refer are neither deleted nor undone", arguments: loads)
    func strangers(_ way: String) throws {
        #expect(try sync(way, feed(0..<4), "--undoable").code == 0)
        let connection = try Connection(.file(world.database))
        try connection.execute("CREATE TABLE \"mine\" (\"x\" REFERENCES \"Shop\"(\"_PK\") ON DELETE CASCADE)")
        try connection.execute("INSERT INTO \"mine\" VALUES (2)")
        let undone = try Tool.tributary.run(["undo", world.database, "--run", "1"])
        #expect(undone.code == 3 && undone.text.contains("other rows refer to it"), "\(undone.text) \(undone.error)")
        #expect(try ids() == [1])
        #expect(try connection.value(of: "SELECT COUNT(*) FROM \"mine\"") == 1)
        #expect(try sync(way, feed(0..<4)).code == 0)
        let refused = try sync(way, feed([0, 2, 3]), "--max-delete", "9")
        #expect(refused.code == 1 && refused.error.contains("mine.x, of another program"), "\(refused.error)")
        #expect(try ids() == Array(0..<4))
    }

    @Test("An entity is forgotten with its kept changes, and later rows are not taken for those of the feed")
    func forgotten() throws {
        #expect(try sync("groups", feed(0..<5), "--undoable").code == 0)
        let connection = try Connection(.file(world.database))
        try connection.execute("DROP TABLE \"shop\"")
        #expect(try Tool.tributary.run(["forget", world.database, "--entity", "shop"]).code == 0)
        #expect(try connection.rows(of: "SELECT name FROM sqlite_master WHERE name GLOB '_change.*'") == [])
        let path = try world.write(feed(0..<5), "shop.json")
        #expect(try world.load(path, "--key", "id").code == 0)
        #expect(try sync("groups", feed(0..<2), "--max-delete", "100%").code == 0)
        #expect(try ids() == Array(0..<5))
    }

    @Test("A field of the feed is not taken for the date of a deletion", arguments: loads)
    func softDeleteOfData(_ way: String) throws {
        #expect(try sync(way, feed(0..<4)).code == 0)
        for field in ["name", "id", "_version"] {
            let refused = try sync(way, feed(0..<3), "--max-delete", "9", "--soft-delete", field)
            #expect(refused.code == 1, "\(field): \(refused.text)")
        }
        #expect(try ids() == Array(0..<4))
        #expect(try world.values("name", of: "shop").allSatisfy { $0 == "a" })
    }

    @Test("An earlier feed that comes back is not taken for known", arguments: loads)
    func returningFeed(_ way: String) throws {
        for (name, ids) in [("one.json", 0..<3), ("two.json", 0..<2), ("one.json", 0..<3)] {
            let path = try world.write(feed(ids), name)
            let outcome = try Tool.tributary.run([
                "sync", path, "--table", "shop", "--into", world.database, "--key", "id", "--max-delete", "9",
                "--first-load", way,
            ])
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try self.ids() == Array(ids))
        }
    }

    @Test("A staged import appears at once, or not at all", arguments: loads)
    func staged(_ way: String) throws {
        let path = try world.write(feed(0..<20), "shop.json")
        let first = try world.load(path, "--key", "id", "--staged")
        #expect(first.code == 0, "\(first.error)")
        let few = try sync(way, feed(0..<19), "--staged", "--expect-min", "30")
        #expect(few.code == 1 && few.error.contains("fewer than 30"), "\(few.error)")
        #expect(try ids() == Array(0..<20))
        let bad = try sync(way, "[{\"id\": 5}, {\"id\": }]", "--staged")
        #expect(bad.code == 1, "\(bad.error)")
        #expect(try ids() == Array(0..<20))
        #expect(try sync(way, feed(0..<18), "--staged").code == 0)
        #expect(try ids() == Array(0..<18) + [18, 19])
        let files = try FileManager.default.contentsOfDirectory(atPath: world.folder.url.path)
        #expect(!files.contains { $0.contains("staged") }, "\(files)")
        let dry = try sync(way, feed(0..<17), "--staged", "--dry-run")
        #expect(dry.code == 2 && dry.text.contains("no longer in the feed, deleted: shop 1"), "\(dry.error)")
        let short = try sync(way, feed(0..<17), "--staged", "--expect-min", "20", "--dry-run")
        #expect(short.code == 1 && short.error.contains("fewer than 20"), "\(short.error)")
        #expect(try sync(way, feed(0..<17), "--staged", "--expect-min", "19", "--dry-run").code == 2)
        #expect(try ids() == Array(0..<18) + [18, 19])
    }

    @Test("Impossible combinations are refused")
    func refusals() throws {
        let path = try world.write(feed(0..<3), "shop.json")
        func run(_ words: String...) throws -> Tool.Outcome {
            try Tool.tributary.run(["sync", path, "--into", world.database] + words)
        }
        let keyless = try run()
        #expect(keyless.code == 1 && keyless.error.contains("a sync needs a key"), "\(keyless.error)")
        #expect(try run("--key", "id", "--max-delete", "x").code == 64)
        #expect(try run("--key", "id", "--scope", "id >").code == 64)
        #expect(try run("--key", "id", "--feed", "").code == 64)
        #expect(try run("--key", "id", "--truncate").code == 64)
        #expect(try run("--key", "id", "--expect-min", "3").code == 64)
        #expect(try world.load(path, "--undoable", "--truncate").code == 64)
        let direct = try world.load(path, "--changes", "c", "--first-load", "direct")
        #expect(direct.code == 64 && direct.error.contains("'--first-load direct' and '--changes'"), "\(direct.error)")
    }

    @Test(
        "A dry run foretells a command with any other options, and keeps nothing",
        arguments: ["--undoable", "--changes c", "--again", "--restart", "--staged"])
    func dryRunOfOptions(_ text: String) throws {
        let path = try world.write(feed(0..<3), "shop.json")
        #expect(try world.load(path, "--key", "id").code == 0)
        _ = try world.write(feed(0..<4), "shop.json")
        let words = text.replacing("--changes c", with: "--changes \(world.folder.path("c"))").split(separator: " ")
        let command = ["import", path, "--key", "id", "--into", world.database] + words.map(String.init)
        let dry = try Tool.tributary.run(command + ["-n"])
        #expect(dry.code == 2 && dry.text.contains("4 read = 1 inserted + 3 unchanged"), "\(dry.text) \(dry.error)")
        #expect(try ids() == [0, 1, 2] && !FileManager.default.fileExists(atPath: world.folder.path("c")))
        let outcome = try Tool.tributary.run(command)
        #expect(outcome.text.contains("4 read = 1 inserted + 3 unchanged"), "\(outcome.text) \(outcome.error)")
    }

    @Test("A sync of related tables makes the column of --soft-delete")
    func softDeletionOfRelations() throws {
        func sync(_ ids: Int...) throws -> Tool.Outcome {
            let records = ids.map { "{\"id\":\($0),\"part\":{\"id\":\($0)}}" }.joined(separator: ",")
            let path = try world.write("[\(records)]", "shop.json")
            return try Tool.tributary.run(
                ["sync", path, "--into", world.database, "--relations", "--soft-delete", "gone"])
        }
        let first = try sync(1, 2)
        #expect(first.code == 0, "\(first.error)")
        #expect(try sync(1).code == 0)
        #expect(try world.values("gone", of: "shop").map { $0 == .null } == [true, false])
        #expect(try sync(1, 2).code == 0)
        #expect(try world.values("gone", of: "shop") == [.null, .null])
    }

    @Test("A feed without a good record needs no column for dates of deletion", arguments: loads)
    func softDeletionWithoutRows(_ way: String) throws {
        let outcome = try sync(way, "[{\"id\" 1}]", "--on-error", "quarantine", "--soft-delete", "gone")
        #expect(outcome.code == 3 && outcome.text.contains("1 rejected"), "\(outcome.error)")
    }

    @Test("A dry run after an undoable one shows what it would change")
    func sampleAfterUndoable() throws {
        func dump(_ name: String) throws -> String {
            try world.write("[" + (0..<9).map { "{\"id\":\($0),\"name\":\"\(name)\"}" }.joined(separator: ",") + "]")
        }
        #expect(try world.load(dump("a"), "--key", "id").code == 0)
        #expect(try world.load(dump("b"), "--key", "id", "--undoable").code == 0)
        let dry = try world.load(dump("c"), "--key", "id", "--dry-run")
        #expect(dry.text.contains("would change users id 0: name \"b\" → \"c\""), "\(dry.text)")
        #expect(dry.lines.count { $0.contains("would change") } == 5, "\(dry.text)")
    }
}
