import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `inspect --write-model` and `import --profile`, run as processes.
@Suite struct InspectModelTests {
    private let world: ImportWorld
    private var folder: URL { URL(filePath: world.folder.path("")) }

    init() throws { world = try ImportWorld() }

    /// Writes a model of a dump, and runs the command that is printed; returns both texts.
    private func importTyped(
        _ text: String, _ name: String, _ options: [String] = [], code: Int32 = 0
    ) throws -> (report: [String], outcome: Tool.Outcome) {
        _ = try world.write(text, name)
        let report = try Tool.tributary.run(["inspect", name, "--write-model", "m.xml"] + options, in: folder).expect(0)
        let line = try #require(report.lines.last)
        #expect(line.contains(" --model m.xml"), "\(line)")
        let words = line.split(separator: " ").dropFirst().map(String.init)
        return (report.lines, try Tool.tributary.run(words, in: folder).expect(code))
    }

    private func rows(_ database: String, _ sql: String) throws -> [String] {
        let connection = try Connection(.file(world.folder.path(database)))
        return try connection.rows(of: SQLFragment(trusted: sql)).map { row in
            row.map { value in
                switch value {
                case .null: "null"
                case .integer(let number): "\(number)"
                case .real(let number): "\(number)"
                case .text(let text): text
                case .blob: "blob"
                }
            }.joined(separator: " ")
        }
    }

    private func model() throws -> [String] {
        try Tool.tributary.run(["model", "m.xml"], in: folder).expect(0).lines.filter { !$0.isEmpty }
    }

