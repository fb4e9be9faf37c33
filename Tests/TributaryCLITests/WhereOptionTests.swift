import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `--where`.
@Suite struct WhereOptionTests {
    private let world: ImportWorld
    init() throws { world = try ImportWorld() }

    private func ids(_ table: String = "users") throws -> [Int] {
        try world.values("id", of: table).compactMap { if case .integer(let id) = $0 { Int(id) } else { nil } }.sorted()
    }

    private func users(_ ids: some Sequence<Int>) -> String {
        ids.map { "{\"id\":\($0),\"country\":\"\($0 % 2 == 0 ? "nl" : "de")\",\"x\($0 % 2)\":1}\n" }.joined()
    }

    private func sync(_ text: String, _ words: String...) throws -> Tool.Outcome {
        let path = try world.write(text, "users.ndjson")
        return try Tool.tributary.run(["sync", world.database, path, "--key", "id"] + words)
    }

    @Test("Records that do not meet the filter are skipped, and make no columns")
    func skipping() throws {
        let file = try world.write(users(0..<6), "users.ndjson")
        try world.load(file, "--where", "country == \"nl\"").expect(0, prefix: "6 read = 3 inserted + 3 skipped")
        #expect(try ids() == [0, 2, 4])
        #expect(try world.rows("users")[0].keys.sorted() == ["_pk", "country", "id", "x0"])
        // Without a key another filter would add records twice.
        try world.load(file, "--where", "id > 1").expect(1, error: "was imported with other options by run 1")
        try world.load(file, "--where", "country == \"nl\"").expect(0, text: "already imported by run 1")
    }

    @Test("A malformed filter, and a profile, are refused before the database is made")
    func refusals() throws {
        let file = try world.write(users(0..<2), "users.ndjson")
        try world.load(file, "--where", "country ==").expect(64, error: "Option '--where' takes a filter: filter:1:11")
        try world.load(file, "--where", "now() > 1").expect(64, error: "write a constant")
        try world.load(file, "--where", "id == 1", "--profile", file).expect(
            64, error: "'--profile' and '--where' cannot be used together")
        #expect(!FileManager.default.fileExists(atPath: world.database))
    }

