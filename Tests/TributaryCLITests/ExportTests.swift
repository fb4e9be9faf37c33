import Foundation
import Testing
import TributaryModel
import TributarySQLite
import TributaryStore
import TributaryTestSupport

/// `tributary export`: its files, and the databases that imports make of them.
@Suite struct ExportTests {
    private let exported: ExportWorld
    private var world: ImportWorld { exported.world }

    init() throws { exported = try ExportWorld() }

    @Test("Inferred tables with relations come back equal, with their links, orders and values")
    func inferred() throws {
        let path = try world.write(
            #"""
            [{"id":1,"Name":"A","name":"x","f":1.0,"tags":["a"],"s":"[1, 2]","j":"[1,2]","big":123456789012345678901234567890,
              "a.b":5,"author":{"id":"{\"a\":1}","n":"é"},"books":[{"id":2,"t":"z"},{"id":1,"t":"y"}],"notes":[{"x":1},{"x":2}]},
             {"id":2,"Name":"B","f":0.1,"author":{"id":"7"},"books":[{"id":2}],"notes":[{"x":5},{"x":4}],"_pk":4}]
            """#, "recs.json")
        try world.load(path, "--relations=all").expect(0)
        let other = try exported.roundTrip()
        try exported.expectEqual(
            other,
            [
                """
                SELECT r.id, r.Name, r._rest, r.f, r.tags, r.s, r.j, r.big, r."a.b", a.id FROM recs AS r
                LEFT JOIN author AS a ON a._pk = r.author ORDER BY r.id
                """,
                "SELECT id, n FROM author ORDER BY id", "SELECT id, t FROM books ORDER BY id",
                """
                SELECT r.id, rank() OVER (PARTITION BY n.recs ORDER BY n."_order.recs.notes"), n.x FROM notes AS n
                JOIN recs AS r ON r._pk = n.recs ORDER BY 1, 2
                """,
                """
                SELECT r.id, rank() OVER (PARTITION BY j._target ORDER BY j._sourceOrder), b.id FROM "_books.recs" AS j
                JOIN recs AS r ON r._pk = j._target JOIN books AS b ON b._pk = j._source ORDER BY 1, 2
                """,
            ])
        let text = try exported.text("out/recs.ndjson")
        #expect(text.contains(#""s":"[1, 2]","j":[1,2]"#) && text.contains(#""books":[2,1]"#), "\(text)")
        #expect(text.contains(#""name":"x""#) && text.contains(#""author":"{\"a\":1}""#), "\(text)")
    }

    @Test("A member without a column that has the name of a link leaves the link its own member")
    func sameNames() throws {
        let path = try world.write(#"[{"id":1,"Name":"A","name":"x","author":{"id":7}}]"#, "recs.json")
        try world.load(path, "--relations").expect(0)
        try Connection(.file(world.database)).execute("UPDATE recs SET _rest = '{\"author\":5,\"name\":\"x\"}'")
        let other = try exported.roundTrip()
        let text = try exported.text("out/recs.ndjson")
        #expect(text.contains(#""author":5,"name":"x""#) && text.contains(#""author_2":7"#), "\(text)")
        try exported.expectEqual(
            other, ["SELECT r.id, r.Name, r._rest, a.id FROM recs AS r JOIN author AS a ON a._pk = r.author"])
    }

    @Test("Random records of an inferred table come back as the records and the rows that they were", arguments: 0..<6)
    func randomRecords(_ number: Int) throws {
        var lots = SeededGenerator.sampled(16_000, case: UInt64(number))
        let values =
            [
                "null", "0", "-7", "9223372036854775807", "0.1", "1e300", "\"\"", "\"é\\u0000\\n\\\"\"",
                "\"{\\\"a\\\": 1}\"", "[]",
                "[1,[2,{\"a\":null}]]", "{\"b\":\"[\"}", "\"007\"", "\"2001-05-01\"",
            ] + ExportDraw.looksLikeJSON
        let lines = (0..<50).map { id in
            let members = ["a", "b.c", "Größe", "select", "_rest", "A"].filter { _ in !lots.once(in: 3) }
            return "{\"id\":\(id)" + members.map { ",\"\($0)\":\(lots.pick(values))" }.joined() + "}"
        }
        let seed = lots.seed
        try world.load(try world.write(lines.joined(separator: "\n"), "users.ndjson"), "--key", "id").expect(0)
        let other = try exported.roundTrip()
        try exported.expectEqual(
            other, ["SELECT * FROM pragma_table_info('users')", "SELECT id FROM users ORDER BY id"], "seed \(seed)")
        func rows(_ path: String) throws -> [[String: SQLValue]] {
            try world.rows("users", in: path).map { $0.filter { $0.key != "_pk" } }
                .sorted { "\($0["id"] ?? .null)" < "\($1["id"] ?? .null)" }
        }
        #expect(try rows(other) == rows(world.database), "seed \(seed)")
        // Foundation reads the same values from the export as from the dump.
        func objects(_ text: String) throws -> [NSDictionary] {
            try text.split(separator: "\n").map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return try #require(object).filter { !($0.value is NSNull) } as NSDictionary
            }
        }
        #expect(
            try objects(exported.text("out/users.ndjson")) == objects(lines.joined(separator: "\n")), "seed \(seed)")
    }

    @Test("Text that looks like JSON comes back byte for byte, also beyond the limits of a reader")
    func looksLikeJSON() throws {
        func quoted(_ text: String) throws -> String { String(decoding: try JSONEncoder().encode(text), as: UTF8.self) }
        let texts =
            [
                #"{"m":"caf\u00e9 \/ x"}"#, #"["\ud800"]"#, #"["\u0000\u001f\u001F\b\u0008"]"#, "{\"a\":1,\"a\":2}",
                "[\(String(repeating: "9", count: 1100))]", "{\"\(String(repeating: "k", count: 70_000))\":1}",
            ] + [100, 440, 500, 512].map { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        let lines = try texts.enumerated().map { "{\"id\":\($0.offset),\"s\":\(try quoted($0.element))}" }
        let objects = [#"["\u0000\u001f\n\"\\é"]"#, "{\"k\":[1.0,-0,1E5]}"]
        let records = lines + objects.enumerated().map { "{\"id\":\($0.offset + 100),\"s\":\($0.element)}" }
        try world.load(try world.write(records.joined(separator: "\n"), "users.ndjson"), "--key", "id").expect(0)
        let other = try exported.roundTrip()
        try exported.expectEqual(other, ["SELECT id, typeof(s), hex(s) FROM users ORDER BY id"])
        // Arrays and objects stay what they were.
        let text = try exported.text("out/users.ndjson")
        for object in objects { #expect(text.contains("\"s\":\(object)}"), "\(object)") }
        #expect(text.contains(#""s":"[\"\\ud800\"]""#))
    }

    @Test("Columns of other programs, and numbers of rows in their tables, are told")
    func otherPrograms() throws {
        try world.load(try world.write("[{\"id\":1}]", "u.json"), "--key", "id").expect(0)
        let connection = try Connection(.file(world.database))
        for statement in [
            "ALTER TABLE u ADD COLUMN \"the extra\" TEXT", "CREATE TABLE notes (n, owner REFERENCES u)",
            "CREATE TABLE marks (owner REFERENCES u (id))",
        ] { try connection.execute(SQLFragment(trusted: statement)) }
        let outcome = try exported.export("u", "notes", "marks", "--to", "out").expect(
            0, error: "left out: u.the extra, a column that another program has added")
        #expect(outcome.error.contains("notes refers to rows of u by their _pk"), "\(outcome.error)")
        #expect(!outcome.error.contains("marks refers"), "\(outcome.error)")
    }

    @Test("Long names of tables, and outputs that cannot be written, are no surprise")
    func names() throws {
        let long = String(repeating: "é", count: 122)
        let connection = try Connection(.file(world.database))
        for name in [long, long + "x"] {
            try connection.execute("CREATE TABLE \(identifier: name) (a)")
            try connection.execute("INSERT INTO \(identifier: name) VALUES (\(name))")
        }
        let other = try exported.roundTrip()
        #expect(try Connection(.file(other)).integer(of: "SELECT COUNT(*) FROM \(identifier: long)") == 1)
        try exported.export("--to", "app.sqlite-wal").expect(64, error: "is a part of the database")
        #expect(!FileManager.default.fileExists(atPath: world.database + "-wal"))
        try Tool.shell("mkfifo pipe; timeout 60 tributary export app.sqlite \(long) --to pipe", in: world.folder.url)
            .expect(1, error: "pipe is a named pipe")
        try Tool.shell("tributary export app.sqlite \(long) --to >(cat > a.txt) && wait $!", in: world.folder.url)
            .expect(0)
    }

    @Test("A library of a model comes back with all kinds of relationships", arguments: 0..<4)
    func library(_ number: Int) throws {
        var lots = SeededGenerator.sampled(16_100, case: UInt64(number))
        let feed = LibraryFeed(agreeing: &lots)
        let model = try world.write(ModelFile.write(ModelDescription(LibraryModel.entities)), "library.xml")
        for file in feed.files {
            let path = try world.write(file.text, "\(file.entity).json")
            try world.load(path, "--model", model, "--entity", file.entity, "-q").expect(0)
        }
        let pair = try world.write(#"[{"isbn":"b0","similar":["x1","b0"]},{"isbn":"x1"}]"#, "pair.json")
        try world.load(pair, "--entity", "Book", "-q").expect(0)
        let other = try exported.roundTrip()
        try exported.expectEqual(
            other,
            [
                "SELECT a.id, a.name, m.id FROM Author AS a LEFT JOIN Author AS m ON m._pk = a.mentor ORDER BY 1",
                """
                SELECT b.isbn, b.title, a.id, p.code, s.isbn, r.isbn FROM Book AS b LEFT JOIN Author AS a ON
                a._pk = b.author LEFT JOIN Publisher AS p ON p._pk = b.publisher LEFT JOIN Book AS s ON s._pk = b.sequel
                LEFT JOIN Book AS r ON r._pk = b.prequel ORDER BY 1
                """,
                "SELECT name, color FROM Tag ORDER BY 1", "SELECT code, city FROM Publisher ORDER BY 1",
                """
                SELECT b.isbn, rank() OVER (PARTITION BY r.book ORDER BY r."_order.Book.reviews"), r.stars, r.text
                FROM Review AS r JOIN Book AS b ON b._pk = r.book ORDER BY 1, 2
                """,
                """
                SELECT b.isbn, rank() OVER (PARTITION BY j._source ORDER BY j._targetOrder), t.name FROM "_Book.tags" AS j
                JOIN Book AS b ON b._pk = j._source JOIN Tag AS t ON t._pk = j._target ORDER BY 1, 2
                """,
                """
                SELECT min(a.isbn, b.isbn), max(a.isbn, b.isbn) FROM "_Book.similar" AS j JOIN Book AS a ON
                a._pk = j._source JOIN Book AS b ON b._pk = j._target ORDER BY 1, 2
                """,
            ], "seed \(lots.seed)")
    }
}
