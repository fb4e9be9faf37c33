import Foundation
import Testing
import TributaryCLI
import TributaryTestSupport

/// What commands print with `--json` has the form that the documents tell.
@Suite struct OutputSchemaTests {
    private let world: ImportWorld
    private let schema: OutputSchema

    init() throws {
        world = try ImportWorld()
        schema = try OutputSchema()
    }

    @Test("Each command that prints JSON has a form in the schema, and no other has")
    func forms() {
        let printing = Invocation.commands.filter { command in
            command.name == "rejects" || command.options.contains { $0.names.contains("--json") }
        }
        #expect(Set(printing.map(\.name)) == Set(schema.commands.keys))
    }

    @Test("A schema finds what is missing, too much, or of another kind")
    func schemaFindsFaults() throws {
        #expect(try schema.fault(in: #"{"run":1,"entity":null,"runs":2}"#, of: "forget") == nil)
        for line in [
            #"{"run":1,"runs":2}"#, #"{"run":"1","entity":null,"runs":2}"#, #"{"run":1,"entity":null,"runs":2,"x":1}"#,
            #"{"run":1,"entity":null,"runs":true}"#,
        ] {
            #expect(try schema.fault(in: line, of: "forget") != nil, "\(line)")
        }
    }

    @Test("The JSON of every command fits the schema, whether it succeeds, rejects records or fails")
    func outputs() throws {
        var printed: Set<String> = []
        let folder = world.folder.url
        func run(_ words: String..., codes: Set<Int32> = [0]) throws {
            let isLine = words[0] == "model"
            let words = words[0] == "rejects" || words.contains("--json") ? words : words + ["--json"]
            let outcome = try Tool.tributary.run(words, in: folder)
            #expect(codes.contains(outcome.code), "\(words): \(outcome.code) \(outcome.error)")
            let lines = isLine ? [outcome.text] : outcome.lines
            #expect(!lines.isEmpty, "\(words)")
            for line in lines {
                printed.insert(words[0])
                let fault = try schema.fault(in: line, of: words[0])
                #expect(fault == nil, "\(words): \(fault ?? "")")
            }
        }
        let records = """
            {"id":1,"o":{"id":2,"t":[{"id":3}]},"big":12345678901234567890123,"_x":1,"mixed":1}
            {"id":2,"mixed":"a","Big":1}
            {"id":3,"n":
            """
        _ = try world.write(records, "a.ndjson")
        _ = try world.write(#"{"users":[{"id":1},{"id":2}],"orders":[{"n":1}],"made":"today"}"#, "d.json")
        try run("import", "a.sqlite", "a.ndjson", "--on-error", "quarantine", "--key", "id", codes: [3])
        try run("import", "b.sqlite", "a.ndjson", "--rejects", "bad", "--relations", "--undoable", codes: [3])
        try run("import", "a.sqlite", "d.json", "--at", ".users[]", "--key", "id")
        let verbose = try Tool.tributary.run(
            ["import", "n.sqlite", "d.json", "--at", ".users[]", "--verbose"], in: folder)
        for line in [
            "database: n.sqlite", "table: users, named after the member users", "key: none, so each record",
            "writing: rows as they come", "types: users has id Integer 64",
        ] {
            #expect(verbose.error.contains("tributary: \(line)"), "\(verbose.error)")
        }
        try run("import", "a.sqlite", "d.json", "--at", ".usrs[]", codes: [1])
        try run("import", "a.sqlite", "nowhere.json", codes: [1])
        try run("import", "a.sqlite", "d.json", "--mode", "x", codes: [64])
        _ = try world.write(#"{"users":[{"id":1,"v":2},{"id":3}]}"#, "d.json")
        try run("import", "a.sqlite", "d.json", "--at", ".users[]", "--key", "id", "--dry-run", codes: [2])
        try run("sync", "c.sqlite", "d.json", "--at", ".users[]", "--key", "id")
        _ = try world.write(#"{"users":[{"id":1,"v":2}]}"#, "d.json")
        try run("sync", "c.sqlite", "d.json", "--at", ".users[]", "--key", "id", "--max-delete", "9", "--undoable")
        for database in ["a.sqlite", "b.sqlite", "c.sqlite"] {
            try run("status", database)
            try run("tables", database)
            try run("model", database)
        }
        try run("rejects", "a.sqlite")
        try run("retry", "a.sqlite", "--dry-run", codes: [3])
        try run("retry", "b.sqlite", "bad", codes: [3])
        try run("undo", "c.sqlite", "--dry-run", codes: [2])
        try run("undo", "c.sqlite")
        try run("undo", "c.sqlite", codes: [1])
        try run("export", "b.sqlite", "--to", "out")
        try run("generate", "b.sqlite", "--output", "classes")
        try run("generate", "b.sqlite", "--output", "classes", "--access", "public", "--check", codes: [1])
        try run("inspect", "d.json")
        try run("validate", "a.ndjson", "--format", "ndjson", codes: [1])
        try run("forget", "a.sqlite", "--run", "1", "--dry-run", codes: [2])
        try run("forget", "a.sqlite", "--run", "1")
        try run("forget", "a.sqlite", "--run", "1", codes: [1])
        _ = try world.model()
        let model = try world.model()
        _ = try world.write(#"{"User": {"id": 5, "name": "A"}}"#, "s.json")
        try run("seed", "s.sqlite", "s.json", "--model", model, "--dry-run", codes: [2])
        try run("seed", "s.sqlite", "s.json", "--model", model)
        try run("seed", "s.sqlite", "nowhere.json", codes: [1])
        try run("migrate", "s.sqlite", "--model", model, "--dry-run")
        try run("import", "s.sqlite", "d.json", "--at", ".users[]", "--entity", "User")
        #expect(printed == Set(schema.commands.keys))
    }
}
