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
            ["sync", world.database, path, "--key", "id"] + words + (isUndoable ? [] : ["--first-load", way]))
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
        try sync(way, feed(0..<20)).expect(0)
        // A row that no sync has brought.
        try world.load(world.write(feed([99]), "other.json"), "--table", "shop", "--key", "id").expect(0)
        try sync(way, feed(1..<20, named: "b"), "--dry-run").expect(
            2, text: "would delete shop id 0", "would change shop id 1: name \"a\" → \"b\"")
        #expect(try ids() == Array(0..<20) + [99])
        try sync(way, feed(1..<20)).expect(0, text: "no longer in the feed, deleted: shop 1")
        #expect(try ids() == Array(1..<20) + [99])
        try sync(way, feed(11..<20)).expect(
            3, error: "10 of 19 rows of shop are no longer in the feed, more than 10.0%", "use --max-delete 10")
        #expect(try ids() == Array(1..<20) + [99])
        try sync(way, feed(11..<20), "--max-delete", "10").expect(0)
        #expect(try ids() == Array(11..<20) + [99])
    }

    @Test("A pipe is synced like a file, with repeated records and records that are held back", arguments: [1, 5])
    func pipe(_ copies: Int) throws {
        func sync(_ ids: some Sequence<Int>) throws -> Tool.Outcome {
            let lines = ids.map { "{\"id\": \($0), \"name\": \"\($0 % 7)\"}" }
            let text = Array(repeating: lines, count: copies).flatMap(\.self).joined(separator: "\n")
            _ = try world.write(text, "shop.ndjson")
            return try Tool.shell(
                "cat shop.ndjson | tributary sync app.sqlite - --table shop --key id --max-delete 40%",
                in: world.folder.url)
        }
        try sync(0..<500).expect(0)
        try sync(100..<500).expect(0, text: "deleted: shop 100")
        #expect(try ids() == Array(100..<500))
    }

    @Test("The journal keeps what a sync has deleted, and a repeated command says it", arguments: loads)
    func journal(_ way: String) throws {
        try sync(way, feed(0..<20)).expect(0)
        try sync(way, feed(1..<20)).expect(0)
        let words = [
            "sync", world.database, world.folder.path("shop.json"), "--key", "id", "--first-load", way,
        ]
        for (extra, expected) in [([], "in the feed, deleted: shop 1"), (["--json"], "\"deleted\":{\"shop\":1}")] {
            try Tool.tributary.run(words + extra).expect(text: expected)
        }
        let status = try Tool.tributary.run(["status", world.database])
        #expect(status.text.components(separatedBy: "deleted: shop 1").count == 2, "\(status.text)")
        let json = try Tool.tributary.run(["status", world.database, "--json"])
        #expect(json.lines.map { $0.contains("\"deleted\":{\"shop\":1}") } == [false, true], "\(json.text)")
        // The journal of a refused sync says nothing about the API of the library.
        try sync(way, feed(11..<20)).expect(3)
        let refused = try Tool.tributary.run(["status", world.database])
        #expect(refused.text.contains("10 of 19 rows") && !refused.text.contains("sync.limit"), "\(refused.text)")
    }

    @Test("A scope that names no column of the table is refused before anything is written")
    func wrongScope() throws {
        try sync("groups", feed(0..<20)).expect(0)
        for ids in [0..<20, 0..<19] {
            try sync("groups", feed(ids, named: "b"), "--scope", "regon == 'nl'").expect(
                1, error: "regon", without: "to resume")
        }
        #expect(try world.values("name", of: "shop").allSatisfy { $0 == "a" })
        try Tool.tributary.run(["status", world.database, "--unfinished"]).expect(output: "nothing is unfinished\n")
        try sync("groups", feed(0..<19), "--scope", "name == 'a'").expect(0)
        #expect(try ids() == Array(0..<19))
    }

    @Test("One row may go from a small table")
    func smallTable() throws {
        try sync("groups", feed(0..<3)).expect(0)
        try sync("groups", feed(0..<1)).expect(3)
        try sync("groups", feed(0..<2)).expect(0)
        #expect(try ids() == [0, 1])
    }

    @Test("A refused deletion makes room for the next feed", arguments: loads)
    func nextFeed(_ way: String) throws {
        try sync(way, feed(0..<20)).expect(0)
        try sync(way, feed(0..<5)).expect(3)
        try sync(way, feed(0..<19)).expect(0, text: "deleted: shop 1")
    }

    @Test("A record whose key is unknown forbids deletion; one whose value is bad keeps its row", arguments: loads)
    func rejects(_ way: String) throws {
        try sync(way, feed(0..<20)).expect(0)
        try sync(
            way, "[{\"id\": 0}, {\"name\": \"x\"}]", "--on-error", "quarantine", "--max-delete", "90%"
        ).expect(3, error: "nothing was deleted")
        #expect(try ids() == Array(0..<20))
        try sync(way, "[{\"id\": 0}, {\"name\": \"x\"}]", "--on-error", "skip", "--json", "--again").expect(
            text: "\"unidentified\":1")
    }

    @Test("Feeds share rows, and a scope or a date keeps them", arguments: loads)
    func feeds(_ way: String) throws {
        try sync(way, feed(0..<20), "--feed", "north").expect(0)
        try sync(way, feed(10..<25), "--feed", "south").expect(0)
        try sync(way, feed(0..<5), "--feed", "north", "--max-delete", "80%").expect(0)
        #expect(try ids() == Array(0..<5) + Array(10..<25))
        try sync(way, feed(10..<15), "--feed", "south", "--max-delete", "80%", "--scope", "id > 20").expect(0)
        #expect(try ids() == Array(0..<5) + Array(10..<21))
        try sync(way, feed(10..<12), "--feed", "south", "--max-delete", "99%", "--soft-delete", "gone").expect(0)
        let rows = try world.rows("shop")
        #expect(rows.filter { $0["gone"] != .null }.count == 9)
        try sync(way, feed(10..<21), "--feed", "south", "--soft-delete", "gone").expect(0)
        #expect(try world.rows("shop").allSatisfy { $0["gone"] == .null })
    }

    @Test("Rows outside of a scope stay those of the feed, also those that another feed holds", arguments: loads)
    func sharedOutsideOfScope(_ way: String) throws {
        try sync(way, feed(0..<20), "--feed", "north").expect(0)
        try sync(way, feed(10..<20), "--feed", "south").expect(0)
        try sync(way, feed(0..<5), "--feed", "south", "--scope", "id < 5").expect(0)
        try sync(way, feed(0..<5), "--feed", "north", "--max-delete", "99%").expect(0)
        #expect(try ids() == Array(0..<5) + Array(10..<20))
    }

    @Test("After two syncs are undone, the feed has the rows that it had before them")
    func undoneFeeds() throws {
        try world.load(world.write(feed(0..<3), "shop.json"), "--key", "id").expect(0)
        try sync("groups", feed(0..<4), "--undoable").expect(0)
        try sync("groups", feed(0..<5), "--undoable").expect(0)
        for _ in 0..<2 { #expect(try Tool.tributary.run(["undo", world.database]).code == 0) }
        try sync("groups", feed(5..<6)).expect(0)
        #expect(try ids() == [0, 1, 2, 5])
    }

    @Test("An undo gives a feed its earlier rows back, and later runs keep theirs", arguments: [true, false])
    func undoneBeforeLater(_ isUndoable: Bool) throws {
        try world.load(world.write(feed([7]), "shop.json"), "--key", "id").expect(0)
        try sync("groups", feed(0..<3), "--undoable").expect(0)
        try sync("groups", feed(0..<2), "--undoable", "--max-delete", "100%").expect(0)
        let later = isUndoable ? ["--undoable"] : ["--quiet"]
        try sync("groups", feed([1, 0, 7]), later[0]).expect(0)
        try Tool.tributary.run(["undo", world.database, "--run", "3"]).expect(0)
        #expect(try ids() == [0, 1, 2, 7])
        if isUndoable { #expect(try Tool.tributary.run(["undo", world.database]).code == 0) }
        try sync("groups", feed([5]), "--max-delete", "100%").expect(0)
        // Without the later run no feed has brought the row of the import.
        #expect(try ids() == (isUndoable ? [5, 7] : [5]))
    }

    @Test("No run is undone after an import has emptied its table")
    func undoneAfterTruncation() throws {
        try sync("groups", feed(0..<3), "--undoable").expect(0)
        let path = try world.write("{\"id\" 2}\n", "bad.ndjson")
        try world.load(path, "--table", "shop", "--key", "id", "--truncate", "--on-error", "quarantine").expect(3)
        #expect(try ids() == [])
        try Tool.tributary.run(["undo", world.database]).expect(1, error: "run 2 has imported into the same tables")
    }

    @Test("A row that records still refer to stays, until they do not", arguments: loads)
    func references(_ way: String) throws {
        func load(_ authors: String...) throws -> Tool.Outcome {
            let records = authors.enumerated().map { "{\"id\": \($0), \"author\": \($1)}" }
            let path = try world.write("[\(records.joined(separator: ","))]", "books.json")
            return try Tool.tributary.run(
                [
                    "sync", world.database, path, "--relations", "--max-delete", "99%", "--again",
                    "--first-load", way,
                ])
        }
        try load("{\"id\": 1, \"n\": \"A\"}", "{\"id\": 2, \"n\": \"B\"}", "{\"id\": 3}").expect(0)
        try load("1", "{\"id\": 2, \"n\": \"B\"}", "{\"id\": 2}").expect(0)
        #expect(try world.values("id", of: "author") == [1, 2])
        try load("2", "2", "{\"id\": 2}").expect(0)
        #expect(try world.values("id", of: "author") == [2])
    }

    @Test("Undo reverts what a run did, except in edited rows", arguments: loads)
    func undo(_ way: String) throws {
        try sync(way, feed(0..<10)).expect(0)
        let before = try world.rows("shop")
        let changes = world.folder.path("changes.ndjson")
        let text = "[{\"id\": 1, \"name\": \"b\"}, {\"id\": 2, \"name\": \"a\"}, {\"id\": 77, \"name\": \"n\"}]"
        try sync(way, text, "--changes", changes, "--max-delete", "99%").expect(0)
        let lines = try String(contentsOfFile: changes, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 10, "\(lines)")
        #expect(lines.contains { $0.contains("\"change\":\"updated\"") && $0.contains("\"new\":{\"name\":\"b\"}") })
        func undo(_ words: String...) throws -> Tool.Outcome {
            try Tool.tributary.run(["undo", world.database] + words)
        }
        try undo("--run", "1").expect(1)
        try undo("--dry-run").expect(2, text: "run 2 would be undone")
        try undo("--run", "2", "--json").expect(0, text: "\"inserted\":{\"shop\":8}")
        #expect(try world.rows("shop").map { $0["id"] } == before.map { $0["id"] })
        #expect(try world.rows("shop") == before)
        try Tool.tributary.run(["status", world.database]).expect(text: "undone")
        try undo("--run", "2").expect(1)
        // An edited row stays.
        try sync(way, text, "--undoable", "--max-delete", "99%").expect(0)
        try Connection(.file(world.database)).execute("UPDATE \"shop\" SET \"name\" = 'mine' WHERE \"id\" = 1")
        try undo("--run", "3").expect(3, text: "edited since")
        #expect(try world.rows("shop").contains { $0["name"] == "mine" })
        try undo("--run", "3", "--quiet").expect(1)
        try undo().expect(1, error: "no run has kept what it changed")
        // A run that has changed nothing is undone without a change.
        let same = try world.write("[{\"id\": 2, \"name\": \"a\"}]", "same.json")
        try world.load(same, "--table", "shop", "--key", "id", "--undoable").expect(0)
        try undo("--dry-run").expect(0)
    }

    @Test("Rows to which tables of other programs refer are neither deleted nor undone", arguments: loads)
    func strangers(_ way: String) throws {
        try sync(way, feed(0..<4), "--undoable").expect(0)
        let connection = try Connection(.file(world.database))
        try connection.execute("CREATE TABLE \"mine\" (\"x\" REFERENCES \"Shop\"(\"_PK\") ON DELETE CASCADE)")
        try connection.execute("INSERT INTO \"mine\" VALUES (2)")
        try Tool.tributary.run(["undo", world.database, "--run", "1"]).expect(3, text: "other rows refer to it")
        #expect(try ids() == [1])
        #expect(try connection.value(of: "SELECT COUNT(*) FROM \"mine\"") == 1)
        try sync(way, feed(0..<4)).expect(0)
        try sync(way, feed([0, 2, 3]), "--max-delete", "9").expect(1, error: "mine.x, of another program")
        #expect(try ids() == Array(0..<4))
    }

    @Test("An entity is forgotten with its kept changes, and later rows are not taken for those of the feed")
    func forgotten() throws {
        try sync("groups", feed(0..<5), "--undoable").expect(0)
        let connection = try Connection(.file(world.database))
        try connection.execute("DROP TABLE \"shop\"")
        try Tool.tributary.run(["forget", world.database, "--entity", "shop"]).expect(0)
        #expect(try connection.rows(of: "SELECT name FROM sqlite_master WHERE name GLOB '_change.*'") == [])
        let path = try world.write(feed(0..<5), "shop.json")
        try world.load(path, "--key", "id").expect(0)
        try sync("groups", feed(0..<2), "--max-delete", "100%").expect(0)
        #expect(try ids() == Array(0..<5))
    }

    @Test("A field of the feed is not taken for the date of a deletion", arguments: loads)
    func softDeleteOfData(_ way: String) throws {
        try sync(way, feed(0..<4)).expect(0)
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
            try Tool.tributary.run([
                "sync", world.database, path, "--table", "shop", "--key", "id", "--max-delete", "9",
                "--first-load", way,
            ]).expect(0)
            #expect(try self.ids() == Array(ids))
        }
    }

    @Test("A stopped sync starts over after a later one of its feed", arguments: loads)
    func stoppedFeed(_ way: String) throws {
        let (early, late) = (try world.write(feed(0..<5), "early.json"), try world.write(feed(0..<4), "late.json"))
        func sync(_ path: String, _ words: String...) throws -> Tool.Outcome {
            try Tool.tributary.run(
                ["sync", world.database, path, "--table", "shop", "--key", "id", "--first-load", way] + words)
        }
        try sync(world.write(feed(0..<20), "shop.json")).expect(0)
        try sync(early).expect(3, error: "15 of 20 rows")
        try sync(late, "--max-delete", "20").expect(0)
        #expect(try ids() == Array(0..<4))
        try sync(early, "--max-delete", "20").expect(0)
        #expect(try ids() == Array(0..<5))
    }

    @Test("A staged import appears at once, or not at all", arguments: loads)
    func staged(_ way: String) throws {
        let path = try world.write(feed(0..<20), "shop.json")
        try world.load(path, "--key", "id", "--staged").expect(0)
        try sync(way, feed(0..<19), "--staged", "--expect-min", "30").expect(1, error: "fewer than 30")
        #expect(try ids() == Array(0..<20))
        try sync(way, "[{\"id\": 5}, {\"id\": }]", "--staged").expect(1)
        #expect(try ids() == Array(0..<20))
        try sync(way, feed(0..<18), "--staged").expect(0)
        #expect(try ids() == Array(0..<18) + [18, 19])
        let files = try FileManager.default.contentsOfDirectory(atPath: world.folder.url.path)
        #expect(!files.contains { $0.contains("staged") }, "\(files)")
        try sync(way, feed(0..<17), "--staged", "--dry-run").expect(
            2, text: "no longer in the feed, deleted: shop 1")
        try sync(way, feed(0..<17), "--staged", "--expect-min", "20", "--dry-run").expect(1, error: "fewer than 20")
        try sync(way, feed(0..<17), "--staged", "--expect-min", "19", "--dry-run").expect(2)
        #expect(try ids() == Array(0..<18) + [18, 19])
    }

    @Test("Impossible combinations are refused")
    func refusals() throws {
        let path = try world.write(feed(0..<3), "shop.json")
        func run(_ words: String...) throws -> Tool.Outcome {
            try Tool.tributary.run(["sync", world.database, path] + words)
        }
        try run().expect(1, error: "a sync needs a key")
        try run("--key", "id", "--max-delete", "x").expect(64)
        try run("--key", "id", "--scope", "id >").expect(64)
        try run("--key", "id", "--feed", "").expect(64)
        try run("--key", "id", "--truncate").expect(64)
        try run("--key", "id", "--expect-min", "3").expect(64)
        try world.load(path, "--undoable", "--truncate").expect(64)
        try world.load(path, "--changes", "c", "--first-load", "direct").expect(
            64, error: "'--first-load direct' and '--changes'")
    }

    @Test(
        "A dry run foretells a command with any other options, and keeps nothing",
        arguments: ["--undoable", "--changes c", "--again", "--restart", "--staged"])
    func dryRunOfOptions(_ text: String) throws {
        let path = try world.write(feed(0..<3), "shop.json")
        try world.load(path, "--key", "id").expect(0)
        _ = try world.write(feed(0..<4), "shop.json")
        let words = text.replacing("--changes c", with: "--changes \(world.folder.path("c"))").split(separator: " ")
        let command = ["import", world.database, path, "--key", "id"] + words.map(String.init)
        try Tool.tributary.run(command + ["-n"]).expect(2, text: "4 read = 1 inserted + 3 unchanged")
        #expect(try ids() == [0, 1, 2] && !FileManager.default.fileExists(atPath: world.folder.path("c")))
        try Tool.tributary.run(command).expect(text: "4 read = 1 inserted + 3 unchanged")
    }

    @Test("A sync of related tables makes the column of --soft-delete")
    func softDeletionOfRelations() throws {
        func sync(_ ids: Int...) throws -> Tool.Outcome {
            let records = ids.map { "{\"id\":\($0),\"part\":{\"id\":\($0)}}" }.joined(separator: ",")
            let path = try world.write("[\(records)]", "shop.json")
            return try Tool.tributary.run(
                ["sync", world.database, path, "--relations", "--soft-delete", "gone"])
        }
        try sync(1, 2).expect(0)
        try sync(1).expect(0)
        #expect(try world.values("gone", of: "shop").map { $0 == .null } == [true, false])
        try sync(1, 2).expect(0)
        #expect(try world.values("gone", of: "shop") == [.null, .null])
    }

    @Test("A feed without a good record makes the column for dates of deletion", arguments: loads)
    func softDeletionWithoutRows(_ way: String) throws {
        try sync(way, "[{\"id\" 1}]", "--on-error", "quarantine", "--soft-delete", "gone").expect(3, text: "1 rejected")
        try sync(way, feed(0..<3)).expect(0)
        try sync(way, "[]", "--max-delete", "9", "--soft-delete", "gone").expect(0)
        #expect(try !world.values("gone", of: "shop").contains(.null))
    }

    @Test("A dry run after an undoable one shows what it would change")
    func sampleAfterUndoable() throws {
        func dump(_ name: String) throws -> String {
            try world.write("[" + (0..<9).map { "{\"id\":\($0),\"name\":\"\(name)\"}" }.joined(separator: ",") + "]")
        }
        try world.load(dump("a"), "--key", "id").expect(0)
        try world.load(dump("b"), "--key", "id", "--undoable").expect(0)
        let dry = try world.load(dump("c"), "--key", "id", "--dry-run").expect(
            text: "would change users id 0: name \"b\" → \"c\"")
        #expect(dry.lines.count { $0.contains("would change") } == 5, "\(dry.text)")
    }
}
