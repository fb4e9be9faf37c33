import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Inferred columns where the key comes from elsewhere in a record, and a member has the key column's name.
@Suite struct KeyNameTests {
    @Test("A member with the name of the key column is kept in _rest", arguments: [1, 100])
    func aMemberWithTheNameOfTheKeyIsKept(_ batchSize: Int) async throws {
        let table = try InferredTable()
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
        // A change of that member is a change of the record.
        let other = text.replacing("\"x\"", with: "\"y\"")
        #expect(try await table.take(other, key: key, batchSize: batchSize) == [3, 0, 1, 2, 0, 0, 0])
        #expect(try table.records().first?["_rest"] == "{\"id\":\"y\"}")
    }

    @Test("A member name that is the key wins over the record's own id")
    func theKeyOfAMemberIsTheKey() async throws {
        let table = try InferredTable()
        let text = #"{"users":{"u1":{"id":7,"a":1},"u2":{"a":2},"u3":{"id":null,"a":3}}}"#
        let counts = try await table.take(text, key: ImportKey("id", remote: "_key"), at: ".users{}")
        #expect(counts == [3, 3, 0, 0, 0, 0, 0])
        let records = try table.records()
        #expect(records.map { $0["id"] } == ["u1", "u2", "u3"])
        #expect(records.map { $0["a"] } == [1, 2, 3])
        #expect(records.first?["_rest"] == "{\"id\":7}")
        #expect(records.dropFirst().first?.keys.contains("_rest") == false)
    }

    @Test("Members that differ from the key column only in case are kept in _rest")
    func namesThatDifferInCaseOnlyAreKeptAsWell() async throws {
        let table = try InferredTable()
        let text = #"[{"ID":"y","uid":3,"id":"x"}]"#
        try await table.take(text, key: ImportKey("id", remote: "uid"))
        #expect(try table.records() == [["id": 3, "uid": 3, "_rest": "{\"ID\":\"y\",\"id\":\"x\"}"]])
    }

    @Test("Each part of a compound key may come from its own place in the record")
    func partsOfAKeyThatStandElsewhere() async throws {
        let table = try InferredTable()
        let key = ImportKey(["a", "b"], remote: ["a", "x.b"])
        try await table.take(#"[{"a":1,"b":"own","x":{"b":2}},{"x":{"b":3},"a":1}]"#, key: key)
        #expect(
            try table.records() == [
                ["a": 1, "b": 2, "x": "{\"b\":2}", "_rest": "{\"b\":\"own\"}"], ["a": 1, "b": 3, "x": "{\"b\":3}"],
            ])
    }
}
