import Foundation
import Testing
import TributaryPostgres
import TributaryTestSupport

/// `import`, `status`, `rejects`, `retry` and `forget` with a server of PostgreSQL.
@Suite struct PostgresCommandTests {
    private let world: ImportWorld
    /// The address of a schema of its own.
    private let address: String
    private let connection: PostgresConnection

    init() throws {
        world = try ImportWorld()
        address = try PostgresServer.shared().newSchemaText()
        connection = try PostgresConnection(PostgresAddress(address), role: "tests")
    }

    private var rejects: String { world.folder.path("bad.ndjson") }

    private func run(_ words: String...) throws -> Tool.Outcome { try Tool.tributary.run(words) }

    /// Runs `tributary import postgres://… WORDS`.
    private func load(_ words: String...) throws -> Tool.Outcome {
        try Tool.tributary.run(["import", address] + words)
    }

    private func rows(_ sql: PostgresSQL) throws -> [String] {
        let rows = try connection.execute(sql)
        return (0..<rows.rowCount).map { row in
            (0..<rows.columnCount).map { rows.text(row, $0) ?? "null" }.joined(separator: "|")
        }
    }

    private func edit(_ old: String, _ new: String) throws {
        let text = try String(contentsOfFile: rejects, encoding: .utf8)
        #expect(text.contains(old))
        _ = try world.folder.write(text.replacing(old, with: new).utf8, to: "bad.ndjson")
    }

    @Test("Records that a filter leaves out are skipped, and make no columns, alone and with other processes")
    func filter() throws {
        let text = (0..<400).map { "{\"id\":\($0),\"x\($0 % 2)\":\"a\"}\n" }.joined()
        let path = try world.write(text, "users.ndjson")
        let words = ["--key", "id", "--where", "x0 == \"a\" AND id < 300"]
        try Tool.tributary.run(["import", address, path] + words).expect(
            0, text: "400 read = 150 inserted + 250 skipped")
        try Tool.tributary.run(["import", address, path, "--table", "shared", "--join"] + words).expect(
            0, text: "400 read = 150 inserted + 250 skipped")
        let columns = try rows(
            """
            SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()
            AND table_name IN ('users', 'shared') ORDER BY 1, 2
            """)
        #expect(columns == ["shared|id", "shared|x0", "users|id", "users|x0"])
        #expect(try rows("SELECT count(*)::text FROM users") == ["150"])
    }

