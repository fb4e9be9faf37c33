import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// The declared types of inferred columns.
@Suite struct DeclaredTypesTests {
    private struct Sample {
        let json: String
        let stored: SQLValue
        /// `i` whole, `b` beyond 2^53, `r` fraction, `z` -0.0, `t` text; nil for null.
        let kind: Character?
    }

    private static let samples = [
        Sample(json: "0", stored: 0, kind: "i"), Sample(json: "-17", stored: -17, kind: "i"),
        Sample(json: "true", stored: 1, kind: "i"),
        Sample(json: "9007199254740992", stored: 9_007_199_254_740_992, kind: "i"),
        Sample(json: "9007199254740993", stored: 9_007_199_254_740_993, kind: "b"),
        Sample(json: "-9223372036854775808", stored: .integer(.min), kind: "b"),
        Sample(json: "1.5", stored: 1.5, kind: "r"), Sample(json: "3.0", stored: 3.0, kind: "r"),
        Sample(json: "1e300", stored: 1e300, kind: "r"),
        Sample(json: "0.1234567890123456789", stored: 0.12345678901234568, kind: "r"),
        Sample(json: "-0", stored: .real(-0.0), kind: "z"), Sample(json: "-0.0", stored: .real(-0.0), kind: "z"),
        Sample(json: "\"007\"", stored: "007", kind: "t"), Sample(json: "\"12\"", stored: "12", kind: "t"),
        Sample(json: "\"1.0\"", stored: "1.0", kind: "t"),
        Sample(json: "{\"a\" : [1]}", stored: "{\"a\":[1]}", kind: "t"),
        Sample(json: "123456789012345678901", stored: "123456789012345678901", kind: "t"),
        Sample(json: "1e999", stored: "1e999", kind: "t"), Sample(json: "null", stored: .null, kind: nil),
    ]

    /// The declared type that changes no value.
    private static func type(_ kinds: Set<Character>) -> String {
        if kinds.isEmpty || kinds.contains("z") || kinds.contains("t") && kinds.count > 1 { return "" }
        if kinds.isSuperset(of: ["b", "r"]) { return "" }
        return kinds.contains("t") ? "TEXT" : kinds.contains("r") ? "REAL" : "INTEGER"
    }

    @Test("A column has the type that changes none of its values, within an import and in later ones")
    func anyValues() async throws {
        var lots = SeededGenerator.sampled(6_100)
        for round in 0..<12 {
            let label: Comment = "round \(round), seed \(lots.seed)"
            let table = try InferredTable()
            let width = 6
            // Each column draws from few kinds, so that not all of them are mixed.
            let choices = (0..<width).map { _ in (0..<lots.pick([1, 2, 3])).map { _ in lots.pick(Self.samples) } }
            var stored: [Int: [SQLValue]] = [:]
            var kinds = [Set<Character>](repeating: [], count: width)
            for part in 0..<3 {
                var texts: [String] = []
                for _ in 0..<lots.pick([1, 5, 60]) {
                    // Some records repeat a key, of this import or an earlier one.
                    let id = Int.random(in: 0..<80, using: &lots)
                    // The first import draws fewer kinds.
                    let row = choices.map { part == 0 ? $0[0] : lots.pick($0) }
                    stored[id] = row.enumerated().map { $1.stored.byValue }
                    for (column, sample) in row.enumerated() {
                        if let kind = sample.kind { kinds[column].insert(kind) }
                    }
                    let members = row.enumerated().map { "\"c\($0)\":\($1.json)" }.joined(separator: ",")
                    texts.append("{\"id\":\(id),\(members)}")
                }
                let way = lots.pick([ImportOptions.FirstLoad.direct, .inGroups])
                try await table.take("[\(texts.joined(separator: ","))]", batchSize: lots.pick([1, 7, 1000])) {
                    $0.firstLoad = way
                }
                let names = (0..<width).map { "\"c\($0)\"" }.joined(separator: ",")
                let rows = try table.rows(SQLFragment(trusted: "SELECT \"id\",\(names) FROM \"thing\" ORDER BY \"id\""))
                // Zero and -0.0 are equal, so one does not replace the other.
                func plain(_ value: SQLValue) -> SQLValue { value == .real(-0.0) ? 0 : value.byValue }
                let wanted = stored.sorted { $0.key < $1.key }.map { [SQLValue.integer(Int64($0.key))] + $0.value }
                #expect(rows.map { $0.map(plain) } == wanted.map { $0.map(plain) }, label)
                let types = try table.rows("SELECT \"type\" FROM pragma_table_info('thing') WHERE \"name\" LIKE 'c_'")
                #expect(types == kinds.map { [.text(Self.type($0))] }, label)
                #expect(try table.rows("PRAGMA integrity_check") == [["ok"]], label)
            }
        }
    }

    private static func text(_ records: [(id: String, v: String)]) -> String {
        "[" + records.map { "{\"id\":\($0.id),\"v\":\($0.v)}" }.joined(separator: ",") + "]"
    }

