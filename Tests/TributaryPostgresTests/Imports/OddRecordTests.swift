import Testing
import TributaryConcurrency
import TributaryJSON
import TributaryTestSupport

import Tributary
import TributaryPostgres

/// Records that are no objects or have no members, members whose names cannot be columns, and several routes.
@Suite struct OddRecordTests {
    let world: PostgresWorld

    init() throws { world = try PostgresWorld() }

    @Test("A record that is no object is in the column value, beside the members of others")
    func values() throws {
        let cases: [(text: String, types: [String], rows: [String])] = [
            ("[1,2,3]", ["value bigint"], (1...3).map { "{\"value\": \($0)}" }),
            (#"["a",null]"#, ["value text"], [#"{"value": "a"}"#, #"{"value": null}"#]),
            ("[[1,2],[]]", ["value jsonb"], ["{\"value\": [1, 2]}", "{\"value\": []}"]),
            ("true\n1.5\n", ["value jsonb"], ["{\"value\": 1.5}", "{\"value\": true}"]),
            (
                #"[1,"x",{"a":1}]"#, ["value jsonb", "a bigint"],
                [#"{"a": 1, "value": null}"#, #"{"a": null, "value": "x"}"#, #"{"a": null, "value": 1}"#]
            ),
            (
                #"[{"a":true,"value":1,"a":false},2]"#, ["a boolean", "value bigint"],
                [#"{"a": false, "value": 1}"#, #"{"a": null, "value": 2}"#]
            ),
            ("[{},{}]", [], ["{}", "{}"]), ("{}", [], ["{}"]),
        ]
        for (number, (text, types, rows)) in cases.enumerated() {
            let table = "t\(number)"
            let summary = try world.load(text, .inferred(table), file: "\(table).json")
            #expect(summary.inserted == rows.count && summary.unmatched == nil, "\(text): \(summary)")
            #expect(try world.types(table) == types && world.rows(table).sorted() == rows.sorted(), "\(text)")
        }
        // A record without members has the defaults of a table, and a later dump adds the first column.
        #expect(try world.load(#"[{"a":1},{}]"#, .inferred("t6"), file: "more.json").inserted == 2)
        #expect(try world.rows("t6").sorted() == [#"{"a": 1}"#] + Array(repeating: #"{"a": null}"#, count: 3))
        try world.execute("CREATE TABLE other (id serial, v text DEFAULT 'd')")
        #expect(try world.load("[{}]", .table("other"), file: "other.json").inserted == 1)
        #expect(try world.rows("other") == [#"{"v": "d", "id": 1}"#])
        // With a key, a record that has none is a reject.
        #expect(try world.load(#"[{"id":1},7,{}]"#).tally == [3, 1, 0, 0, 0, 0, 2])
    }

    @Test("Members whose names a table cannot have, or have twice but for case, are columns all the same")
    func names() throws {
        let long = String(repeating: "é", count: 32)
        let members = [("Id", "1"), ("id", "2"), ("ID", "3"), ("", "4"), (long, "5"), ("a\\u0000b", "6"), ("_pk", "7")]
        func dump(_ members: [(String, String)]) -> String {
            "[{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}]"
        }
        let summary = try world.load(dump(members))
        #expect(summary.inserted == 1 && summary.mapping == nil, "\(summary)")
        let names = try world.types().map { String($0.dropLast(" bigint".count)) }
        #expect(names.count == 7 && Set(names).isSuperset(of: ["Id", "id", "ID", "_pk"]), "\(names)")
        #expect(names.allSatisfy { !$0.isEmpty && $0.utf8.count <= 63 } && names[4].hasPrefix("éééé"), "\(names)")
        let values = try world.column(
            "SELECT string_agg(v, ' ' ORDER BY v) FROM thing, jsonb_each_text(to_jsonb(thing)) e(k, v)")
        #expect(values == ["1 2 3 4 5 6 7"])
        // In another order the members have the same columns.
        #expect(try world.load(dump(members.reversed()), file: "b.json").tally == [1, 0, 0, 1, 0, 0, 0])
        #expect(try world.load(dump([("id", "2"), ("iD", "8")]), file: "c.json").tally == [1, 0, 1, 0, 0, 0, 0])
        #expect(try world.types().count == 8)
    }

    @Test("A dump with too many members ends at once, unless columns are chosen")
    func tooManyMembers() throws {
        let records = (0..<20_000).map { "{\"id\":\($0),\"v\":{\"n\":1,\"m\($0)\":\($0)},\"w\(20_000 - $0)\":1}" }
        let text = "[\(records.joined(separator: ",\n"))"
        var flat = ColumnInference()
        flat.shaping = ColumnShaping()
        flat.shaping?.flatten = "_"
        for inference in [flat, ColumnInference()] {
            let error = try #require(throws: ImportError.self) {
                // The end of the array is missing.
                try world.load(text, .inferred("thing", key: "id", inference)) { options, _ in
                    options.onError = .stop
                }
            }
            #expect("\(error)".contains("more than 1598") && "\(error)".contains("choose columns"), "\(error)")
        }
        // No record has many, and no thread sees all.
        let spread = (0..<40).map { row in
            "{\"id\":\(row),\((0..<55).map { "\"c\(row * 55 + $0)\":1" }.joined(separator: ","))}\n"
        }
        let refused = #expect(throws: ImportError.self) {
            try world.load(spread.joined(), .inferred("spread", key: "id"), file: "spread.ndjson")
        }
        #expect(refused.map { "\($0)" }?.contains("more than 1598") ?? false)
        let deep = String(repeating: "{\"a\":", count: 70) + "1" + String(repeating: "}", count: 70)
        let prices = (0..<61).map { "\"c\($0)\":{\"n\":\($0)}" }.joined(separator: ",")
        let nested = "{\"id\":1,\"p\":{\(prices)},\"d\":\(deep)}\n{\"id\":2,\"p\":{\"c3\":{\"n\":7}}}\n"
        #expect(try world.load(nested, .inferred("flat", key: "id", flat), file: "flat.ndjson").inserted == 2)
        #expect(try world.types("flat").count == 63)
        var chosen = ColumnInference()
        chosen.shaping = ColumnShaping()
        chosen.shaping?.columns = [.init("id", path: "id"), .init("n", path: "v.n"), .init("v", path: "v")]
        #expect(try world.load(text + "]", .inferred("thing", key: "id", chosen)).inserted == 20_000)
        #expect(try world.types() == ["id bigint", "n bigint", "v jsonb"])
    }

    @Test("Several routes read the sources as often as one does, each with the columns of its own records")
    func routes() throws {
        let text = #"{"a":[{"k":"x","p":1},{"k":"y","q":"z"}],"b":[{"r":true},{"r":null}]}"#
        func opens(_ routes: [ImportRoute]) throws -> Int {
            let source = CountedSource(MemorySource(Array(text.utf8), name: "dump.json"))
            let feed = PostgresImport(into: try world.address(), from: [source], routes: routes)
            #expect(try feed.perform().summary.isBalanced)
            return source.opens.withLock { $0 }
        }
        let one = try opens([.inferred("all", at: ".a[]")])
        let three: [ImportRoute] = [
            .inferred("x", at: ".a[]").when("k", is: "x"), .inferred("y", at: ".a[]"), .inferred("b", at: ".b[]"),
        ]
        #expect(try opens(three) == one)
        #expect(try world.rows("x") == [#"{"k": "x", "p": 1}"#] && world.rows("y") == [#"{"k": "y", "q": "z"}"#])
        #expect(try world.rows("b") == [#"{"r": null}"#, #"{"r": true}"#])
    }
}

/// A source that counts how often it is opened.
private struct CountedSource: ByteSource {
    let opens = Guarded(0)
    private let base: MemorySource

    init(_ base: MemorySource) { self.base = base }

    var name: String { base.name }
    var byteCount: Int? { base.byteCount }

    func open() throws -> any ByteStream {
        opens.withLock { $0 += 1 }
        return try base.open()
    }
}
