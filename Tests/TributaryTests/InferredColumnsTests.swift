import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Inferred columns are in the order in which their members first occur, however many threads prepare the records.
@Suite struct InferredColumnsTests {
    /// A record as JSON, and its members with the values that the columns get.
    private struct Drawn {
        var members: [(name: String, value: SQLValue)] = []
        var text: String
    }

    private static func record(_ number: Int, of count: Int, _ lots: inout SeededGenerator) -> Drawn {
        var drawn = Drawn(members: [("id", .integer(Int64(number)))], text: "{\"id\":\(number)")
        // Later records may have more members, so that new columns come in many chunks.
        var names: Set<Int> = []
        for _ in 0..<lots.below(5) { names.insert(lots.below(2 + number * 60 / count)) }
        for name in names.sorted().shuffled(using: &lots) {
            let (json, value): (String, SQLValue) =
                switch lots.below(6) {
                case 0: ("\(number)", .integer(Int64(number)))
                case 1: ("-12.50", .real(-12.5))
                case 2: ("\"t\\u00e9 \(number)\"", .text("té \(number)"))
                case 3: ("{\"a\" : [1, \"b c\"]}", .text("{\"a\":[1,\"b c\"]}"))
                case 4: ("{\"a\":[1]}", .text("{\"a\":[1]}"))
                default: ("123456789012345678901234567890", .text("123456789012345678901234567890"))
                }
            drawn.text += ",\"m\(name)\":\(json)"
            drawn.members.append(("m\(name)", value))
        }
        drawn.text += "}"
        return drawn
    }

    @Test("The order of the columns and the values do not depend on the threads", arguments: [1, 2, 5])
    func orderOfColumns(_ jobs: Int) async throws {
        var lots = SeededGenerator.sampled(5_400)
        for round in 0..<12 {
            let count = lots.pick([1, 20, 700])
            let records = (0..<count).map { Self.record($0, of: count, &lots) }
            let label: Comment = "round \(round), seed \(lots.seed)"
            let table = try InferredTable()
            let text = "[\(records.map(\.text).joined(separator: ","))]"
            let batch = lots.pick([1, 7, 50])
            let counts = try await table.take(text, batchSize: batch) { $0.jobs = jobs }
            #expect(counts[1] == count, label)
            var order = ["id"]
            for (name, _) in records.flatMap(\.members) where !order.contains(name) { order.append(name) }
            let columns = try table.rows("SELECT \"name\" FROM pragma_table_info('thing')")
            #expect(columns.filter { $0 != ["_pk"] && $0 != ["_version"] } == order.map { [.text($0)] }, label)
            let found = try table.records()
            let expected = records.map { Dictionary($0.members) { $1 } }
            #expect(found.map { $0.mapValues(\.byValue) } == expected.map { $0.mapValues(\.byValue) }, label)
        }
    }
}
