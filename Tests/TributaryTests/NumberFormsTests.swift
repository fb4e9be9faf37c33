import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Integers and reals in inferred columns, which have no type: equal numbers of both kinds are different values.
@Suite struct NumberFormsTests {
    /// An integer and a real that are equal, or nearly so.
    struct Pair: Sendable {
        let whole: FeedValue
        let real: FeedValue
    }

    private static let pairs = [
        Pair(
            whole: FeedValue("9007199254740993", 9_007_199_254_740_993),
            real: FeedValue("9007199254740992.0", 9_007_199_254_740_992.0)),
        Pair(whole: FeedValue("1", 1), real: FeedValue("1.0", 1.0)),
        Pair(whole: FeedValue("0", 0), real: FeedValue("-0.0", .real(-0.0))),
        Pair(whole: FeedValue("true", 1), real: FeedValue("1e0", 1.0)),
    ]

    private static func text(_ records: [(id: String, v: String)]) -> String {
        "[" + records.map { "{\"id\":\($0.id),\"v\":\($0.v)}" }.joined(separator: ",") + "]"
    }

    @Test("Changing an integer to an equal real, or back, updates the row", arguments: pairs, [false, true])
    func anotherKindIsAnotherValue(_ pair: Pair, _ isTurned: Bool) async throws {
        let (earlier, later) = isTurned ? (pair.real, pair.whole) : (pair.whole, pair.real)
        let stored = try #require(later.stored)
        let table = try InferredTable()
        #expect(try await table.take(Self.text([("1", earlier.json)])) == [1, 1, 0, 0, 0, 0, 0])
        #expect(try await table.take(Self.text([("1", later.json)])) == [1, 0, 1, 0, 0, 0, 0])
        #expect(try table.rows("SELECT \"v\" FROM \"thing\"") == [[stored]])
        // The same value again changes nothing.
        #expect(try await table.take(Self.text([("1", later.json)])) == [1, 0, 0, 1, 0, 0, 0])
        #expect(try table.rows("SELECT \"v\" FROM \"thing\"") == [[stored]])
    }

    @Test("The batch size does not change how numbers are stored")
    func theBatchSizeDecidesNothing() async throws {
        let feed = Self.text([
            ("1", "2"), ("1", "1.0"), ("2", "5"), ("2", "-0.0"), ("3", "\"x\""), ("3", "1.0"),
        ])
        var exact: [[String]] = []
        for batchSize in [1, 2, 3, 100] {
            let table = try InferredTable()
            try await table.take(Self.text([("1", "1"), ("2", "0"), ("3", "true")]))
            #expect(try await table.take(feed, batchSize: batchSize) == [6, 0, 6, 0, 0, 0, 0], "batch \(batchSize)")
            let rows = try table.rows("SELECT \"id\", \"v\", typeof(\"v\") FROM \"thing\" ORDER BY \"id\"")
            let expected: [[SQLValue]] = [[1, 1.0, "real"], [2, .real(-0.0), "real"], [3, 1.0, "real"]]
            #expect(rows == expected, "batch \(batchSize)")
            exact.append(rows.map { $0.map(\.exact).joined(separator: "|") })
        }
        #expect(Set(exact).count == 1, "\(exact)")
    }

    @Test("Equal numbers are one key in every form, and the first form is kept", arguments: [1, 2, 3, 100])
    func aKeyIsTheSameInAllForms(_ batchSize: Int) async throws {
        let table = try InferredTable()
        try await table.take(Self.text([("1", "1")]))
        let feed = Self.text([("5", "1"), ("5.0", "2"), ("1.0", "2"), ("1", "1.0")])
        #expect(try await table.take(feed, batchSize: batchSize) == [4, 1, 3, 0, 0, 0, 0])
        let query: SQLFragment = "SELECT \"id\", typeof(\"id\"), \"v\", typeof(\"v\") FROM \"thing\" ORDER BY \"id\""
        let expected: [[SQLValue]] = [[1, "integer", 1.0, "real"], [5, "integer", 2, "integer"]]
        #expect(try table.rows(query) == expected)
        let again = Self.text([("1.0", "1.0"), ("5.0", "2")])
        #expect(try await table.take(again, batchSize: batchSize) == [2, 0, 0, 2, 0, 0, 0])
        #expect(try table.rows(query) == expected)
    }

    @Test("A number that is changed and changed back is stored as it was", arguments: [1, 2, 100])
    func whatComesBackIsAsItWas(_ batchSize: Int) async throws {
        let table = try InferredTable()
        try await table.take(Self.text([("1", "1"), ("2", "1.0")]))
        let feed = Self.text([("1", "1.0"), ("1", "1"), ("2", "1"), ("2", "1.0")])
        #expect(try await table.take(feed, batchSize: batchSize) == [4, 0, 4, 0, 0, 0, 0])
        let rows = try table.rows("SELECT \"id\", \"v\", typeof(\"v\") FROM \"thing\" ORDER BY \"id\"")
        #expect(rows == [[1, 1, "integer"], [2, 1.0, "real"]] as [[SQLValue]])
    }
}