    @Test("A member that no record has is told with the nearest one, unless a record was not asked for it")
    func typos() throws {
        let file = try world.write(#"{"id":1,"address":{"zip":1},"a.b":1}"#, "users.ndjson")
        try world.load(file, "--where", "adress.zip == 1", "--table", "a").expect(
            0, error: "no record has a member 'adress', which --where names. Did you mean 'address'?")
        try world.load(file, "--where", "address.zap == nil", "--table", "b").expect(
            0, error: "no record has a member 'address.zap', which --where names. Did you mean 'address.zip'?")
        try world.load(file, "--where", "id == 2 AND address.zip == 1", "--table", "c").expect(
            0, without: "no record has")
        try world.load(file, "--where", "x == nil", "--table", "d", "--quiet").expect(0, without: "no record has")
    }

    @Test("A sync keeps the rows of records that are left out as they are", arguments: ["groups", "direct"])
    func syncing(_ way: String) throws {
        try sync(users(0..<20), "--first-load", way).expect(0)
        // Of those that another import has brought none goes, now or later.
        try world.load(world.write(users([100, 101]), "more.ndjson"), "--key", "id", "--table", "users").expect(0)
        let changed = (users(1..<20) + users([100, 101])).replacing("\"de\"", with: "\"at\"")
        try sync(changed, "--where", "country == \"nl\"").expect(
            0, text: "21 read = 10 unchanged + 11 skipped", "no longer in the feed, deleted: users 1")
        #expect(try ids() == Array(1..<20) + [100, 101])
        #expect(try world.query("SELECT count(*) FROM users WHERE country = 'at'") == [[0]])
        // A row that was left out stays one of the feed, and goes when the feed lacks its record.
        try sync(users(2..<20), "--where", "country == \"nl\"", "--max-delete", "100%").expect(
            0, text: "deleted: users 2")
        #expect(try ids() == Array(2..<20) + [101])
    }

    @Test("Without the key of a record that is left out a sync deletes nothing")
    func unknownKey() throws {
        try sync(users(0..<20)).expect(0)
        let text = users(1..<20) + "{\"country\":\"de\"}\n"
        try sync(text, "--where", "country == \"nl\"", "--on-error", "skip").expect(
            3, text: "20 read = 9 unchanged + 10 skipped + 1 rejected")
        #expect(try ids() == Array(0..<20))
        try sync(text, "--where", "country == \"nl\"").expect(1, error: "id")
        // An import needs no key of it.
        let file = try world.write(text, "again.ndjson")
        try world.load(file, "--table", "users", "--key", "id", "--where", "country == \"nl\"").expect(0)
    }

    @Test("With nested objects a sync refuses a filter, and an import makes tables of the records that it takes")
    func nested() throws {
        let text = """
            {"id":1,"owner":{"id":1,"name":"a"}}
            {"id":2,"pets":[{"id":5}]}

            """
        try sync(text, "--relations", "--where", "id == 1").expect(
            1, error: "import without --where, and limit the deletions by --scope FILTER")
        let file = try world.write(text, "users.ndjson")
        try world.load(file, "--relations", "--where", "id == 1").expect(0, without: "pets")
        #expect(try world.rows("owner").count == 1)
        #expect(try !world.rows("users")[0].keys.contains("pets"))
    }

    @Test("A resumed import applies its filter, and another filter is another import")
    func resuming() throws {
        let file = try world.write(users(0..<10) + "{\"id\":\n" + users(10..<20), "users.ndjson")
        let words = ["--key", "id", "--batch-size", "2", "--first-load", "groups"]
        try Tool.tributary.run(["import", world.database, file, "--where", "country == \"nl\""] + words)
            .expect(1)
        try Tool.tributary.run(
            ["import", world.database, file, "--where", "country == \"nl\"", "--on-error", "skip"] + words
        ).expect(3, text: "21 read = 10 inserted + 10 skipped + 1 rejected", "resumed after record 10")
        try Tool.tributary.run(
            ["import", world.database, file, "--where", "country == \"de\"", "--on-error", "skip"] + words
        ).expect(3, text: "21 read = 10 inserted + 10 skipped + 1 rejected", "run 2")
        #expect(try ids() == Array(0..<20))
    }

    @Test("A retry applies the filter of the run that has rejected a record")
    func retrying() throws {
        let file = try world.write(
            users([0]) + "{\"id\":1,\"country\" \"de\"}\n{\"id\":2,\"country\" \"nl\"}\n", "users.ndjson")
        let rejects = world.folder.path("rejects.ndjson")
        try world.load(file, "--key", "id", "--where", "country == \"nl\"", "--rejects", rejects).expect(3)
        let fixed = String(decoding: try world.folder.read("rejects.ndjson"), as: UTF8.self)
            .replacing("\\\"country\\\" ", with: "\\\"country\\\": ")
        _ = try world.write(fixed, "rejects.ndjson")
        try Tool.tributary.run(["retry", world.database, rejects]).expect(0)
        #expect(try ids() == [0, 2])
    }

    @Test("A model, a table of another program and a dry run take the records of the filter")
    func targets() throws {
        let file = try world.write(#"[{"id":1,"address":{"city":"Graz"}},{"id":2,"address":{"city":"Linz"}}]"#)
        let filter = "address.city == \"Graz\""
        try world.load(file, "--model", try world.model(), "--where", filter, "--dry-run").expect(2)
        try world.load(file, "--model", try world.model(), "--where", filter).expect(0)
        #expect(try world.rows("User").count == 1)
        try Connection(.file(world.folder.path("other.sqlite"))).execute("CREATE TABLE users (id INTEGER PRIMARY KEY)")
        try Tool.tributary.run(
            [
                "import", world.folder.path("other.sqlite"), file, "--columns", "id", "--where", filter,
                "--staged", "--expect-min", "1",
            ]
        ).expect(0)
        let others = try Connection(.file(world.folder.path("other.sqlite")))
        #expect(try others.rows(of: "SELECT id FROM users") == [[1]])
        try world.load(file, "--model", try world.model(), "--where", "id == 2", "--truncate").expect(0)
        #expect(try world.values("city", of: "User") == [.text("Linz")])
    }
}
