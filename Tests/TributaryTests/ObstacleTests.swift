import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Attributes with nested key paths: a record with another value in place of the nested object is rejected.
@Suite struct ObstacleTests {
    enum Way: CaseIterable, Sendable { case rows, derived, closure }

    private let folder: TemporaryFolder
    private let manager: ContextManager

    /// Two entities with a nested attribute; `Named` has a derived one too.
    init() throws {
        folder = try TemporaryFolder()
        let entities = ["Plain", "Named"].map { name in
            var inner = AttributeDescription("b", .integer64)
            inner.userInfo = ["json": "a.b"]
            var entity = EntityDescription(name)
            entity.attributes = [
                AttributeDescription("id", .integer64), AttributeDescription("x", .integer64), inner,
                AttributeDescription("s", .string),
            ]
            if name == "Named" {
                var derived = AttributeDescription("plain", .string)
                derived.derivation = "canonical:(s)"
                entity.attributes.append(derived)
            }
            entity.uniquenessConstraints = [["id"]]
            return entity
        }
        manager = try ContextManager(model: Model(ModelDescription(entities)), store: .sqlite(folder.path("b.sqlite")))
    }

    private func route(_ way: Way) -> ImportRoute {
        switch way {
        case .rows: .rows("Plain", at: "[]")
        case .derived: .rows("Named", at: "[]")
        case .closure:
            .objects("Plain", at: "[]") { record, object in
                let x: Int64? = record["x"]
                let b: Int64? = record["a"]["b"]
                object["x"] = x.map { .integer($0) } ?? .null
                object["b"] = b.map { .integer($0) } ?? .null
            }
        }
    }

    /// Imports records, and returns the counts and the place and reason of each reject.
    private func take(
        _ records: [String], by way: Way, batchSize: Int
    ) throws -> (counts: [Int], refused: [String]) {
        let rejects = folder.path("\(way) \(batchSize).ndjson")
        let text = "[\(records.joined(separator: ","))]"
        let counts = try manager.load(.text(text), [route(way)], .batches(of: batchSize, rejects: rejects)).tally
        var refused: [String] = []
        var reader = RejectsReader(FileSource(rejects))
        while case .reject(let line, _)? = try reader.next() {
            refused.append("\(line.record ?? 0) \(line.code) \(line.path ?? "") \(line.reason)")
        }
        return (counts, refused)
    }

    @Test(
        "A record with a number in place of a nested object is rejected by any route",
        arguments: Way.allCases, [1, 100])
    func theyAreRefusedAllTheSame(_ way: Way, _ batchSize: Int) throws {
        let records = [
            #"{"id":1,"x":2,"a":5}"#, #"{"id":2,"x":1,"x":2,"a":5}"#, #"{"id":6,"a":{"b":1},"a":7}"#,
            // The last value of `a` in these is an object, null or missing.
            #"{"id":7,"a":7,"a":{"b":3}}"#, #"{"id":8,"x":1,"x":3,"a":null}"#, #"{"id":9,"x":1,"x":3}"#,
            #"{"id":10,"x":1,"x":3,"a":{}}"#, #"{"id":11,"a":{"b":2}}"#,
        ]
        let (counts, refused) = try take(records, by: way, batchSize: batchSize)
        #expect(counts == [8, 5, 0, 0, 0, 0, 3])
        let expected = [5, 5, 7].enumerated().map { index, value in
            "\(index + 1) convert.type $[\(index)].a found \(value), expected an object"
        }
        #expect(refused == expected)
        let table = way == .derived ? "Named" : "Plain"
        let rows = try manager.stores.stores[0].read { connection in
            try connection.rows(of: "SELECT \"id\", \"x\", \"b\" FROM \(identifier: table) ORDER BY \"id\"")
        }
        #expect(rows == [[7, .null, 3], [8, 3, .null], [9, 3, .null], [10, 3, .null], [11, .null, 2]])
    }
}
