import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary export`: values of a model, targets, refusals, and databases of other programs.
@Suite struct ExportCommandTests {
    private let exported: ExportWorld
    private var world: ImportWorld { exported.world }

    init() throws { exported = try ExportWorld() }

    private func make(_ statements: String...) throws {
        let connection = try Connection(.file(world.database))
        for statement in statements { try connection.execute(SQLFragment(trusted: statement)) }
    }

    /// A model whose entities are given as XML.
    private func model(_ entities: String) throws -> String {
        try world.write(
            "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\(entities)</model>",
            "model.xml")
    }

    private func key(_ name: String) -> String {
        "<uniquenessConstraints><uniquenessConstraint><constraint value=\"\(name)\"/></uniquenessConstraint></uniquenessConstraints>"
    }

    /// An abstract entity with two that inherit from it, and documents that one of them owns, in an order.
    private func parties() throws -> String {
        try model(
            """
            <entity name="Party" isAbstract="YES"><attribute name="pid" attributeType="Integer 64"/>
              <relationship name="docs" optional="YES" toMany="YES" ordered="YES" destinationEntity="Doc" inverseName="owner"
                inverseEntity="Doc"/>\(key("pid"))</entity>
            <entity name="Person" parentEntity="Party"><attribute name="born" optional="YES" attributeType="Date"/>
              <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person"/></entity>
            <entity name="Firm" parentEntity="Party"><attribute name="name" optional="YES" attributeType="String"/></entity>
            <entity name="Doc"><attribute name="d" attributeType="UUID"/>
              <attribute name="price" optional="YES" attributeType="Decimal"/>
              <attribute name="raw" optional="YES" attributeType="Binary"/>
              <attribute name="js" optional="YES" attributeType="Transformable" valueTransformerName="JSON"/>
              <attribute name="ok" optional="YES" attributeType="Boolean"/>
              <attribute name="fl" optional="YES" attributeType="Float"/>
              <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Party" inverseName="docs"
                inverseEntity="Party"/>
              <relationship name="tags" optional="YES" toMany="YES" ordered="YES" destinationEntity="Tag"
                inverseName="docs" inverseEntity="Tag"/>\(key("d"))</entity>
            <entity name="Tag"><attribute name="t" attributeType="String"/>
              <relationship name="docs" optional="YES" toMany="YES" ordered="YES" destinationEntity="Doc"
                inverseName="tags" inverseEntity="Doc"/>\(key("t"))</entity>
            """)
    }

    @Test("Values of each type, subentities and lists that are ordered on both sides come back equal")
    func typed() throws {
        let (model, id) = (try parties(), "00000000-0000-0000-0000-00000000000")
        let files = [
            ("Doc", #"{"d":"\#(id)A","price":12345678901234567890.5,"raw":"AP8=","js":{"a":[1]},"ok":true,"fl":0.1}"#),
            ("Doc", #"{"d":"\#(id)B","ok":false,"tags":["b","a"]}"#),
            ("Tag", #"{"t":"a","docs":["\#(id)B","\#(id)A"]}"#),
            ("Person", #"{"pid":1,"born":"2001-05-01T00:00:00.123Z","docs":["\#(id)B","\#(id)A"],"boss":2}"#),
            ("Person", #"{"pid":2,"boss":1}"#), ("Firm", #"{"pid":3,"name":"f"}"#),
            ("Tag", #"{"t":"b","docs":["\#(id)B"]}"#),
        ]
        for (number, (entity, text)) in files.enumerated() {
            let path = try world.write(text, "\(number).ndjson")
            try world.load(path, "--model", model, "--entity", entity, "--format", "ndjson", "-q").expect(0)
        }
        let other = try exported.roundTrip()
        try exported.expectEqual(
            other,
            [
                """
                SELECT p.pid, p._entity, p.born, p.name, b.pid FROM Party AS p LEFT JOIN Party AS b ON b._pk = p.boss
                ORDER BY 1
                """,
                """
                SELECT d.d, d.price, d.raw, d.js, d.ok, d.fl, p.pid,
                rank() OVER (PARTITION BY d.owner ORDER BY d."_order.Party.docs") FROM Doc AS d
                LEFT JOIN Party AS p ON p._pk = d.owner ORDER BY 1
                """,
                """
                SELECT d.d, t.t, rank() OVER (PARTITION BY j._source ORDER BY j._targetOrder),
                rank() OVER (PARTITION BY j._target ORDER BY j._sourceOrder) FROM "_Doc.tags" AS j
                JOIN Doc AS d ON d._pk = j._source JOIN Tag AS t ON t._pk = j._target ORDER BY 1, 2
                """,
            ])
        #expect(try exported.text("out/Person.ndjson").contains(#""born":"2001-05-01T00:00:00.123Z""#))
        let doc =
            #"{"d":"\#(id)A","price":12345678901234567890.5,"raw":"AP8=","js":{"a":[1]},"ok":true,"fl":0.1,"tags":["a"]}"#
        #expect(try exported.text("out/Doc.ndjson").split(separator: "\n").first.map(String.init) == doc)
        #expect(!FileManager.default.fileExists(atPath: world.folder.path("out/Party.ndjson")))
    }

    @Test("One entity is written to standard output or to a file, which its name compresses")
    func targets() throws {
        let path = try world.write("[{\"id\":1,\"a\":\"x\"},{\"id\":2}]")
        try world.load(path, "--key", "id").expect(0)
        let lines = "{\"id\":1,\"a\":\"x\"}\n{\"id\":2,\"a\":null}\n"
        try exported.export("users", "--to", "-").expect(0, output: lines)
        try exported.export("USERS", "--to=-", "--quiet").expect(0, output: lines)
        try exported.export("--to", "u.ndjson", "-q").expect(0, output: "")
        #expect(try exported.text("u.ndjson") == lines)
        for name in ["u.ndjson.gz", "u.json.zst"] {
            try exported.export("--to", name).expect(0, error: "2 rows in \(name)", output: "")
            try Tool.tributary.run(["records", "-q", world.folder.path(name)]).expect(0, output: lines)
            #expect(try world.folder.read(name).count != lines.utf8.count)
        }
        try exported.export("--to", "some/dir/").expect(
            0, error: "2 rows in 1 file in some/dir",
            output: """
                set -e
                tributary import dir.sqlite some/dir/users.ndjson --format ndjson --model some/dir/model.xml \
                --map some/dir/map.json --entity=users

                """)
        try exported.export("--to", "app.sqlite").expect(64, error: "is a part of the database")
        try exported.export("--to", "/nowhere/u.json").expect(1, error: "cannot write /nowhere/u.json: No such file")
        #expect(try exported.text("u.ndjson") == lines)
    }

    @Test("Many rows are compressed as one stream")
    func manyRows() throws {
        try make("CREATE TABLE t (i, s)")
        try make(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) INSERT INTO t
            SELECT i, hex(randomblob(20)) FROM n
            """)
        let plain = try exported.export("--to", "-").expect(0).output
        #expect(plain.count > 3_000_000)
        for name in ["t.ndjson.gz", "t.ndjson.zst"] {
            try exported.export("--to", name).expect(0)
            #expect(try world.folder.read(name).count < plain.count)
            #expect(try Tool.tributary.run(["records", "-q", world.folder.path(name)]).expect(0).output == plain)
        }
    }

    @Test("Of a database of another program there are rows, without model and mapping")
    func otherPrograms() throws {
        try make(
            "CREATE TABLE users (id INTEGER PRIMARY KEY, photo BLOB, x)", "CREATE TABLE \"a.b/c\" (d)",
            "CREATE TABLE e (f)",
            "CREATE VIEW v AS SELECT id FROM users", "INSERT INTO users VALUES (1, x'00ff', '[1]')",
            "INSERT INTO \"a.b/c\" VALUES (2.5)")
        let outcome = try exported.export("--to", "out").expect(0)
        #expect(
            outcome.commands == [
                "tributary import out.sqlite out/users.ndjson --format ndjson --extended-json never --table=users",
                "tributary import out.sqlite out/a.b_c.ndjson --format ndjson --extended-json never --table=a.b/c",
            ])
        #expect(try exported.text("out/users.ndjson") == "{\"id\":1,\"photo\":\"AP8=\",\"x\":\"[1]\"}\n")
        #expect(try exported.text("out/a.b_c.ndjson") == "{\"d\":2.5}\n")
        #expect(try exported.text("out/e.ndjson").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: world.folder.path("out/model.xml")))
        try exported.export("v", "--to", "-").expect(0, output: "{\"id\":1}\n")
        try exported.export("v", "e", "--to", "-").expect(
            64, error: "A file has the rows of one entity; name one of e, v")
        // Tables of this library beside them are exported alone, unless others are named.
        try world.load(try world.write("[{\"k\":1}]", "own.json"), "--key", "k").expect(0)
        let own = try exported.export("--to", "own").expect(
            0, error: "left out, since another program made them: users")
        #expect(own.commands.count == 1 && own.text.contains("--entity=own"))
        try exported.export("--to", "-", "e").expect(0, output: "")
    }

    @Test("What no import would make again is refused, and nothing is left of its file")
    func refusals() throws {
        try exported.export("--to", "-").expect(1, error: "the database does not exist")
        let nested = try world.write(#"[{"id":1,"notes":[{"x":1,"parts":[{"y":2}]}]}]"#, "recs.json")
        try world.load(nested, "--relations=all").expect(0)
        try exported.export("--to", "out").expect(
            1, error: "the links of notes.parts cannot be exported: parts has no uniqueness constraint")
        #expect(!FileManager.default.fileExists(atPath: world.folder.path("out")))
        try exported.export("recs", "--to", "-").expect(0, output: "{\"id\":1}\n")
        try exported.export("rec", "--to", "-").expect(1, error: "there is no table 'rec'. Did you mean 'recs'?")
        try exported.export("recs", "recs", "--to", "-").expect(64, error: "'recs' is named twice")
        try exported.export("recs").expect(64, error: "Name the directory")
        try Tool.tributary.run(["export", "--to", "-"]).expect(64, error: "Name the database")
        try Tool.tributary.run(["export", "postgres://h/d", "--to", "-"]).expect(64, error: "is not for PostgreSQL")
        try make("INSERT INTO recs (_pk) VALUES (9)")
        try exported.export("recs", "--to", "r.json").expect(
            1, error: "recs with the _pk 9: id is a part of the key and has no value")
        let names = try FileManager.default.contentsOfDirectory(atPath: world.folder.url.path)
        #expect(!names.contains { $0.hasPrefix("r.json") })
    }

    @Test("Links to an abstract entity with one subentity are links to that")
    func abstractEntities() throws {
        let model = try model(
            """
            <entity name="Party" isAbstract="YES"><attribute name="pid" attributeType="Integer 64"/>\(key("pid"))</entity>
            <entity name="Person" parentEntity="Party"/>
            <entity name="Doc"><attribute name="n" attributeType="Integer 64"/>
              <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Party"/>\(key("n"))</entity>
            """)
        try world.load(try world.write("[{\"pid\":1}]", "p.json"), "--model", model, "--entity", "Person", "-q").expect(
            0)
        try make("INSERT INTO Doc (_pk, n, owner) VALUES (1, 7, (SELECT _pk FROM Party))")
        let other = try exported.roundTrip()
        try exported.expectEqual(other, ["SELECT n, pid FROM Doc AS d JOIN Party AS p ON p._pk = d.owner"])
    }

    @Test("A signal leaves no part of a file, and a closed pipe ends the export quietly")
    func interruptions() throws {
        try make("CREATE TABLE t (i, s)")
        try make(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) INSERT INTO t
            SELECT i, hex(zeroblob(50)) FROM n
            """)
        let script = """
            tributary export app.sqlite --to out.ndjson & pid=$!
            until ls out.ndjson.*.part >/dev/null 2>&1 || ! kill -0 $pid 2>/dev/null; do :; done
            kill -TERM $pid; wait $pid; echo $?; ls
            """
        let outcome = try Tool.shell(script, in: world.folder.url)
        let isStopped = outcome.lines.first == "143"
        #expect(isStopped || outcome.lines.first == "0", "\(outcome.text)\(outcome.error)")
        #expect(outcome.lines.contains("out.ndjson") != isStopped && !outcome.text.contains(".part"), "\(outcome.text)")
        let closed = try Tool.shell(
            "tributary export app.sqlite --to - | head -n 2; echo ${PIPESTATUS[0]}", in: world.folder.url)
        #expect(
            closed.lines.count == 3 && closed.lines.last == "141" && closed.error.isEmpty,
            "\(closed.text)\(closed.error)")
    }
}
