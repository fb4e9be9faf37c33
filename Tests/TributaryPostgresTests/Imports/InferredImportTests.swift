import Testing
import TributaryModel
import TributaryTestSupport

import Tributary
import TributaryPostgres

/// Imports whose columns are inferred.
@Suite struct InferredImportTests {
    let world: PostgresWorld

    init() throws { world = try PostgresWorld() }

    /// Values of each kind, and the type of a column that has only them.
    private static let kinds: [(name: String, values: [String], type: String)] = [
        ("boolean", ["true", "false"], "boolean"), ("integer", ["0", "-12", "9007199254740992"], "bigint"),
        ("large", ["9007199254740993", "-9223372036854775808"], "bigint"),
        ("real", ["1.5", "1e30", "-0.0", "3.0"], "double precision"),
        ("wide", ["1e300", "-2E-200"], "double precision"),
        ("decimal", ["123456789012345678901234567890", "1e20"], "numeric"), ("beyond", ["1e400"], "jsonb"),
        ("text", ["\"\"", "\"12\"", "\"é\""], "text"), ("nested", ["[1]", "{\"b\":{\"c\":null}}", "[]"], "jsonb"),
    ]

    /// The type of a column with values of kinds.
    private static func type(_ names: Set<String>) -> String {
        let numbers: Set = ["integer", "large", "real", "wide", "decimal"]
        let types = Set(kinds.filter { names.contains($0.name) }.map(\.type))
        if types.count == 1, let type = types.first { return type }
        guard numbers.isSuperset(of: names) else { return "jsonb" }
        // A double has no room for the digits of large numbers, and a decimal number none for large exponents.
        guard !names.isDisjoint(with: ["large", "decimal"]) else { return "double precision" }
        return names.contains("wide") ? "jsonb" : "numeric"
    }

    /// The type of a column with values of one kind, after a dump with others.
    private static func widened(_ one: String, _ other: String) -> String {
        let types = [type([one]), type([other])]
        // What a column holds is known by its type alone.
        switch types {
        case ["bigint", "double precision"]: return type(["large", other])
        case ["double precision", "bigint"]: return other == "large" ? "numeric" : "double precision"
        case ["double precision", "numeric"]: return "numeric"
        default: return type([one, other])
        }
    }

    @Test("Each mixture of kinds has the type that holds them as they are, in one dump and over several")
    func mixtures() throws {
        let count = Self.kinds.count
        let pairs = (0..<count).flatMap { one in (0..<count).map { (one, $0) } }
        func dump(_ kinds: (Int, Int) -> [Int], from first: Int) -> String {
            let records = (0..<12).map { number -> String in
                let members = pairs.map { pair -> String in
                    let values = kinds(pair.0, pair.1).flatMap { Self.kinds[$0].values } + ["null"]
                    return "\"c\(pair.0)_\(pair.1)\":\(values[number % values.count])"
                }
                return "{\"id\":\(first + number),\(members.joined(separator: ","))}"
            }
            return "[\(records.joined(separator: ",\n"))]"
        }
        func types(_ type: (String, String) -> String) -> [String] {
            ["id bigint"] + pairs.map { "c\($0)_\($1) \(type(Self.kinds[$0].name, Self.kinds[$1].name))" }
        }
        let together = dump({ [$0, $1] }, from: 0)
        try world.load(together)
        #expect(try world.types() == types { Self.type([$0, $1]) })
        // The second dump widens the columns of the first one.
        let other = try PostgresWorld()
        let (first, second) = (dump({ one, _ in [one] }, from: 0), dump({ [$1] }, from: 12))
        try other.load(first, file: "first.json")
        #expect(try other.types() == ["id bigint"] + pairs.map { "c\($0.0)_\($0.1) \(Self.kinds[$0.0].type)" })
        try other.load(second, file: "second.json")
        let widened = try other.types()
        #expect(widened == types(Self.widened))
        // The rows of both are the values of the dumps.
        for (world, dumps) in [(world, [together]), (other, [first, second])] {
            for dump in dumps {
                let faults = try world.column(
                    """
                    SELECT r::text FROM jsonb_array_elements($1::jsonb) r JOIN (SELECT to_jsonb(thing) t FROM thing) t
                    ON t->>'id' = r->>'id' WHERE t <> r AND EXISTS (SELECT FROM jsonb_each(r) e WHERE t->e.key <> e.value
                    AND (jsonb_typeof(e.value) <> 'number' OR t->>e.key::text <> e.value::text AND
                    (t->>e.key)::numeric <> (e.value::text)::numeric))
                    """, [.text(dump)])
                #expect(faults.isEmpty, "\(faults.first as Any)")
            }
            #expect(try world.column("SELECT count(*) FROM thing") == ["\(12 * dumps.count)"])
            let reasons = try world.reasons()
            #expect(reasons == [])
        }
        // Nothing is to be widened now.
        #expect(try other.load(first, file: "first.json").tally == [12, 0, 0, 12, 0, 0, 0])
        #expect(try other.load(second, file: "second.json").tally == [12, 0, 0, 12, 0, 0, 0])
    }

