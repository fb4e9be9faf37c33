import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Columns that are found, where the key stands elsewhere in a record and a member has the name of its column.
@Suite struct KeyNameTests {
    @Test(arguments: [1, 100]) func aMemberWithTheNameOfTheKeyIsKept(_ batchSize: Int) async throws {
        let table = try FoundTable()
        let key = ImportKey("id", remote: "meta.id")
        let text = """
            [{"id":"x","meta":{"id":5},"a":1},{"meta":{"id":6},"a":2},{"a":3,"meta":{"id":7},"id":[1, 2]}]
            """
        let expected: [[String: SQLValue]] = [
            ["id": 5, "meta": "{\"id\":5}", "a": 1, "_rest": "{\"id\":\"x\"}"],
            ["id": 6, "meta": "{\"id\":6}", "a": 2],
            ["id": 7, "meta": "{\"id\":7}", "a": 3, "_rest": "{\"id\":[1,2]}"],
        ]
        #expect(try await table.take(text, key: key, batchSize: batchSize) == [3, 3, 0, 0, 0, 0, 0])
        #expect(try table.records() == expected)
        #expect(try await table.take(text, key: key, batchSize: batchSize) == [3, 0, 0, 3, 0, 0, 0])
        #expect(try table.records() == expected)
        // What stands there is a value like any other.
        let other = text.replacing("\"x\"", with: "\"y\"")
        #expect(try await table.take(other, key: key, batchSize: batchSize) == [3, 0, 1, 2, 0, 0, 0])
        #expect(try table.records().first?["_rest"] == "{\"id\":\"y\"}")
    }

    @Test func theKeyOfAMemberIsTheKey() async throws {
        let table = try FoundTable()
        let text = #"{"users":{"u1":{"id":7,"a":1},"u2":{"a":2},"u3":{"id":null,"a":3}}}"#
        let counts = try await table.take(text, key: ImportKey("id", remote: "_key"), at: ".users{}")
        #expect(counts == [3, 3, 0, 0, 0, 0, 0])
        let records = try table.records()
        #expect(records.map { $0["id"] } == ["u1", "u2", "u3"])
        #expect(records.map { $0["a"] } == [1, 2, 3])
        #expect(records.first?["_rest"] == "{\"id\":7}")
        #expect(records.dropFirst().first?.keys.contains("_rest") == false)
    }

    @Test func namesThatDifferInCaseOnlyAreKeptAsWell() async throws {
        let table = try FoundTable()
        let text = #"[{"ID":"y","uid":3,"id":"x"}]"#
        try await table.take(text, key: ImportKey("id", remote: "uid"))
        #expect(try table.records() == [["id": 3, "uid": 3, "_rest": "{\"ID\":\"y\",\"id\":\"x\"}"]])
    }

    /// Of a key of several parts one may stand under its own name.
    @Test func partsOfAKeyThatStandElsewhere() async throws {
        let table = try FoundTable()
        let key = ImportKey(["a", "b"], remote: ["a", "x.b"])
        try await table.take(#"[{"a":1,"b":"own","x":{"b":2}},{"x":{"b":3},"a":1}]"#, key: key)
        #expect(
            try table.records() == [
                ["a": 1, "b": 2, "x": "{\"b\":2}", "_rest": "{\"b\":\"own\"}"], ["a": 1, "b": 3, "x": "{\"b\":3}"],
            ])
    }
}
