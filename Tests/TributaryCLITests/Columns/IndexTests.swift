import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `--index` and `--unique`.
@Suite struct IndexTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private func indexes() throws -> [[SQLValue]] {
        try world.query("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND name LIKE 'idx%' ORDER BY 1")
    }

    @Test("An index is made once, keeps its name free, and stays when a column gets another type")
    func plain() throws {
        let first = try world.write("{\"id\":1,\"n\":1,\"first name\":\"A\"}\n{\"id\":2,\"n\":1}\n", "a.ndjson")
        try Connection(.file(world.database)).execute("CREATE TABLE \"IDX_a_n\" (x)")
        let words = ["--key", "id", "--index", "n,first name+n,id"]
        try Tool.tributary.run(["import", world.database, first] + words).expect(
            0, error: "made the index idx_a_n_2 of a.n", "made the index idx_a_first name_n of a.first name+n",
            without: "of a.id")
        let made = try indexes()
        #expect(made.count == 2)
        let second = try world.write("{\"id\":3,\"n\":2.5}\n{\"id\":4,\"n\":\"x\"}\n", "b.ndjson")
        try Tool.tributary.run(
            ["import", world.database, second, "--table", "a"] + words
        ).expect(0, without: "made the index")
        #expect(try indexes() == made)
        #expect(try world.query("PRAGMA integrity_check") == [["ok"]])
        #expect(try world.query("SELECT id FROM a INDEXED BY idx_a_n_2 WHERE n = 1 ORDER BY id") == [[1], [2]])
    }

    @Test("Repeated values keep their rows, are named, and do not keep other indexes from being made")
    func repeated() throws {
        let file = try world.write(
            "{\"id\":1,\"e\":\"x\",\"f\":1}\n{\"id\":2,\"e\":\"x\",\"f\":1}\n{\"id\":3,\"e\":\"y\",\"f\":null}\n",
            "a.ndjson")
        try world.load(file, "--key", "id", "--unique", "e", "--index", "f").expect(
            1, error: "a.e is not unique: 2 rows have 'x'; all rows stay", "the same command makes the unique index")
        #expect(try world.values("id", of: "a") == [1, 2, 3])
        #expect(try indexes().count == 1)
        try Connection(.file(world.database)).execute("UPDATE a SET e = 'z' WHERE id = 2")
        try world.load(file, "--key", "id", "--unique", "e", "--index", "f").expect(
            0, error: "made the unique index idx_a_e of a.e")
    }

    @Test("A record whose value is taken is a reject that names the column and the value", arguments: [true, false])
    func violations(isKeyed: Bool) throws {
        let key = isKeyed ? ["--key", "id"] : []
        func load(_ text: String, _ words: String...) throws -> Tool.Outcome {
            let file = try world.write(text, "feed \(text.utf8.count).ndjson")
            return try Tool.tributary.run(
                ["import", world.database, file, "--table", "a.b", "--on-error", "quarantine"] + key + words)
        }
        try load("{\"id\":1,\"e\":\"x\"}\n{\"id\":2,\"e\":null}\n", "--unique", "e").expect(0)
        try load("{\"id\":3,\"e\":\"y\"}\n{\"id\":4,\"e\":\"x\"}\n{\"id\":5,\"e\":\"y\"}\n{\"id\":6}\n").expect(3)
        #expect(try world.values("id", of: "a.b") == [1, 2, 3, 6])
        let rejects = try Tool.tributary.run(["rejects", world.database]).expect(
            0, text: "(e is 'x')", "(e is 'y')", "a value that must be unique exists already")
        #expect(rejects.text.split(separator: "\n").count == 2)
        try Connection(.file(world.database)).execute("UPDATE \"a.b\" SET e = 'z' WHERE id = 1")
        try Tool.tributary.run(["retry", world.database]).expect(3)
        #expect(try world.values("id", of: "a.b") == [1, 2, 3, 6, 4])
        #expect(try world.query("PRAGMA integrity_check") == [["ok"]])
    }

    @Test("Tables of nested objects and of other programs get indexes, and names with points find the longest table")
    func otherTables() throws {
        let file = try world.write("[{\"id\":1,\"kids\":[{\"id\":5,\"nm\":\"a\"},{\"id\":6,\"nm\":\"b\"}]}]", "p.json")
        try world.load(file, "--relations", "--index", "kids.nm", "--unique", "kids.id").expect(
            0, error: "made the index idx_kids_nm of kids.nm")
        try world.load(file, "--relations", "--index", "kids.nmm").expect(1, error: "there is no column 'kids.nmm'")
        let places = try world.write("{\"a\":[{\"b.c\":1}],\"a.b\":[{\"c\":2}]}", "all.json")
        let other = try ImportWorld()
        try Tool.tributary.run(["import", other.database, places, "--all", "--index", "a.b.c"]).expect(
            0, error: "made the index idx_a.b_c of a.b.c")
        try Tool.tributary.run(["import", other.database, places, "--all", "--index", "c"]).expect(
            1, error: "name the table of 'c' too")
        try Connection(.file(other.database)).execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x)")
        let record = try other.write("[{\"id\":1,\"x\":2}]", "t.json")
        try other.load(record, "--index", "x,id", "--unique", "x").expect(
            0, error: "made the index idx_t_x of t.x", "made the unique index idx_t_x_2", without: "of t.id")
        try other.load(record, "--index", "y").expect(1, error: "there is no column 'y' for an index; there are id, x")
    }

    @Test("A dry run makes no index, and a staged import that cannot make one writes nothing back")
    func staged() throws {
        let file = try world.write("{\"id\":1,\"e\":1}\n{\"id\":2,\"e\":1}\n", "a.ndjson")
        try world.load(file, "--key", "id").expect(0)
        try world.load(file, "--key", "id", "--index", "e", "--dry-run").expect(0)
        #expect(try indexes().isEmpty)
        let more = try world.write("{\"id\":3,\"e\":2}\n", "a.ndjson")
        try world.load(more, "--key", "id", "--unique", "e", "--staged").expect(
            1, error: "a.e is not unique", "this import is staged, so nothing was written back")
        #expect(try world.values("id", of: "a") == [1, 2])
    }
}
