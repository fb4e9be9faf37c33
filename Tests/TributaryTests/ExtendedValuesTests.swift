import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Typed values of MongoDB's Extended JSON are plain in columns, at any depth, and all else stays as it is.
@Suite struct ExtendedValuesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Typed values, with what hand has written for them.
    private static let typed = [
        (#"{"$oid":"507f1f77bcf86cd799439011"}"#, #""507f1f77bcf86cd799439011""#),
        (#"{"\u0024oid":"a\u0062"}"#, #""ab""#), (#"{ "$numberLong" : "5" }"#, "5"),
        (#"{"$numberInt":"-7"}"#, "-7"), (#"{"$numberDouble":"1.5"}"#, "1.5"),
        (#"{"$numberDouble":"Infinity"}"#, #""Infinity""#), (#"{"$numberDecimal":"2.25"}"#, "2.25"),
        (#"{"$numberDecimal":"0.1000000000000000000001"}"#, #""0.1000000000000000000001""#),
        (#"{"$date":{"$numberLong":"0"}}"#, #""1970-01-01T00:00:00.000Z""#),
        (#"{"$date":"2014-01-01T00:00:00.000-0700"}"#, #""2014-01-01T07:00:00.000Z""#),
        (#"{"$date":"2020-02-03T04:05:06Z"}"#, #""2020-02-03T04:05:06Z""#),
        (#"{"$timestamp":{"t":5,"i":1}}"#, #""5:1""#), (#"{"$undefined":true}"#, "null"),
        (#"{"$binary":{"base64":"AQI=","subType":"00"}}"#, #""AQI=""#),
        (#"{"$uuid":"3b241101-e2bb-4255-8caf-4136c566a962"}"#, #""3b241101-e2bb-4255-8caf-4136c566a962""#),
        (#"{"$symbol":"s"}"#, #""s""#), (#"{"$code":"f()"}"#, #""f()""#),
    ]

    /// Values that look like typed ones, and are none.
    private static let others = [
        #"{"$oid":5}"#, #"{"$oid":"a","b":1}"#, #"{"b":1,"$oid":"a"}"#, #"{"$numberLong":"x"}"#, #"{"$numberLong":5}"#,
        #"{"$numberLong":"9223372036854775808"}"#, #"{"$numberDecimal":"1.x"}"#, #"{"$numberDouble":"many"}"#,
        #"{"$date":"soon"}"#, #"{"$date":true}"#, #"{"$timestamp":{"t":5}}"#, #"{"$timestamp":{"t":"5","i":1}}"#,
        #"{"$undefined":false}"#, #"{"$binary":"AQI="}"#, #"{"$binary":{"base64":"AQI="}}"#, #"{"$minKey":1}"#,
        #"{"$regularExpression":{"pattern":"a","options":""}}"#, #"{"$ref":"c","$id":1}"#, "{}", #"{"$":"a"}"#,
        #"{"$eq":"$5"}"#, #""{\"$oid\":\"a\"}""#, "[]", "7", "null", #"{"a":"\\$"}"#,
    ]

    /// A value as it is in a feed, and as a column has it.
    private func value(_ depth: Int, _ lots: inout SeededGenerator) -> (feed: String, plain: String) {
        if depth == 0 || lots.once(in: 3) {
            if lots.once(in: 2) { return lots.pick(Self.typed) }
            let other = lots.pick(Self.others)
            return (other, other)
        }
        let inner = (0..<1 + lots.below(3)).map { _ in value(depth - 1, &lots) }
        if lots.once(in: 2) {
            return ("[\(inner.map(\.feed).joined(separator: ","))]", "[\(inner.map(\.plain).joined(separator: ","))]")
        }
        func object(_ texts: [String]) -> String {
            "{\(texts.enumerated().map { "\"\(["a", "x$", "$y"][$0])\":\($1)" }.joined(separator: ","))}"
        }
        return (object(inner.map(\.feed)), object(inner.map(\.plain)))
    }

    /// A value as SQLite has it.
    private func cell(_ json: String) throws -> SQLValue {
        if json.hasPrefix("\"") { return .text(try JSONDecoder().decode(String.self, from: Data(json.utf8))) }
        if json == "null" { return .null }
        if let whole = Int64(json) { return .integer(whole) }
        return Double(json).map { .real($0) } ?? .text(json)
    }

    @Test("Typed values become what hand has written, in flat tables and in those of nested objects")
    func equal() throws {
        var lots = SeededGenerator.sampled(17_200)
        for number in 0..<10 {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            let values = (0..<60).map { _ in value(3, &own) }
            let lines = values.enumerated().map {
                "{\"_id\":{\"$numberInt\":\"\($0)\"},\"v\":\($1.feed),\"l\":[{\"w\":\($1.feed)}]}"
            }
            let path = try folder.write((lines.joined(separator: "\n") + "\n").utf8, to: "\(number).ndjson")
            let name = folder.path("\(number).sqlite")
            var options = ImportOptions()
            (options.batchSize, options.jobs) = (1 + own.below(30), 1 + own.below(3))
            options.firstLoad = own.once(in: 2) ? .direct : .inGroups
            let manager = try ContextManager(inferring: "flat", key: ImportKey("_id"), at: name)
            try manager.load(.file(path), [.inferred("flat", key: ImportKey("_id"))], options)
            let expected = try values.enumerated().map { [.integer(Int64($0)), try cell($1.plain)] as [SQLValue] }
            try expect(try rows(name, "SELECT _id, v FROM flat ORDER BY _id"), expected, "seed \(seed)")
            // A member with other values beside objects has no table.
            let related = folder.path("\(number)-related.sqlite")
            let found = try DiscoveredRelations(in: [.file(path)], table: "t", all: true, into: related)
            try ContextManager(found, at: related).load(.file(path), [found.route()], options)
            for query in [
                "SELECT _id, v FROM t ORDER BY _id", "SELECT t._id, w FROM l JOIN t ON t._pk = l.t ORDER BY t._id",
            ] {
                try expect(try rows(related, query), expected, "seed \(seed), \(query)")
            }
        }
    }

    private func expect(_ found: [[SQLValue]], _ expected: [[SQLValue]], _ place: String) throws {
        let isEqual = found == expected
        #expect(isEqual, "\(place): \(zip(found, expected).first { $0 != $1 }.map { "\($0)" } ?? "")")
    }

    private func rows(_ path: String, _ sql: String) throws -> [[SQLValue]] {
        var options = Connection.Options()
        options.isReadOnly = true
        return try Connection(.file(path), options: options).rows(of: SQLFragment(trusted: sql))
    }
}