    @Test("Equal numbers are one key and one value in every form", arguments: [1, 2, 3, 100])
    func formsOfNumbers(_ batchSize: Int) async throws {
        let table = try InferredTable()
        try await table.take(Self.text([("1", "1")]))
        let feed = Self.text([("5", "1"), ("5.0", "2"), ("1.0", "2"), ("1", "1.0"), ("1", "1")])
        #expect(try await table.take(feed, batchSize: batchSize) == [5, 1, 3, 1, 0, 0, 0])
        #expect(try table.rows("SELECT \"id\", \"v\" FROM \"thing\" ORDER BY \"id\"") == [[1.0, 1.0], [5.0, 2.0]])
        let again = Self.text([("1.0", "1.0"), ("5", "2")])
        #expect(try await table.take(again, batchSize: batchSize) == [2, 0, 0, 2, 0, 0, 0])
    }

    @Test("A text is another key than the number with its digits, whatever the column's type is", arguments: [1, 100])
    func textAndNumbersAsKeys(_ batchSize: Int) async throws {
        let table = try InferredTable()
        try await table.take(Self.text([("7", "1")]))
        #expect(
            try await table.take(Self.text([("\"7\"", "2"), ("7", "3")]), batchSize: batchSize) == [
                2, 1, 1, 0, 0, 0, 0,
            ])
        #expect(try await table.take(Self.text([("\"7\"", "2"), ("7", "3")])) == [2, 0, 0, 2, 0, 0, 0])
        let texts = try InferredTable()
        try await texts.take(Self.text([("\"7\"", "1")]))
        #expect(try await texts.take(Self.text([("7", "2")]), batchSize: batchSize) == [1, 1, 0, 0, 0, 0, 0])
        let rows = try texts.rows("SELECT \"id\", \"v\" FROM \"thing\" ORDER BY \"_pk\"")
        #expect(rows == [["7", 1], [7, 2]])
    }

    @Test("Rounded decimals, numbers kept as text, mixed columns and members without a column are reported")
    func report() throws {
        let folder = try TemporaryFolder()
        let text = """
            {"a":0.12345678901234567890,"b":123456789012345678901,"c":1,"d":2,"A":3,"_pk":4}
            {"a":0.5,"b":1,"c":"x","a2":0.12345678901234567890}
            """
        func summary(_ inference: ColumnInference, _ name: String) throws -> ImportSummary {
            let manager = try ContextManager(inferring: "t", at: folder.path(name))
            return try manager.load(.text(text), [.inferred("t", inference)])
        }
        let plain = try #require(try summary(ColumnInference(), "a.sqlite").inferred?["t"])
        #expect(plain.rounded == ["a": 1, "a2": 1] && plain.digits == ["b": 1] && plain.mixed == ["b", "c"])
        #expect(plain.rest["A"]?.reason == .letterCase && plain.rest["_pk"]?.reason == .name)
        var exact = ColumnInference()
        exact.numbers = .exact
        let kept = try #require(try summary(exact, "b.sqlite").inferred?["t"])
        #expect(kept.rounded.isEmpty && kept.digits == ["a": 1, "a2": 1, "b": 1] && kept.mixed == ["a", "b", "c"])
    }

    @Test("A value that a stated type cannot hold without loss makes its record a reject")
    func statedTypes() throws {
        let folder = try TemporaryFolder()
        let text = """
            {"i":12,"r":"1.5","t":12.50,"n":1}
            {"i":"12","r":2,"t":true,"n":"x"}
            {"i":"007"}
            {"i":1.5}
            {"r":"x"}
            {"r":[1]}
            {"i":null,"r":1.0,"t":{"a":1}}
            """
        var inference = ColumnInference()
        inference.types = ["i": .integer, "r": .real, "t": .text, "n": .any]
        let path = folder.path("a.sqlite")
        let manager = try ContextManager(inferring: "t", at: path)
        var options = ImportOptions()
        options.onError = .quarantine
        let summary = try manager.load(.text(text), [.inferred("t", inference)], options)
        #expect(summary.inserted == 3 && summary.rejected == 4)
        let reasons = try manager.rejects.page().map { $0.reason }
        #expect(reasons.first?.contains("i takes a whole number of 64 bits, not \"007\"") ?? false, "\(reasons)")
        let connection = try Connection(.file(path))
        #expect(
            try connection.rows(of: "SELECT \"i\", \"r\", \"t\", \"n\" FROM \"t\"")
                == [[12, 1.5, "12.50", 1], [12, 2.0, "true", "x"], [.null, 1.0, "{\"a\":1}", .null]])
        #expect(
            try connection.rows(of: "SELECT \"type\" FROM pragma_table_info('t') WHERE \"cid\" > 1")
                == [["INTEGER"], ["REAL"], ["TEXT"], [""]])
    }

    @Test("Nested values are stored without blanks and with plain characters, in every spelling")
    func nestedValues() async throws {
        let table = try InferredTable()
        let first = #"[{"id":1,"v":{ "k\u00e9y" : "caf\u00e9 \/ \u000a \ud83d\ude00 \u0022 \u0001\\" }}]"#
        try await table.take(first)
        #expect(
            try table.rows("SELECT \"v\" FROM \"thing\"") == [[.text(#"{"kéy":"café / \n 😀 \" \u0001\\"}"#)]])
        let second = #"[{"id":1,"v":{"kéy":"café / \n 😀 \u0022 \u0001\\"}}]"#
        #expect(try await table.take(second) == [1, 0, 0, 1, 0, 0, 0])
    }
}
