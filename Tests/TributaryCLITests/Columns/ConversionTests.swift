import CTributaryFaults
import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `--convert`, `--default` and `--not-null`, compared with an oracle that is written by hand.
@Suite struct ConversionTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    /// The texts of JSON values, and what a conversion makes of each; nil for a reject.
    private static let cases: [(kind: String, values: [(String, SQLValue?)])] = [
        (
            "number",
            [
                ("\"+10.38\"", 10.38), ("\"1,234.5\"", 1234.5), ("\"1 234 567\"", 1_234_567), ("\" 7 \"", 7), ("5", 5),
                ("\"-0.5\"", -0.5), ("\"007\"", 7), ("\"1e3\"", 1000), ("\"\"", nil), ("\"12a\"", nil),
                ("\"1.234,5\"", nil), ("\"1,23\"", nil), ("\"+-5\"", nil), ("\"0x10\"", nil), ("\"nan\"", nil),
                ("true", nil), ("[1]", nil), ("{\"a\":1}", nil), ("null", .null),
            ]
        ),
        (
            "date",
            [
                ("\"2024-05-01T12:00:00+02:00\"", "2024-05-01T10:00:00.000Z"), ("\"2024-05-01\"", "2024-05-01"),
                ("\"2024-05-01 23:30\"", "2024-05-01T23:30:00.000Z"), ("\"20240501\"", "2024-05-01"),
                ("\"2024-02-30\"", nil), ("\"today\"", nil), ("2024", nil), ("false", nil), ("null", .null),
            ]
        ),
        (
            "date:d.M.yyyy",
            [("\"1.5.2024\"", "2024-05-01"), ("\"31.12.1999\"", "1999-12-31"), ("\"5/1/2024\"", nil), ("1", nil)]
        ),
        (
            "date:MMM d, yyyy HH:mm",
            [("\"May 1, 2024 08:05\"", "2024-05-01T08:05:00.000Z"), ("\"Mai 1, 2024 08:05\"", nil)]
        ),
        (
            "epoch",
            [
                ("0", "1970-01-01T00:00:00.000Z"), ("1714521600.5", "2024-05-01T00:00:00.500Z"),
                ("\"-1\"", "1969-12-31T23:59:59.000Z"), ("1e300", nil), ("\"now\"", nil), ("true", nil),
            ]
        ),
        ("epoch-ms", [("1714521600500", "2024-05-01T00:00:00.500Z"), ("[]", nil)]),
        ("trim", [("\"  a b\\n\"", "a b"), ("\"\"", ""), ("5", 5), ("true", 1), ("[\"a\"]", nil), ("null", .null)]),
        ("lower", [("\"ÀB\"", "àb"), ("1.5", 1.5), ("{}", nil)]),
        ("upper", [("\"straße\"", "STRASSE"), ("\"a\\u0000b\"", "A\u{0}B")]),
    ]

    @Test(
        "Each kind converts what it says, and rejects all else with the column, the kind and the value",
        arguments: 0..<9)
    func kinds(_ number: Int) throws {
        let (kind, values) = Self.cases[number]
        let lines = values.enumerated().map { "{\"id\":\($0),\"v\":\($1.0)}\n" } + ["{\"id\":99}\n"]
        let rejected = values.indices.filter { values[$0].1 == nil }
        let file = try world.write(lines.joined(), "a.ndjson")
        try world.load(file, "--key", "id", "--convert", "v=\(kind)", "--on-error", "quarantine", "--quiet")
            .expect(rejected.isEmpty ? 0 : 3)
        let found = try world.query("SELECT id, v FROM a WHERE id < 99 ORDER BY id")
        let wanted = values.enumerated().compactMap { number, value in value.1.map { [.integer(Int64(number)), $0] } }
        #expect(found.map { $0.map(SessionValue.cell) } == wanted.map { $0.map(SessionValue.cell) })
        #expect(try world.query("SELECT v IS NULL FROM a WHERE id = 99") == [[1]])
        let rejects = try Tool.tributary.run(["rejects", world.database]).text.split(separator: "\n")
        #expect(rejects.count == rejected.count)
        for line in rejects { #expect(line.contains("v cannot be converted by \(kind): "), "\(line)") }
    }

    @Test("Conversions apply in their order, to keys too, and a retry and a sync convert as the import did")
    func keys() throws {
        let words = [
            "--key", "id", "--convert", "id=trim,id=number,name=trim", "--convert", "name=lower,born=date:d.M.yy",
        ]
        let first = try world.write(
            "{\"id\":\" 1 \",\"name\":\" ADA \",\"born\":\"1.2.15\"}\n{\"id\":\"x\",\"name\":\"Bob\"}\n{\"id\":true}\n",
            "users.ndjson")
        let rejects = world.folder.path("r.ndjson")
        let outcome = try Tool.tributary.run(
            ["import", world.database, first, "--rejects", rejects] + words)
        outcome.expect(3)
        #expect(try world.query("SELECT id, name, born FROM users") == [[1, "ada", "2015-02-01"]])
        let text = String(decoding: try world.folder.read("r.ndjson"), as: UTF8.self)
        _ = try world.write(text.replacing("\\\"x\\\"", with: "\\\" 2\\\""), "r.ndjson")
        try Tool.tributary.run(["retry", world.database, rejects]).expect(3)
        #expect(try world.query("SELECT id, name FROM users ORDER BY id") == [[1, "ada"], [2, "bob"]])
        let second = try world.write("{\"id\":\"1\",\"name\":\"EVE\"}\n", "users.ndjson")
        for _ in 0..<2 {
            try Tool.tributary.run(["sync", world.database, second] + words).expect(0)
        }
        #expect(try world.query("SELECT id, name FROM users ORDER BY id") == [[1, "eve"], [2, "bob"]])
    }

    @Test("A default is the value of new rows alone, in each way of loading")
    func defaults() throws {
        let file = try world.write(
            "{\"id\":1}\n{\"id\":2,\"tag\":null}\n{\"id\":3,\"tag\":\"x\"}\n{\"id\":3}\n", "a.ndjson")
        for way in ["direct", "groups"] {
            let other = try ImportWorld()
            let words = ["--key", "id", "--default", "tag=new", "--default", "n=5,t=\"5\",text=a, b,flag=true"]
            try Tool.tributary.run(
                ["import", other.database, file, "--first-load", way, "--quiet"] + words
            ).expect(0)
            let wanted: [[SQLValue]] = [
                [1, "new", 5, "5", "a, b", 1], [2, .null, 5, "5", "a, b", 1], [3, "x", 5, "5", "a, b", 1],
            ]
            #expect(try other.query("SELECT id, tag, n, t, text, flag FROM a ORDER BY id") == wanted)
        }
    }

    @Test("A default, a check and a conversion act on records of a table of another program")
    func foreign() throws {
        try Connection(.file(world.database)).execute(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, n INT, tag TEXT DEFAULT 'own')")
        let file = try world.write(
            "{\"id\":1,\"name\":\" A\",\"n\":\"1,000\"}\n{\"id\":2,\"n\":\"3\"}\n{\"id\":3,\"name\":null}\n{\"id\":1}\n",
            "t.ndjson")
        try world.load(
            file, "--convert", "Name=trim,n=number", "--default", "tag=new,name=anon", "--not-null", "name",
            "--on-error", "quarantine"
        ).expect(3)
        #expect(try world.query("SELECT id, name, n, tag FROM t") == [[1, "A", 1000, "new"], [2, "anon", 3, "new"]])
        try world.load(file, "--convert", "nme=trim").expect(1, error: "the table t has no column nme; it has id, name")
    }

    @Test("An import with rules that is killed again and again ends as one that is not")
    func kills() async throws {
        let text = (1000..<31_000).map { number in
            let tag = number % 3 == 0 ? "" : ",\"tag\":\"t\(number)\""
            return
                "{\"id\":\(number % 20_000),\"n\":\"+\(number / 1000),\(String(1000 + number % 1000).dropFirst())\"\(tag)}\n"
        }
        let file = try world.write(text.joined(), "a.ndjson")
        let words = ["--key", "id", "--convert", "n=number", "--default", "tag=none", "--index", "n", "--quiet"]
        let whole = try ImportWorld()
        try Tool.tributary.run(["import", whole.database, file] + words).expect(0)
        let runs = ["import", world.database, file, "--batch-size", "500", "--first-load", "groups"] + words
        for call in [40, 90, 200, 400] {
            var crash = CommandCrash(words: runs, folder: world.folder.path("."))
            (crash.mode, crash.point, crash.kinds) = (Int(FAULTS_KILL), call, CommandCrash.files)
            await crash.run()
        }
        try Tool.tributary.run(runs).expect(0)
        let sql = "SELECT id, n, tag FROM a ORDER BY id"
        #expect(try world.query(sql) == whole.query(sql))
        #expect(try world.query("SELECT name FROM sqlite_master WHERE name LIKE 'idx%'") == [["idx_a_n"]])
    }

    @Test("What no record has is told with its neighbour, and mistakes name what is right")
    func mistakes() throws {
        let file = try world.write("[{\"id\":1,\"price\":\"5\"}]", "a.json")
        try world.load(file, "--convert", "prize=number").expect(
            0, error: "no record has 'prize'; did you mean 'price'?")
        try world.load(file, "--convert", "price=nmber").expect(64, error: "Did you mean 'number'?")
        try world.load(file, "--convert", "price").expect(64, error: "takes NAME=VALUE, not 'price'")
        try world.load(file, "--convert", "price=date:QQ").expect(64, error: "not 'date:QQ'")
        try world.load(file, "--default", "price=null").expect(64, error: "null is that of 'price' without the option")
        try world.load(file, "--default", "a=1,a=2").expect(64, error: "names 'a' twice")
        try world.load(file, "--default", "_pk=1").expect(64, error: "is a column of the store")
        try world.load(file, "--key", "id", "--default", "id=1").expect(1, error: "cannot have a default")
        try world.load(file, "--types", "n=integer", "--default", "n=x").expect(
            1, error: "the default of n is not of its")
        let model = try world.model()
        for (option, value) in [
            ("--convert", "id=trim"), ("--default", "id=1"), ("--not-null", "id"), ("--index", "id"),
            ("--unique", "id"),
        ] {
            try world.load(file, "--model", model, "--entity", "User", option, value).expect(
                64, error: "'\(option)' is for tables without a model; here it is stated in the model")
        }
    }
}