    @Test("Columns are in the order of their members, and later dumps add some")
    func columns() throws {
        try world.load(#"[{"id":1,"b":null},{"id":2,"a":1,"Ä \"x\"":"y"},{"c":true,"id":3}]"#)
        #expect(try world.types() == ["id bigint", "b text", "a bigint", #"Ä "x" text"#, "c boolean"])
        try world.load(#"[{"id":3,"d":[1]}]"#, file: "more.json")
        #expect(try world.types().last == "d jsonb")
        #expect(
            try world.rows() == [
                #"{"a": 1, "b": null, "c": null, "d": null, "id": 2, "Ä \"x\"": "y"}"#,
                #"{"a": null, "b": null, "c": null, "d": null, "id": 1, "Ä \"x\"": null}"#,
                #"{"a": null, "b": null, "c": true, "d": [1], "id": 3, "Ä \"x\"": null}"#,
            ])
    }

    @Test("The key is the primary key, of one or several members")
    func keys() throws {
        try world.load(
            #"[{"a":1,"b":"x","c":1},{"a":1,"b":"y"},{"a":1,"b":"x","c":2}]"#,
            .inferred("thing", key: ImportKey(["a", "b"])))
        #expect(try world.rows() == [#"{"a": 1, "b": "x", "c": 2}"#, #"{"a": 1, "b": "y", "c": null}"#])
        #expect(
            try world.column(
                "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'thing'::regclass AND contype = 'p'"
            )
                == ["PRIMARY KEY (a, b)"])
        // A record without a key is a reject.
        #expect(
            try world.load(
                #"[{"a":2},{"a":null,"b":"x"},{"a":3,"b":"z"}]"#, .inferred("thing", key: ImportKey(["a", "b"]))
            ).tally
                == [3, 1, 0, 0, 0, 0, 2])
    }

    @Test("A key whose values have several types is an error")
    func mixedKey() throws {
        let error = try #require(throws: ImportError.self) { try world.load(#"[{"id":1},{"id":"x"}]"#) }
        #expect(
            "\(error)".contains("the key id has values of several types; state one of them as its type"), "\(error)")
        #expect(try world.types().isEmpty)
        var inference = ColumnInference()
        inference.types = ["id": .text]
        #expect(
            try world.load(#"[{"id":1},{"id":"x"},{"id":"1"}]"#, .inferred("thing", key: "id", inference)).tally
                == [3, 2, 0, 1, 0, 0, 0])
    }

    @Test("Stated types convert values, and what cannot be converted is a reject")
    func statedTypes() throws {
        var inference = ColumnInference()
        inference.types = ["i": .integer, "r": .real, "n": .numeric, "t": .text, "a": .any]
        let text = """
            [{"id":1,"i":"12","r":"1.5","n":"12345678901234567890.5","t":12,"a":1},
             {"id":2,"i":3,"r":2,"n":7,"t":"x","a":"b"},
             {"id":3,"i":"x"},{"id":4,"r":"y"}]
            """
        let tally = try world.load(text, .inferred("thing", key: "id", inference)).tally
        #expect(try world.types() == ["id bigint", "i bigint", "r double precision", "n numeric", "t text", "a jsonb"])
        #expect(tally == [4, 2, 0, 0, 0, 0, 2])
        let rows = try world.rows()
        #expect(
            rows == [
                #"{"a": "b", "i": 3, "n": 7, "r": 2, "t": "x", "id": 2}"#,
                #"{"a": 1, "i": 12, "n": 12345678901234567890.5, "r": 1.5, "t": "12", "id": 1}"#,
            ])
    }

    @Test("Decimals beyond a double are rounded, or kept as they are")
    func decimals() throws {
        let text = #"[{"id":1,"n":0.12345678901234567891}]"#
        try world.load(text)
        #expect(try world.types() == ["id bigint", "n double precision"])
        var inference = ColumnInference()
        inference.numbers = .exact
        try world.load(text, .inferred("exact", key: "id", inference))
        #expect(try world.types("exact") == ["id bigint", "n numeric"])
        #expect(try world.column("SELECT n FROM exact") == ["0.12345678901234567891"])
    }

    @Test("Members of objects are columns of their own, and columns are chosen with their paths")
    func shaping() throws {
        let text = #"[{"id":1,"a":{"b":{"c":5},"d":[1]},"e":{}},{"id":2,"a":null},{"id":3,"a":{"b":null,"d":2}}]"#
        var flat = ColumnInference()
        flat.shaping = ColumnShaping()
        flat.shaping?.flatten = "_"
        try world.load(text, .inferred("flat", key: "id", flat))
        #expect(try world.types("flat").sorted() == ["a_b_c bigint", "a_d jsonb", "e jsonb", "id bigint"])
        #expect(
            try world.column("SELECT concat_ws(' ', id, a_b_c, a_d) FROM flat ORDER BY id") == ["1 5 [1]", "2", "3 2"])
        var chosen = ColumnInference()
        chosen.shaping = ColumnShaping()
        chosen.shaping?.columns = [.init("key", path: "id"), .init("deep", path: "a.b.c"), .init("whole", path: "a")]
        try world.load(text, .inferred("chosen", key: "key", chosen))
        let types = try world.types("chosen")
        #expect(types == ["key bigint", "deep bigint", "whole jsonb"])
        let rows = try world.rows("chosen")
        #expect(
            rows == [
                #"{"key": 1, "deep": 5, "whole": {"b": {"c": 5}, "d": [1]}}"#,
                #"{"key": 2, "deep": null, "whole": null}"#,
                #"{"key": 3, "deep": null, "whole": {"b": null, "d": 2}}"#,
            ])
    }

    @Test("A table that another program made is not widened")
    func foreignTable() throws {
        try world.execute("CREATE TABLE thing (id bigint PRIMARY KEY, n bigint)")
        #expect(try world.load(#"[{"id":1,"n":1},{"id":2,"n":1.5},{"id":3,"n":"x"}]"#).tally == [3, 1, 0, 0, 0, 0, 2])
        #expect(try world.types() == ["id bigint", "n bigint"])
        let error = try #require(throws: ImportError.self) { try world.load(#"[{"id":1,"new":1}]"#) }
        #expect("\(error)".contains("the table thing has no column for new"), "\(error)")
    }

    @Test("More members than a table has columns are an error")
    func tooManyColumns() throws {
        let members = (0..<1600).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
        let error = try #require(throws: ImportError.self) { try world.load("[{\"id\":1,\(members)}]") }
        #expect(
            "\(error)".contains("the dump has more than 1598 members") && "\(error)".contains("choose columns"),
            "\(error)")
        #expect(try world.types().isEmpty)
    }

    // MARK: Without a key

    @Test("Without a key, a file that was imported is known, and of one that has grown the rest is read")
    func knownFiles() throws {
        let route = ImportRoute.inferred("thing")
        func load(_ text: String) throws -> (tally: [Int], known: [String]) {
            let feed = try world.makeImport(text, route) { options, _ in options.resuming = .resume }
            return (try feed.perform().summary.tally, feed.knownSources)
        }
        let lines = (0..<100).map { #"{"n":\#($0)}"# }
        let first = lines[..<60].joined(separator: "\n") + "\n"
        #expect(try load(first).tally == [60, 60, 0, 0, 0, 0, 0])
        _ = try load(first)
        #expect(try world.rows().count == 60)
        let grown = try load(lines.joined(separator: "\n") + "\n")
        #expect(grown.tally == [40, 40, 0, 0, 0, 0, 0], "\(grown)")
        #expect(
            try world.column("SELECT string_agg(n::text, ' ' ORDER BY n) FROM thing") == [
                (0..<100).map(String.init).joined(separator: " ")
            ])
        // Other content cannot be recognized.
        let error = try #require(throws: ImportError.self) { try load(#"{"n":1000}"#) }
        #expect(try world.rows().count == 100, "\(error)")
    }

    @Test("Without a key, what an unfinished import has committed is not imported again, nor a copy of it")
    func unfinishedTwice() throws {
        let text = #"{"n":"a"}"# + "\n" + #"{"n":"b"}"# + "\n"
        func load(_ text: String, file: String, _ resuming: ImportOptions.Resuming) throws -> ImportError? {
            let feed = try world.makeImport(text, .inferred("thing"), file: file) { options, settings in
                (options.resuming, options.onError, options.batchSize, settings.groupRows) = (resuming, .stop, 1, 1)
            }
            return #expect(throws: ImportError.self) { try feed.perform() }
        }
        _ = try load(text + #"{"n":"\u0000"}"# + "\n", file: "a.ndjson", .resume)
        #expect(try world.rows().count == 2)
        for (file, resuming) in [("a.ndjson", ImportOptions.Resuming.restart), ("copy.ndjson", .resume)] {
            let tail = file == "a.ndjson" ? #"{"n":"\u0000"}"# : #"{"n":"c"}"#
            let error = try load(text + tail + "\n", file: file, resuming)
            let said =
                file == "a.ndjson"
                ? "run 1, which is not finished, has imported records of"
                : "begins with records that run 1, which is not finished, has imported into"
            #expect(error?.reason.contains(said) == true, "\(error as Any)")
        }
        #expect(try world.rows().count == 2)
    }

    @Test("Records of a model with nested objects and without a key are imported once")
    func knownTrees() throws {
        var item = EntityDescription("item")
        item.attributes = [AttributeDescription("n", .integer64)]
        item.relationships = [RelationshipDescription("to", to: "place")]
        var place = EntityDescription("place")
        place.attributes = [AttributeDescription("id", .integer64)]
        place.uniquenessConstraints = [["id"]]
        let model = try Model(ModelDescription([item, place]))
        func load(_ text: String, file: String = "dump.ndjson") throws -> PostgresImport {
            let feed = try world.makeImport(text, .newRows("item", at: "."), model: model, file: file) { options, _ in
                options.resuming = .resume
            }
            _ = try feed.perform()
            return feed
        }
        let line = #"{"n":1,"to":{"id":7}}"# + "\n"
        #expect(try load(line).summary.inserted == 1)
        _ = try load(line)
        #expect(try load(line, file: "copy.ndjson").knownSources.count == 1)
        let grown = try load(line + #"{"n":2,"to":{"id":7}}"# + "\n").summary
        #expect(grown.read == 1 && grown.inserted == 1, "\(grown)")
        #expect(throws: ImportError.self) { try load(#"{"n":3}"#) }
        #expect(try world.column("SELECT n::text FROM item ORDER BY n") == ["1", "2"])
    }
}
