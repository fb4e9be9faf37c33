import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `--route-by`.
@Suite struct RouteByTests {
    private let world: ImportWorld
    init() throws { world = try ImportWorld() }

    /// The tables of the database with their numbers of rows.
    private func counts() throws -> [String: Int] {
        let connection = try Connection(.file(world.database))
        let names = try connection.texts(
            of: "SELECT \"name\" FROM sqlite_master WHERE \"type\" = 'table' AND \"name\" NOT GLOB '[_]*'")
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, try connection.rows(of: "SELECT \"_pk\" FROM \(identifier: name)") { $0.integer(at: 0) }.count)
            })
    }

    @Test("Each value has a table, and what has no value goes into the table of the file")
    func values() throws {
        let file = try world.write(
            """
            {"id":1,"t":"Push","a":1}
            {"id":2,"t":"Fork","b":1}
            {"id":3,"t":"Push"}
            {"id":4,"t":"Pull"}
            {"id":5,"t":7}
            {"id":6,"t":"a.b"}
            {"id":7,"t":true}
            {"id":8}
            {"id":9,"t":{"x":1}}
            {"id":10,"t":"_x"}
            {"id":11,"t":"\(String(repeating: "x", count: 300))"}
            {"id":12,"t":"Events_"}

            """, "events.ndjson")
        for _ in 0..<2 {
            let outcome = try world.load(file, "--route-by", "t", "--key", "id").expect(0)
            outcome.expect(error: "all other records go into the table events")
            outcome.expect(error: "records of '_x' go into the table t_x")
        }
        let expected = [
            "Pull": 1, "Push": 2, "Fork": 1, "7": 1, "a.b": 1, "true": 1, "Events_": 1, "events": 3, "t_x": 1,
        ]
        #expect(try counts() == expected)
        #expect(try world.rows("Push")[0].keys.sorted() == ["_pk", "a", "id", "t"])
    }

    @Test("Resources of FHIR and events of GH Archive get a table for each type", arguments: [1, 40])
    func dumps(_ batch: Int) throws {
        for kind in [Dump.Kind.fhirBundle, .fhirBulk, .gharchive] {
            let dump = Dump(kind, count: 300)
            let file = try world.write(String(decoding: dump.bytes, as: UTF8.self), "\(kind.rawValue).json")
            let isBundle = kind == .fhirBundle
            let member = kind == .gharchive ? "type" : "resourceType"
            let words = ["--route-by", member, "--key", "id", "--batch-size", "\(batch)"]
            let database = world.folder.path("\(kind.rawValue).sqlite")
            try Tool.tributary.run(
                ["import", database, file] + words + (isBundle ? ["--at", ".entry[].resource"] : [])
            ).expect(0, text: "300 read = 300 inserted")
            var expected: [String: [String]] = [:]
            let text = String(decoding: dump.bytes, as: UTF8.self)
            let objects: [Any] =
                isBundle
                ? ((try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])?["entry"] as? [Any] ?? [])
                    .compactMap { ($0 as? [String: Any])?["resource"] }
                : try text.split(separator: "\n").map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }
            for object in objects.compactMap({ $0 as? [String: Any] }) {
                expected[object[member] as? String ?? "", default: []].append("\(object["id"] ?? "")")
            }
            #expect(expected.count > 1)
            for (name, ids) in expected {
                let found = try world.rows(name, in: database).map { row in
                    switch row["id"] {
                    case .text(let id)?: id
                    case .integer(let id)?: "\(id)"
                    default: ""
                    }
                }
                #expect(found == ids, "\(kind) \(name)")
            }
        }
    }

    @Test("With a model each value has the entity of its name, and other values are skipped")
    func model() throws {
        let file = try world.write(#"[{"id":1,"t":"users"},{"id":2,"t":"x"},{"id":3,"t":"User"},{"id":4}]"#, "d.json")
        let model = try world.model()
        try world.load(file, "--model", model, "--route-by", "t").expect(
            0, error: "skipped, as the model has no such entity: x", prefix: "4 read = 2 inserted + 2 skipped")
        try world.load(file, "--model", model, "--route-by", "t", "--entity", "User").expect(
            0, prefix: "4 read = 2 inserted + 2 unchanged")
        try world.load(file, "--model", model, "--route-by", "id").expect(64, error: "No entity of the model")
    }

    @Test("A sync deletes the rows of a value that has vanished, and keeps those that a filter leaves out")
    func syncing() throws {
        func sync(_ types: String, _ words: String...) throws -> Tool.Outcome {
            let lines = types.enumerated().map { "{\"id\":\($0),\"t\":\"\($1)\"}" }.filter { !$0.contains("-") }
            let file = try world.write(lines.joined(separator: "\n"), "d.ndjson")
            return try Tool.tributary.run(
                ["sync", world.database, file, "--key", "id", "--route-by", "t"] + words)
        }
        try sync("aaabbcc").expect(0)
        try sync("aaabb--").expect(3, error: "use --max-delete 2")
        try sync("aaabb--", "--max-delete", "100%").expect(0, text: "deleted: c 2")
        #expect(try counts() == ["a": 3, "b": 2, "c": 0])
        try sync("aa-bb--", "--max-delete", "100%", "--where", "t == \"b\"").expect(0, text: "deleted: a 1")
        #expect(try counts() == ["a": 2, "b": 2, "c": 0])
        try sync("aa-bbd-", "--max-delete", "100%").expect(0)
        #expect(try counts() == ["a": 2, "b": 2, "c": 0, "d": 1])
        try sync("aa", "--scope", "id > 1").expect(64, error: "'--route-by' and '--scope' cannot be used together")
    }

    @Test("A stopped import resumes with the same tables")
    func resuming() throws {
        let lines = (0..<40).map { $0 == 25 ? "{" : "{\"id\":\($0),\"t\":\"t\($0 % 3)\"}" }
        let file = try world.write(lines.joined(separator: "\n"), "d.ndjson")
        let words = ["--route-by", "t", "--key", "id", "--batch-size", "3", "--first-load", "groups"]
        // The first reading finds the damage before anything is written.
        try Tool.tributary.run(["import", world.database, file] + words).expect(1)
        #expect(!FileManager.default.fileExists(atPath: world.database))
        try Tool.tributary.run(
            ["import", world.database, file, "--on-error", "skip", "--limit", "20"] + words
        ).expect(0, prefix: "20 read = 20 inserted")
        try Tool.tributary.run(["import", world.database, file, "--on-error", "skip"] + words).expect(
            3, prefix: "40 read = 19 inserted + 20 unchanged + 1 rejected")
    }

    @Test("Too many values, pipes, empty members and tables of other programs are refused")
    func refusals() throws {
        let file = try world.write((0...500).map { "{\"t\":\"v\($0)\"}\n" }.joined(), "d.ndjson")
        try world.load(file, "--route-by", "t").expect(
            1, error: "the member t has more than 500 values", "leave out most of them with --where")
        try world.load(file, "--route-by", "t", "--where", "t IN {\"v1\", \"v2\"}").expect(0)
        try world.load("-", "--route-by", "t", "--table", "x", input: Data("{}".utf8)).expect(
            64, error: "'--route-by' reads its input twice")
        try world.load(file, "--route-by", "").expect(64, error: "takes MEMBER, not an empty text")
        try Connection(.file(world.database)).execute("CREATE TABLE v3 (t)")
        try world.load(file, "--route-by", "t", "--where", "t == \"v3\"").expect(
            64, error: "another program has made the table 'v3'")
    }
}