    @Test("The model has typed attributes and relationships, and the printed command imports into it")
    func types() throws {
        let users = """
            {"id":1,"name":"Ann","born":"1990-01-02","seen":"2020-01-02T03:04:05Z","score":1.5,"ok":true,"at":1600000000,\
            "ref":"6f1c0e4e-8c1e-4b7e-9f3c-0d2f7a3b1c11","big":12345678901234567890123,"tags":["a"],"none":null,\
            "friends":[{"id":2,"name":"Bob"}],"zip":"01234","ms":1600000000123}
            {"id":2,"name":"Bob","born":"1991-01-02","seen":"2021-01-02T03:04:05.5+02:00","score":2,"ok":false,\
            "at":1600000001,"ref":"6f1c0e4e-8c1e-4b7e-9f3c-0d2f7a3b1c12","big":1.25,"tags":{},"friends":[],"zip":"11234",\
            "ms":1600000000124}

            """
        let (_, outcome) = try importTyped(users, "users.ndjson")
        #expect(outcome.text.contains("2 read = 2 inserted"))
        #expect(
            try model()
                == [
                    "User", "    id       Integer 64", "    name     String", "    born     Date", "    seen     Date",
                    "    score    Double", "    ok       Boolean", "    at       Date", "    ref      UUID",
                    "    big      Decimal", "    tags     JSON", "    none     JSON", "    zip      String",
                    "    ms       JSON", "    friends  to many Friend, ordered, inverse user, on delete nullify",
                    "    unique: id", "Friend", "    id    Integer 64", "    name  String",
                    "    user  to one User, inverse friends, on delete nullify", "    unique: id",
                ].map { $0 == "    ms       JSON" ? "    ms       Integer 64" : $0 })
        #expect(
            try rows("users.sqlite", "SELECT born, seen, ok, at, big, tags FROM User WHERE id = 2") == [
                "662774400.0 1609549445.5 0 1600000001.0 1.25 {}"
            ])
    }

    @Test("--write-map has the mapping, which the import takes beside the plain model")
    func map() throws {
        let text = #"[{"_id":1,"created":1600000000,"a.b":2,"@type":"x"},{"_id":2,"created":1600000009,"a.b":3}]"#
        let (_, outcome) = try importTyped(text, "things.json", ["--write-map", "map.json"])
        #expect(outcome.text.contains("2 read = 2 inserted"))
        #expect(
            try model() == [
                "Thing", "    id       Integer 64", "    created  Date", "    a_b      Integer 64",
                "    type     String",
                "    unique: id",
            ])
        #expect(try !String(contentsOf: folder.appending(path: "m.xml"), encoding: .utf8).contains("userInfo"))
        #expect(
            try rows("things.sqlite", "SELECT id, created, a_b, type FROM Thing ORDER BY id") == [
                "1 1600000000.0 2 x", "2 1600000009.0 3 null",
            ])
        try Tool.tributary.run(["inspect", "things.json", "--write-map", "map.json"], in: folder).expect(
            64, error: "'--write-map' needs '--write-model'")
    }

    @Test("Typed values of MongoDB are attributes with their paths")
    func extendedJSON() throws {
        let text = (1...3).map { number in
            #"{"_id":{"$oid":"65f0c0ffee65f0c0ffee000"# + "\(number)"
                + #""},"when":{"$date":"2024-03-13T08:00:0\#(number)Z"},"n":{"$numberDecimal":"1.5"}}"#
        }
        _ = try importTyped(text.joined(separator: "\n"), "orders.ndjson")
        #expect(
            try model() == [
                "Order", "    id    String", "    when  Date", "    n     String", "    unique: id",
            ])
        #expect(
            try rows("orders.sqlite", "SELECT id, \"when\", n FROM \"Order\" WHERE id LIKE '%1'") == [
                "65f0c0ffee65f0c0ffee0001 1710316801.0 1.5"
            ])
    }

    @Test("Records at several places get an entity each, and others are named")
    func places() throws {
        let library = #"{"authors":[{"id":1,"name":"A"}],"books":[{"isbn":"x","author":1},{"isbn":"y"}]}"#
        let (_, outcome) = try importTyped(library, "library.json")
        #expect(outcome.text.contains("3 read = 3 inserted"), "\(outcome.text)")
        #expect(try model().filter { !$0.hasPrefix(" ") } == ["Author", "Book"])
        let shared = """
            {"users":[{"id":1,"items":[{"id":9}]}],"teams":[{"id":1,"users":[{"id":5,"items":[9,{"id":10}]}]}]}
            """
        _ = try importTyped(shared, "shared.json")
        #expect(try rows("shared.sqlite", "SELECT count(*) FROM \"_Item.users\"") == ["3"])
        let (report, mixed) = try importTyped("[{\"id\":1},7]", "mixed.json", code: 1)
        #expect(report.contains("1 record is no object, and the model holds nothing of it"), "\(report)")
        #expect(mixed.error.contains("record 2"))
    }

    @Test("A key that is a number here and a text there identifies nothing in a model, and no row is lost")
    func mixedKeys() throws {
        let (_, outcome) = try importTyped(#"[{"id":1,"v":1},{"id":"1","v":2},{"id":"2","v":3}]"#, "mixed.json")
        #expect(outcome.text.contains("3 read = 3 inserted"), "\(outcome.text)")
        #expect(try model() == ["Mixed", "    id  JSON", "    v   Integer 64"])
        #expect(try rows("mixed.sqlite", "SELECT id FROM Mixed") == ["1", "\"1\"", "\"2\""])
    }

    @Test("Members with other values beside objects, and links of objects to themselves, can be imported")
    func oddLinks() throws {
        let text = #"[{"id":1,"user":2},{"id":2,"user":{"tag":{"id":5}}}]"#
        let (_, outcome) = try importTyped(text, "rows.json")
        #expect(outcome.text.contains("2 read = 2 inserted"))
        _ = try importTyped(#"[{"id":1,"us":5,"a.b":{"us":{"id":2,"us":6}}}]"#, "us.json")
        let dates = #"[{"id":1,"at":"2024-03-13T08:00:00.123456789Z","d":{"$date":{"$numberLong":"1700000000000"}}}]"#
        _ = try importTyped(dates, "moments.json")
        #expect(try model() == ["Moment", "    id  Integer 64", "    at  String", "    d   JSON", "    unique: id"])
    }

    @Test("A bundle of Xcode gets its folders; other versions, and databases, are refused")
    func bundles() throws {
        _ = try world.write("[{\"id\":1,\"n\":2}]", "a.json")
        for name in ["App.xcdatamodel", "Shop.xcdatamodeld"] {
            _ = try Tool.tributary.run(["inspect", "-q", "a.json", "--write-model", name], in: folder).expect(0)
            try Tool.tributary.run(["model", name], in: folder).expect(0, text: "n   Integer 64")
        }
        try Tool.tributary.run(["inspect", "a.json", "--write-model", "/nowhere/A.xcdatamodeld"], in: folder).expect(
            1, error: "cannot write /nowhere/A.xcdatamodeld/A.xcdatamodel/contents")
        let other = folder.appending(path: "Shop.xcdatamodeld/Two.xcdatamodel")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        try Tool.tributary.run(["inspect", "a.json", "--write-model", "Shop.xcdatamodeld"], in: folder).expect(
            1, error: "Shop.xcdatamodeld has other versions of a model; choose another name")
        _ = try Tool.tributary.run(["import", "a.sqlite", "-q", "a.json"], in: folder).expect(0)
        try Tool.tributary.run(["inspect", "a.sqlite", "--write-model", "m.xml"], in: folder).expect(
            64, error: "'--write-model' is for dumps")
        try Tool.tributary.run(["inspect", "-", "--write-model", "m.xml"], in: folder).expect(
            64, error: "'--write-model' needs the names of files")
    }

    @Test("An import with a profile makes the same tables, and refuses a profile of something else")
    func profile() throws {
        let text = #"[{"id":1,"tags":[{"id":7,"n":"x"}]},{"id":2,"tags":[{"id":7},{"id":8}]}]"#
        _ = try world.write(text, "a.json")
        let profile = try Tool.tributary.run(["inspect", "a.json", "--json"], in: folder).expect(0)
        try profile.output.write(to: folder.appending(path: "p.json"))
        func load(_ database: String, _ options: String...) throws -> Tool.Outcome {
            try Tool.tributary.run(["import", database, "a.json"] + options, in: folder)
        }
        let told = try load("1.sqlite", "--relations", "--profile", "p.json").expect(0)
        #expect(told.error.contains("table tags of a.tags: key id, join table"), "\(told.error)")
        _ = try load("2.sqlite", "--relations").expect(0)
        for sql in ["SELECT * FROM a", "SELECT * FROM tags", "SELECT * FROM \"_a.tags\""] {
            #expect(try rows("1.sqlite", sql) == rows("2.sqlite", sql), "\(sql)")
        }
        try load("3.sqlite", "--profile", "p.json", "--at", ".x[]").expect(1, error: "it is of the records at []")
        try load("3.sqlite", "--profile", "p.json", "--nan", "null").expect(
            1, error: "the records were read with other options")
        try load("3.sqlite", "--profile", "a.json").expect(1, error: "is not a profile")
        try load("3.sqlite", "--profile", "none.json").expect(1, error: "none.json: the profile cannot be read")
        _ = try world.write(text.replacing("8", with: "9"), "a.json")
        try load("3.sqlite", "--profile", "p.json").expect(1, error: "a.json has changed, or is another file")
        #expect(!FileManager.default.fileExists(atPath: world.folder.path("3.sqlite")))
        _ = try world.write("{\"id\":1}\n{\"id\"\n", "a.json")
        let damaged = try Tool.tributary.run(["inspect", "a.json", "--json"], in: folder).expect(3)
        try damaged.output.write(to: folder.appending(path: "p.json"))
        try load("3.sqlite", "--profile", "p.json").expect(1, error: "some records could not be read")
        let library = #"{"users":[{"id":1}],"a":{"users":[{"id":2}]}}"#
        _ = try world.write(library, "a.json")
        let one = try Tool.tributary.run(["inspect", "a.json", "--json"], in: folder).expect(0)
        try one.output.write(to: folder.appending(path: "p.json"))
        #expect(try load("4.sqlite", "--all", "--profile", "p.json").expect(0).text.contains("2 read = 2 inserted"))
        let part = try Tool.tributary.run(["inspect", "a.json", "--limit", "1", "--json"], in: folder).expect(0)
        try part.output.write(to: folder.appending(path: "p.json"))
        try load("3.sqlite", "--profile", "p.json").expect(1, error: "it is of a part of the records")
    }
}
