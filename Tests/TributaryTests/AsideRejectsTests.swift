import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Possible duplicates that a load holds back and then rejects, which name the same places as other rejects.
@Suite struct AsideRejectsTests {
    enum Layout: CaseIterable, Sendable {
        case array, lines, keyed

        var path: RecordPath? {
            switch self {
            case .array: "[]"
            case .lines: nil
            case .keyed: ".a.users{}"
            }
        }

        func text(_ records: [String]) -> String {
            switch self {
            case .array: "[" + records.joined(separator: ",\n ") + "]"
            case .lines: records.map { $0 + "\n" }.joined()
            case .keyed:
                "{\"a\":{\"users\":{\n"
                    + records.enumerated().map { "\"ü\($0)\" :  \($1)" }.joined(separator: ",\n") + "}}}"
            }
        }
    }

    /// Ten records of three ids, six of which are rejected: five that repeat a key, and one without a key.
    private static let records = [
        "{\"id\":1,\"name\":\"a\"}",
        "{ \"id\" : 2, \"more\" : {\"é\" : [1,  2]}, \"name\" : \"b\" }",
        "{\"id\":1,  \"name\" : \"c\",\t\"score\" : \"high\" }",
        "{\"more\" : {\"\\u00e9\" : [1,   2]}, \"id\":2,   \"name\":7}",
        "{\"id\":1, \"name\":\"deep\", \"more\":{ \"x\" : [ {\"y\" : 1 } , { \"y\":\"one\"} ] }}",
        "{\"id\":1,  \"name\":\"thrown\"}",
        "{\"id\":3,\"name\":\"d\"}",
        "{ \"score\":1, \"id\":3 }",
        "{\"id\":null,\"name\":\"no key\"}",
        "{\"id\":2,\"name\":\"last\",\"score\":2}",
    ]

    /// The result of an import: its counts, rows and rejects.
    private struct Outcome: Equatable {
        var counts: [Int]
        var rows: [String]
        var rejects: [String]
    }

    private func load(
        _ text: String, at path: RecordPath?, batchSize: Int
    ) throws -> (result: Outcome, lines: [RejectedRecord]) {
        let items = try ItemStore()
        let rejects = items.folder.path("rejects.ndjson")
        let counts = try items.manager.load(
            .text(text),
            [
                .objects(FeedItem.self, at: path) { record, item in
                    let name: String = record["name"]
                    if name == "thrown" { throw Refusal() }
                    if name == "deep" {
                        let list: JSON = record["more"]["x"]
                        for element in list.elements { item.score = element["y"] }
                    }
                    item.name = name
                    if !record["score"].isMissing { item.score = record["score"] }
                }
            ], .loads(of: batchSize, rejects: rejects)
        ).tally
        var lines: [RejectedRecord] = []
        var reader = RejectsReader(FileSource(rejects))
        while let entry = try reader.next() {
            guard case .reject(let line, _) = entry else {
                Issue.record("a line of the rejects cannot be read: \(entry)")
                continue
            }
            lines.append(line)
        }
        // Deferred records are rejected after the others, so only the order of the rejects may differ.
        let result = Outcome(counts: counts, rows: try items.rows(), rejects: try FeedStore.rejects(rejects).sorted())
        #expect(try items.faults() == [])
        return (result, lines)
    }

    /// The same records, each on several lines.
    private static let tall = records.map { $0.replacing(",", with: ",\n   ") }

    /// Imports records in small batches and in one, and expects the same result.
    private func compare(_ records: [String], _ layout: Layout, batchSize: Int) throws {
        let text = layout.text(records)
        let whole = try load(text, at: layout.path, batchSize: 10_000).result
        #expect(whole.counts == [10, 3, 1, 0, 0, 0, 6])
        #expect(whole.rows == ["1 1 a", "2 2 last", "7 3 d"])
        #expect(whole.rejects.count == 6)
        let parts = try load(text, at: layout.path, batchSize: batchSize).result
        #expect(parts.counts == whole.counts && parts.rows == whole.rows)
        for (found, expected) in zip(parts.rejects, whole.rejects) { #expect(found == expected) }
        #expect(parts.rejects.count == whole.rejects.count)
    }

    @Test(
        "The batch size changes neither the rows nor the rejects of a load",
        arguments: Layout.allCases, [1, 2, 3, 5])
    func theBatchSizeDecidesNothing(_ layout: Layout, _ batchSize: Int) throws {
        try compare(Self.records, layout, batchSize: batchSize)
    }

    @Test(
        "The batch size changes no result of records that span several lines",
        arguments: [Layout.array, .keyed], [1, 2, 3, 5])
    func norWhereRecordsHaveSeveralLines(_ layout: Layout, _ batchSize: Int) throws {
        try compare(Self.tall, layout, batchSize: batchSize)
    }

    @Test(
        "A deferred record's reject names the byte, line and column of the wrong value",
        arguments: [1, 10_000], [false, true])
    func theValueIsNamedThatIsWrong(_ batchSize: Int, _ isTall: Bool) throws {
        let text = Layout.array.text(isTall ? Self.tall : Self.records)
        let lines = try load(text, at: "[]", batchSize: batchSize).lines
        for (path, value) in [("$[2].score", "\"high\""), ("$[3].name", "7}"), ("$[4].more.x[1].y", "\"one\"")] {
            let place = try #require(text.range(of: value)).lowerBound
            let head = Array(text.utf8[..<place])
            let start = head.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            let found = lines.first { $0.path == path }
            let line = try #require(found, "\(path) is not among \(lines.map(\.path))")
            #expect(line.byte == head.count)
            #expect(line.column == head.count - start + 1)
            #expect(line.line == head.count(where: { $0 == 0x0A }) + 1)
            #expect(line.code == "convert.type")
        }
    }

    /// The key of a member stands before its record, so it must be deferred together with the record.
    @Test("A deferred member of an object keeps its key", arguments: [1, 2, 10_000])
    func aKeyBeforeTheRecordIsKept(_ batchSize: Int) throws {
        let items = try ItemStore()
        let rejects = items.folder.path("rejects.ndjson")
        let text = """
            {"users":{"1":{"name":"a"}, "2":{"name":"b"},
              "1" : {"name" : "c"}, "2":{ "name" : 7}, "1":{"score":"high", "name":"d"}}}
            """
        let tally = try items.manager.load(
            .text(text),
            [
                .objects(FeedItem.self, at: ".users{}", key: ImportKey("id", remote: "_key")) { record, item in
                    let key: String = record["_key"]
                    let name: String = record["name"]
                    item.name = name + key
                    if !record["score"].isMissing { item.score = record["score"] }
                }
            ], .loads(of: batchSize, rejects: rejects)
        ).tally
        #expect(tally == [5, 2, 1, 0, 0, 0, 2])
        #expect(try items.rows() == ["1 1 c1", "2 2 b2"])
        var (codes, bytes): ([String], [Int]) = ([], [])
        var reader = RejectsReader(FileSource(rejects))
        while let entry = try reader.next() {
            guard case .reject(let line, _) = entry else { continue }
            codes.append(line.code)
            bytes.append(line.byte ?? -1)
            #expect(line.keyName == "_key")
        }
        #expect(codes == ["convert.type", "convert.type"])
        let number = try #require(text.range(of: "7}")).lowerBound
        let word = try #require(text.range(of: "\"high\"")).lowerBound
        #expect(bytes.sorted() == [number, word].map { text.utf8[..<$0].count })
    }
}
