import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributaryModel
import TributaryTestSupport

import Tributary
import TributaryPostgres

/// A dump has the same content in PostgreSQL as in SQLite.
@Suite struct PostgresContentTests {
    /// The number of random models; a sweep tries more.
    private static let rounds = Int(ProcessInfo.processInfo.environment["TRIBUTARY_ROUNDS"] ?? "") ?? 4

    @Test("Values of all types at their limits are the same as in SQLite", arguments: DumpValues.types)
    func samples(_ type: AttributeType) throws {
        let world = try PostgresWorld()
        let attributes = [AttributeDescription("id", .integer32), AttributeDescription("value", type)]
        let model = try Model(thing: attributes)
        let twin = try SQLiteTwin(model)
        let values = DumpValues.samples(type) + ["null"]
        let records = values.enumerated().map { "{\"id\":\($0),\"value\":\($1)}" } + ["{\"id\":-1}"]
        let text = "[\(records.joined(separator: ",\n"))]"
        let summary = try world.load(text, .rows("thing"), model: model)
        #expect(summary.tally == [records.count, records.count, 0, 0, 0, 0, 0])
        #expect(try summary.tally == twin.load(text, .rows("thing")).tally)
        #expect(try world.commonRows(attributes) == twin.rows(attributes, world.normalizer()))
        #expect(
            try world.load(text, .rows("thing"), model: model).tally == [records.count, 0, 0, records.count, 0, 0, 0])
        // The other values are written by a statement that finds them changed.
        let moved = records.indices.map {
            records[$0].replacing("\"id\":\($0),", with: "\"id\":\(($0 + 1) % values.count),")
        }
        let other = "[\(moved.joined(separator: ",\n"))]"
        let changed = try world.load(other, .rows("thing"), model: model)
        #expect(try changed.tally == twin.load(other, .rows("thing")).tally && changed.updated > 1)
        #expect(try world.commonRows(attributes) == twin.rows(attributes, world.normalizer()))
    }

    @Test("Numbers have all of their digits")
    func digits() throws {
        let world = try PostgresWorld()
        let model = try Model(thing: [
            AttributeDescription("id", .integer16), AttributeDescription("d", .double),
            AttributeDescription("f", .float),
            AttributeDescription("n", .decimal), AttributeDescription("l", .integer64),
        ])
        try world.load(
            """
            [{"id":-32768,"d":-0.0,"f":-0.0,"n":-0.0,"l":-9223372036854775808},
             {"id":32767,"d":5e-324,"f":1.401298464324817e-45,"n":12345678901234567890.123456789012345678,"l":9223372036854775807},
             {"id":0,"d":1.7976931348623157e308,"f":3.4028234663852886e38,"n":1e20,"l":-1}]
            """, .rows("thing"), model: model)
        #expect(
            try world.column("SELECT concat_ws(' ', id, d, f, n, l) FROM thing ORDER BY id") == [
                "-32768 -0 -0 0 -9223372036854775808",
                "0 1.7976931348623157e+308 3.4028235e+38 100000000000000000000 -1",
                "32767 5e-324 1e-45 12345678901234567890.123456789012345678 9223372036854775807",
            ])
    }

    @Test("Points in time are those of the source, also where a double has few digits for them")
    func times() throws {
        let world = try PostgresWorld()
        let model = try Model(thing: [AttributeDescription("id", .date)])
        let texts = [
            "0001-01-01T00:00:00.001", "1688-06-28T03:09:47.39", "1969-12-31T23:59:59.999999",
            "2255-06-05T23:47:34.740993",
            "2300-01-01T00:00:00.123", "9999-12-31T23:59:59.999",
        ]
        let dump = "[" + texts.map { "{\"id\":\"\($0)Z\"}" }.joined(separator: ",") + "]"
        try world.load(dump, .rows("thing"), model: model)
        #expect(try world.column("SELECT to_jsonb(id)#>>'{}' FROM thing ORDER BY id") == texts.map { $0 + "+00:00" })
        #expect(try world.load(dump, .rows("thing"), model: model).tally == [6, 0, 0, 6, 0, 0, 0])
    }

    @Test("Random dumps give the same rows, counts and rejects as SQLite", arguments: ImportMode.allCases)
    func randomDumps(_ mode: ImportMode) throws {
        for round in 0..<Self.rounds {
            let number = UInt64(round * 10 + (ImportMode.allCases.firstIndex(of: mode) ?? 0))
            var lots = SeededGenerator.sampled(10_100, case: number)
            let label: Comment = "\(mode), round \(round), seed \(lots.seed)"
            let trial = ContentTrial(&lots, mode: mode)
            let world = try PostgresWorld()
            let twin = try SQLiteTwin(trial.model)
            let normalizer = try world.normalizer()
            for (number, dump) in trial.dumps.enumerated() {
                // In a mode that inserts nothing, other modes fill the table.
                let mode = number == 0 && round % 2 == 0 ? .upsert : mode
                let (batch, jobs) = (lots.pick([1, 7, 10_000]), 1 + lots.below(3))
                let expected = try twin.load(dump, trial.route) { options in
                    (options.mode, options.batchSize) = (mode, 13)
                }
                let (group, connections) = (lots.pick([1, 5, 30, 100_000]), 1 + lots.below(3))
                let summary = try world.load(dump, trial.route, model: trial.model, file: "dump\(number).json") {
                    ($0.mode, $0.batchSize, $0.jobs) = (mode, batch, jobs)
                    ($1.groupRows, $1.connections) = (group, connections)
                }
                let reasons = summary.tally == expected.tally ? [] : try world.reasons()
                #expect(summary.tally == expected.tally, "\(label), dump \(number), \(reasons)")
                let rows = try world.commonRows(trial.attributes)
                let others = try twin.rows(trial.attributes, normalizer)
                #expect(rows.count == others.count, "\(label), dump \(number)")
                if rows != others {
                    let different = zip(rows, others).first { $0 != $1 }
                    Issue.record("\(label), dump \(number): \("\(different as Any)".prefix(1500))")
                }
            }
            let (rejects, others) = (try world.rejects(), try twin.rejects())
            #expect(rejects == others, label)
            try world.expectNoLeftovers(label)
        }
    }

    @Test("Batches, transactions and connections of any size give the same rows, counts and rejects")
    func settings() throws {
        for round in 0..<Self.rounds {
            var lots = SeededGenerator.sampled(10_200, case: UInt64(round))
            let trial = ContentTrial(&lots)
            var results: [(rows: [[String]], tallies: [[Int]], rejects: [String])] = []
            let settings = [(10_000, 100_000, 1), (1, 1, 1), (3, 7, 3), (50, 20, 2)]
            for (batch, group, connections) in settings {
                let world = try PostgresWorld()
                let tallies = try trial.dumps.map { dump in
                    try world.load(dump, trial.route, model: trial.model) {
                        ($0.mode, $0.batchSize, $1.groupRows, $1.connections) = (trial.mode, batch, group, connections)
                    }.tally
                }
                results.append((try world.commonRows(trial.attributes), tallies, try world.rejects()))
            }
            for (index, result) in results.enumerated().dropFirst() {
                let label: Comment = "round \(round), seed \(lots.seed), \(settings[index]), \(trial.mode)"
                #expect(result.tallies == results[0].tallies, label)
                #expect(result.rows == results[0].rows, label)
                #expect(result.rejects == results[0].rejects, label)
            }
        }
    }

    @Test("Rules of a mapping say which values stay")
    func rules() throws {
        let world = try PostgresWorld()
        let attributes = ["program", "missing", "null", "newest", "plain"].map { AttributeDescription($0, .string) }
        let model = try Model(
            thing: [AttributeDescription("id", .integer64), AttributeDescription("version", .integer64)] + attributes)
        var mapping = Mapping()
        mapping["program"].policy = .program
        mapping["missing"].policy = .keepMissing
        mapping["null"].policy = .keepNull
        mapping["newest"].newest = "version"
        mapping["plain"].defaultValue = .string("none")
        func load(_ text: String, _ mode: ImportMode) throws -> [Int] {
            try world.load(text, .rows("thing", mapping: mapping), model: model) { options, _ in options.mode = mode }
                .tally
        }
        let first = #"{"id":1,"version":5,"program":"a","missing":"a","null":"a","newest":"a"}"#
        #expect(try load("[\(first),\(first)]", .upsert) == [2, 1, 0, 1, 0, 0, 0])
        func row() throws -> String? {
            try world.column("SELECT concat_ws(' ', version, program, missing, \"null\", newest, plain) FROM thing")[0]
        }
        #expect(try row() == "5 a a a a none")
        let older = #"{"id":1,"version":4,"program":"b","null":null,"newest":"b","plain":"b"}"#
        #expect(try load("[\(older)]", .upsert) == [1, 0, 1, 0, 0, 0, 0])
        let kept = try row()
        #expect(kept == "5 a a a a b")
        let newer = #"{"id":1,"version":6,"program":"c","newest":"c"}"#
        #expect(try load("[\(newer)]", .replace) == [1, 0, 1, 0, 0, 0, 0])
        #expect(try row()?.hasPrefix("6 a a ") == true && row()?.contains(" c") == true)
        #expect(try load("[{\"id\":1,\"program\":\"only\"}]", .upsert) == [1, 0, 0, 1, 0, 0, 0])
    }
}
