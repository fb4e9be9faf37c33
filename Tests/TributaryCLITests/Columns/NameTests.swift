import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// Names of tables and columns as people like them.
@Suite struct NameTests {
    /// Names that SQLite accepts.
    static let names: [String] = [
        "my.table", "2024-01 sales", "order", "select", "group", "table", "index", "a b", "a-b", "a+b", "a=b", "a/b",
        "a\\b", "a:b", "a;b", "a%b", "a?b", "a#b", "a&b", "a*b", "a(b)", "a<b>", "{x}", "[a]", "a]b", "a'b", "a\"b",
        "a`b", "x.y.z", ".dot", "dot.", "..", "@home", "$x", "~", "!", "^", "|", "-x", "--key", "0", "1e5", "null",
        "true", "rowid", "main.x", "temp", "é", "Ünï", "日本", "😀", "👩‍👩‍👧", "a\tb", " lead", "trail ", "t_fts", "idx_x",
        "a.id", "a,b", String(repeating: "x", count: 190),
    ]

    @Test(
        "A table of any name is imported, queried, exported and imported again, and all is equal",
        arguments: NameTests.names)
    func tables(_ name: String) throws {
        let world = try ImportWorld()
        let file = try world.write("{\"id\":1,\"v\":\"one\"}\n{\"id\":2,\"v\":\"two\"}\n", "feed.ndjson")
        let words = ["import", world.database, file, "--key", "id", "--table=\(name)"]
        let extra = ["--search", "v", "--index", "v", "--undoable"]
        try Tool.tributary.run(words + extra).expect(0, without: "reserved")
        try Tool.tributary.run(words).expect(0, error: "", text: "already imported")
        func query(_ database: String) throws -> Tool.Outcome {
            try Tool.tributary.run(["query", database, "--", name]).expect(0)
        }
        let rows = try query(world.database)
        try Tool.tributary.run(["query", world.database, "--match", "two", "--count", "--", name]).expect(
            0, output: "1\n")
        try Tool.tributary.run(["tables", world.database, "--json"]).expect(0)
        let folder = world.folder.path("out")
        try Tool.tributary.run(["export", world.database, "--to", folder]).expect(0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".ndjson") }
        let back = world.folder.path("back.sqlite")
        try Tool.tributary.run(
            [
                "import", back, "\(folder)/\(try #require(files.first))", "--format", "ndjson", "--model",
                "\(folder)/model.xml", "--map", "\(folder)/map.json", "--entity=\(name)",
            ]
        ).expect(0)
        #expect(files.count == 1)
        #expect(try query(back).text == rows.text)
        let newer = try world.write("{\"id\":2,\"v\":\"deux\"}\n{\"v\":\"?\"}\n", "newer.ndjson")
        try Tool.tributary.run(
            [
                "sync", world.database, newer, "--key", "id", "--table=\(name)", "--undoable", "--on-error",
                "skip",
            ]
        ).expect(3)
        #expect(try world.values("v", of: name) == ["one", "deux"])
        try Tool.tributary.run(["undo", world.database]).expect(0)
        #expect(try query(world.database).text == rows.text)
    }

    @Test("Reserved names of tables change by one rule, and that is told")
    func reserved() throws {
        for (name, table) in [
            ("_x", "t_x"), ("sqlite_x", "t_sqlite_x"), ("SQLITE_y", "t_SQLITE_y"), ("json_each", "t_json_each"),
        ] {
            let world = try ImportWorld()
            let file = try world.write("[{\"id\":1}]", "\(name).json")
            for words in [["--key", "id"], ["--key", "id", "--table", name]] {
                try Tool.tributary.run(["import", world.database, file] + words).expect(
                    0, error: "the table is \(table), because the name \(name) is reserved")
            }
            #expect(try world.values("id", of: table) == [1])
        }
        let world = try ImportWorld()
        let file = try world.write("{\"_x\":[{\"a\":1}],\"b.c\":[{\"a\":2}]}", "m.json")
        try world.load(file, "--all").expect(0, error: "._x[] goes into the table t_x")
        #expect(try world.values("a", of: "b.c") == [2])
        try world.load(file, "--table", "").expect(64, error: "takes NAME, not an empty text")
    }

    @Test("The name of a file gives the table, and a date before it belongs to it")
    func files() throws {
        for (file, table) in [
            ("2024.01.users.json", "2024.01.users"), ("2024-05-01 sales.json", "2024-05-01 sales"),
            ("users.2024-01-01.json", "users"), ("2024.json", "2024"), ("order.json", "order"),
        ] {
            let world = try ImportWorld()
            try world.load(world.write("[{\"id\":1}]", file)).expect(0)
            #expect(try world.values("id", of: table) == [1])
        }
    }

    @Test("Members of any name are columns or are told, and options name them")
    func members() throws {
        let world = try ImportWorld()
        let names = Self.names.filter { !$0.contains(",") }
        let object = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, " v\($0) ") })
        let json = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        let file = try world.write(json, "m.json")
        let converts = names.flatMap { ["--convert", "\($0)=trim"] }
        try Tool.tributary.run(
            ["import", world.database, file, "--index", names.joined(separator: ","), "--quiet"] + converts
        ).expect(0)
        let row = try #require(world.rows("m").first)
        for (number, name) in names.enumerated() { #expect(row[name] == .text("v\(number)"), "\(name)") }
        let count = try world.query("SELECT COUNT(*) FROM pragma_index_list('m')")
        #expect(count == [[.integer(Int64(names.count))]])
    }
}