    @Test("A dump becomes a table, and the same command again changes nothing")
    func twice() throws {
        let path = try world.write(#"[{"id":1,"name":"Ada","tags":["a"]},{"id":2,"name":null},{"id":1,"name":"Eve"}]"#)
        try load(path, "--key", "id", "--connections", "2").expect(
            0, prefix: "3 read = 2 inserted + 1 updated\nrun 1: ")
        #expect(try rows("SELECT id, name, tags FROM users ORDER BY id") == [#"1|Eve|["a"]"#, "2|null|null"])
        try load(path, "--key", "id").expect(0, prefix: "already imported by run 1")
        let forced = try load(path, "--again", "--json")
        #expect(try world.books(forced)["unchanged"] == 1 && world.books(forced)["updated"] == 2, "\(forced.error)")
        let status = try run("status", address)
        #expect(status.lines.count == 4 && status.text.contains("users.json into users  finished"), "\(status.error)")
        let lines = try run("status", address, "--json").lines
        #expect(lines.count == 2 && lines[0].contains(#""workers":[]"#))
        try run("status", address, "--unfinished").expect(output: "nothing is unfinished\n")
    }

    @Test("A reject of which only the first bytes are kept is not offered to retry")
    func truncatedReject() throws {
        let long = String(repeating: "x", count: 70_000)
        let path = try world.write("{\"n\":x,\"t\":\"\(long)\"}\n", "long.ndjson")
        try load(path, "--on-error", "quarantine").expect(
            3, error: "1 record rejected, of which only the first 64 KiB are kept; fix the source", without: "and kept")
    }

    @Test("A mode that needs a key is refused for records without one, also in a retry, before anything is read")
    func modeWithoutKey() throws {
        try connection.execute("CREATE TABLE other (n bigint)")
        let bad = try world.write("{\"n\":1}\n{\"n\":x}\n", "other.ndjson")
        for mode in ["update", "ignore", "replace"] {
            try load(bad, "--mode", mode).expect(1, error: "the mode \(mode) needs a key")
        }
        for table in ["other", "plain"] {
            try load(bad, "--table", table, "--on-error", "quarantine").expect(3, error: "1 record rejected and kept")
        }
        try run("rejects", address, "-o", rejects).expect(0)
        try edit("\\\"n\\\":x", "\\\"n\\\":2")
        for mode in ["update", "ignore", "replace"] {
            try run("retry", address, rejects, "--mode", mode).expect(
                1, error: "the mode \(mode) needs a key")
        }
        try run("retry", address, rejects, "--remote-key", "n").expect(
            1, error: "the key is not; name the key")
        #expect(try rows("SELECT n FROM other") == ["1"] && rows("SELECT n FROM plain") == ["1"])
        try run("retry", address, rejects).expect(0, prefix: "2 read = 2 inserted")
    }

    @Test("A row is replaced whose column has the name of an object with columns of its own")
    func replacingFlattened() throws {
        let first = try world.write(#"{"id":1,"home":"Graz","n":1}"#, "1.ndjson")
        try load(first, "--table", "users", "--key", "id", "--flatten", "--types", "home=text").expect(0)
        let second = try world.write(#"{"id":1,"home":{"city":"Linz"}}"#, "2.ndjson")
        try load(second, "--table", "users", "--key", "id", "--flatten", "--mode", "replace").expect(0)
        #expect(try rows("SELECT id, home, home_city, n FROM users") == ["1|null|Linz|null"])
    }

    @Test("Processes that share an import report the same counts")
    func joining() async throws {
        let records = (0..<3000).map { "{\"id\":\($0 % 2000),\"name\":\"n\($0)\"}" }.joined(separator: ",")
        let path = try world.write("[\(records)]")
        let words = ["import", address, path, "--key", "id", "--join", "--json"]
        async let one = Tool.tributary.run(words)
        async let other = Tool.tributary.run(words)
        for outcome in try await [one, other] {
            #expect(outcome.code == 0, "\(outcome.error)")
            let books = try world.books(outcome)
            #expect(books["inserted"] == 2000 && books["updated"] == 1000, "\(outcome.text)")
        }
        #expect(
            try rows("SELECT count(*), count(*) FILTER (WHERE name = 'n' || id + 2000) FROM users") == ["2000|1000"])
        #expect(try rows("SELECT count(*) FROM _run") == ["1"])
    }

    @Test("Rejects are written, edited and retried once")
    func editing() throws {
        let path = try world.write("{\"id\":1}\n{\"id\":x}\n{\"n\":3}\n", "e.ndjson")
        try load(path, "--key", "id", "--rejects", rejects).expect(
            3, error: "fix them, then run: tributary retry '\(address)' \(rejects)")
        let lines = try run("rejects", address)
        #expect(lines.code == 0 && lines.lines.count == 2, "\(lines.error)")
        #expect(try world.folder.read("bad.ndjson") == Array(lines.output))
        try run("status", address).expect(text: "2 of them kept")
        try edit("{\\\"id\\\":x}", "{\\\"id\\\":2}")
        try run("rejects", address, "--run", "1", "--output", rejects).expect(1, error: "retry edited rejects")
        let outcome = try run("retry", address, rejects, "--json").expect(3)
        #expect(try world.books(outcome)["inserted"] == 1 && world.books(outcome)["rejected"] == 1)
        #expect(try rows("SELECT id FROM e ORDER BY id") == ["1", "2"])
        try edit("{\\\"n\\\":3}", "{\\\"id\\\":3,\\\"n\\\":3}")
        let last = try run("retry", address, rejects).expect(0)
        #expect(
            last.text == """
                1 read = 1 inserted
                1 not in this database: imported since, forgotten, or rejected by another one

                """)
        #expect(try rows("SELECT id, n FROM e ORDER BY id") == ["1|null", "2|null", "3|3"])
        #expect(try run("rejects", address).text.isEmpty)
        try run("retry", address).expect(output: "0 read\n")
    }

    @Test("A retry of an import with a model needs the model, and a refused row keeps its reject")
    func retryByModel() throws {
        let path = try world.write(#"[{"id":1},{"id":"x","name":"Ada"},{"id":3,"name":"a\u0000b"}]"#)
        try load(path, "--model", world.model(), "--rejects", rejects).expect(
            3, error: " --model ", prefix: "3 read = 1 inserted + 2 rejected")
        try edit(#"{\"id\":\"x\""#, #"{\"id\":2"#)
        try run("retry", address, rejects).expect(1, error: "run 1 imported User by a model")
        try run("retry", address, rejects, "--model", world.model()).expect(
            3, output: "2 read = 1 inserted + 1 rejected\n")
        #expect(try rows(#"SELECT id, name FROM "User" ORDER BY id"#) == ["1|null", "2|Ada"])
        try run("rejects", address).expect(text: "U+0000")
    }

    @Test("Rejects of several runs are retried at once, each into its table")
    func severalRuns() throws {
        for name in ["one", "two", "three"] {
            let path = try world.write("{\"id\":1}\n{\"n\":2}\n", "\(name).ndjson")
            try load(path, "--key", "id", "--on-error", "quarantine").expect(3)
        }
        try connection.execute(#"UPDATE _reject SET raw = '{"id":2,"n":2}', length = 14"#)
        try run("retry", address).expect(0, output: "3 read = 3 inserted\n")
        for name in ["one", "two", "three"] as [PostgresSQL] {
            #expect(try rows("SELECT id, n FROM \(name) ORDER BY id") == ["1|null", "2|2"])
        }
    }

    @Test("A key that PostgreSQL cannot hold stays as it is among the rejects, and is rejected again")
    func zeroInKey() throws {
        let path = try world.write(#"{"a\u0000b␀":{"v":1},"c␀d":{"v":2},"e␀f":{"v":"\u0000"}}"#, "keys.json")
        try load(path, "--at", "{}", "--key-as", "id", "--key", "id", "--rejects", rejects).expect(
            3, prefix: "3 read = 1 inserted + 2 rejected")
        let lines = try run("rejects", address).lines
        #expect(lines.count == 2 && lines[0].contains(#""key":"a\u0000b␀""#) && lines[1].contains(#""key":"e␀f""#))
        try run("retry", address).expect(3, output: "2 read = 2 rejected\n")
        #expect(try rows("SELECT id FROM keys") == ["c␀d"])
        #expect(try run("rejects", address).lines.map { $0.contains("U+0000") } == [true, true])
    }

    @Test("It tells which columns have other names than their members")
    func renamedColumns() throws {
        let path = try world.write(#"[{"id":1,"ID":2,"":3,"\#(String(repeating: "x", count: 70))":4}]"#, "odd.json")
        let outcome = try load(path, "--key", "id").expect(0, error: "columns with other names than their members: ")
        let names = try rows("SELECT attname FROM pg_attribute WHERE attrelid = 'odd'::regclass AND attnum > 0")
        for name in names.dropFirst(2) { #expect(outcome.error.contains(name), "\(name): \(outcome.error)") }
    }

    @Test("A table of another program is used by its key and types, and refuses what it has no column for")
    func existingTable() throws {
        try connection.execute("CREATE TABLE shop (sku varchar(3) PRIMARY KEY, price numeric(6, 2) CHECK (price > 0))")
        let path = try world.write(#"[{"sku":"a","price":5.25},{"sku":"b","price":-1},{"sku":"long","price":1}]"#)
        try load(path, "--table", "shop", "--rejects", rejects).expect(3, prefix: "3 read = 1 inserted + 2 rejected")
        try edit(#"\"price\":-1"#, #"\"price\":1"#)
        try edit("long", "c")
        try run("retry", address, rejects).expect(0, output: "2 read = 2 inserted\n")
        #expect(try rows("SELECT sku, price FROM shop ORDER BY sku") == ["a|5.25", "b|1.00", "c|1.00"])
        let wider = try world.write(#"[{"sku":"a","price":6,"name":"Apple"}]"#, "wider.json")
        try load(wider, "--table", "shop").expect(
            1,
            error: "the table shop has no column for name; add them with --add-columns, or choose others with --columns"
        )
        try load(wider, "--table", "shop", "--add-columns").expect(0)
        #expect(try rows("SELECT name, price FROM shop WHERE sku = 'a'") == ["Apple|6.00"])
    }

    @Test("A run on which a process works is not forgotten; after it is, its table has the index of its key")
    func forgetting() throws {
        let path = try world.write("{\"id\":1}\n{\"id\":x}\n", "e.ndjson")
        let model = try world.model()
        try load(path, "--key", "id").expect(1, error: "to continue and keep such records as rejects, run: ")
        try load(path, "--model", model).expect(1, error: "to continue and keep such records as rejects, run: ")
        let indexes: PostgresSQL =
            #"SELECT count(*) FROM pg_index WHERE indrelid = '"User"'::regclass AND indisprimary"#
        #expect(try rows(indexes) == ["0"])
        // The process of this connection has the range.
        try connection.execute(
            """
            UPDATE _range SET owner = 'another host, process 7', lease = now() + interval '1 hour',
            backend = pg_backend_pid(),
            backend_start = (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())
            """)
        try run("forget", address, "--run", "1").expect(1, error: "run 1 is in progress (another host, process 7)")
        try load(path, "--model", model, "--on-error", "skip").expect(1, error: "this import is already running")
        try connection.execute("UPDATE _range SET owner = NULL, lease = NULL")
        try run("forget", address, "--run", "1").expect(0, output: "run 1 forgotten\n")
        #expect(try rows(indexes) == ["1"])
        try run("forget", address, "--run", "1").expect(1, error: "the journal has no run 1")
        try load(path, "--model", model, "--on-error", "skip").expect(prefix: "2 read = 1 unchanged + 1 rejected")
        try run("forget", address, "--entity", "User").expect(output: "1 run forgotten\n")
    }

    @Test("A schema without imports, a pipe without columns and a wrong database each have a message")
    func messages() throws {
        try run("status", address).expect(1, error: "nothing was imported into the database")
        try Tool.tributary.run(
            ["import", address, "-", "--table", "t"], input: Data("{\"id\":1}\n".utf8)
        ).expect(1, error: "save it to a file first")
        let other = try PostgresServer.shared().text(database: "missing")
        try Tool.tributary.run(["import", other, world.write("[{}]"), "--json"]).expect(
            1, text: #""code":"postgres.database""#)
    }
}
