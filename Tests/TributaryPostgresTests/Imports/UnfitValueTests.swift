import Testing
import TributaryModel
import TributaryTestSupport

import Tributary
import TributaryPostgres

/// What PostgreSQL cannot hold becomes a reject before it ends a COPY.
@Suite struct UnfitValueTests {
    /// Loads records, each on a line of its own, of which some cannot be held; checks rows and the places of rejects.
    private func expectRejects(
        _ records: [(json: String, isHeld: Bool)], _ route: ImportRoute, _ attributes: [AttributeDescription]? = nil,
        _ world: PostgresWorld, words: [String] = [], _ comment: Comment? = nil
    ) throws {
        let text = "[\(records.map(\.json).joined(separator: ",\n"))]"
        for (batch, group, connections) in [(10_000, 100_000, 1), (2, 3, 2)] {
            try world.execute("DROP TABLE IF EXISTS _run, _range, _reject, _held, _key")
            if attributes != nil || route.inferenceIsUsed { try world.execute("DROP TABLE IF EXISTS thing") }
            let summary = try world.load(text, route, model: attributes.map { try Model(thing: $0) }) {
                ($0.batchSize, $1.groupRows, $1.connections) = (batch, group, connections)
            }
            let refused = records.indices.filter { !records[$0].isHeld }
            let reasons = try world.reasons()
            #expect(summary.rejected == refused.count, "\(reasons)")
            #expect(summary.inserted + summary.updated == records.count - refused.count, comment)
            let places = try world.column("SELECT line || ' ' || start FROM _reject ORDER BY start").compactMap(\.self)
            var start = 1
            var expected: [String] = []
            for (index, record) in records.enumerated() {
                if !record.isHeld { expected.append("\(index + 1) \(start)") }
                start += record.json.utf8.count + 2
            }
            #expect(places == expected, comment)
            let raws = try world.connect().execute("SELECT raw FROM _reject ORDER BY start")
            for (row, index) in refused.enumerated() where records[index].json.utf8.count < 10_000 {
                #expect(raws.bytes(row, 0) == Array(records[index].json.utf8), comment)
            }
            for word in words { #expect(reasons.contains { $0.contains(word) }, "\(word): \(reasons)") }
        }
    }

    @Test("U+0000 in text, in JSON and in keys")
    func zero() throws {
        let world = try PostgresWorld()
        let attributes = [
            AttributeDescription("id", .string), AttributeDescription("t", .string), AttributeDescription("j", .json),
            AttributeDescription("u", .uri),
        ]
        try expectRejects(
            [
                (#"{"id":"a","t":"x","j":{"a":"\\u0000 is text"}}"#, true), (#"{"id":"b","t":"x\u0000y"}"#, false),
                (#"{"id":"c","t":"\u0000"}"#, false), (#"{"id":"d","j":["\u0000"]}"#, false),
                (#"{"id":"e","j":{"\u0000":1}}"#, false), (#"{"id":"f\u0000"}"#, false), (#"{"id":"g","j":"a"}"#, true),
                (#"{"id":"h","j":{"a":["\\","\\\u0000"]}}"#, false), (#"{"id":"i","j":{"a":["\\\\u0000"]}}"#, true),
            ], .rows("thing"), attributes, world, words: ["U+0000"])
        try expectRejects(
            [
                (#"{"id":1,"t":"x"}"#, true), (#"{"id":2,"t":"\u0000"}"#, false),
                (#"{"id":3,"j":{"a":"\u0000"}}"#, false),
            ],
            .inferred("thing", key: "id"), nil, PostgresWorld(), words: ["U+0000"])
    }

    @Test("Halves of surrogate pairs and numbers beyond all bounds in JSON")
    func hostileJSON() throws {
        let zeros = String(repeating: "0", count: 20_000)
        let records: [(json: String, isHeld: Bool)] = [
            (#"{"id":1,"j":["\ud83d\ude00"]}"#, true), (#"{"id":2,"j":["\ud83d"]}"#, false),
            (#"{"id":3,"j":["\ude00"]}"#, false), (#"{"id":4,"j":["\ud83d\ud83d\ude00"]}"#, false),
            (#"{"id":5,"j":{"\ud83dx":1}}"#, false), (#"{"id":6,"j":["\\ud83d"]}"#, true),
            (#"{"id":7,"j":[1e99999]}"#, false), (#"{"id":8,"j":[1e-99999]}"#, false),
            ("{\"id\":9,\"j\":[1\(zeros)]}", false), (#"{"id":10,"j":[1e300,-1.5e-300]}"#, true),
            ("{\"id\":11,\"j\":[0.\(zeros)1]}", false),
        ]
        // A surrogate without its other half may be a reject of reading already.
        try expectRejects(
            records, .rows("thing"), [AttributeDescription("id", .integer64), AttributeDescription("j", .json)],
            PostgresWorld())
    }

    @Test("Keys that are longer than an entry of an index")
    func longKeys() throws {
        let attributes = [
            AttributeDescription("id", .string), AttributeDescription("t", .string),
        ]
        // Texts that cannot be compressed.
        func key(_ bytes: Int) -> String {
            var lots = SeededGenerator(seed: UInt64(bytes))
            return (0..<bytes).map { _ in String(UnicodeScalar(UInt8(97 + lots.below(26)))) }.joined()
        }
        try expectRejects(
            [
                ("{\"id\":\"\(key(2600))\"}", true), ("{\"id\":\"\(key(2601))\"}", false),
                ("{\"id\":\"\(key(100_000))\"}", false), ("{\"id\":\"a\",\"t\":\"\(key(100_000))\"}", true),
            ], .rows("thing"), attributes, PostgresWorld(), words: ["more than an index of PostgreSQL holds"])
    }

    @Test("Points in time beyond the years 1 to 9999")
    func times() throws {
        var mapping = Mapping()
        mapping["d"].dates = ["seconds"]
        try expectRejects(
            [
                (#"{"id":1,"d":253402300799.5}"#, true), (#"{"id":2,"d":253402300800}"#, false),
                (#"{"id":3,"d":-62135596800}"#, true), (#"{"id":4,"d":-62135596801}"#, false),
                (#"{"id":5,"d":1e300}"#, false), (#"{"id":6,"d":0.000001}"#, true),
            ], .rows("thing", mapping: mapping),
            [AttributeDescription("id", .integer64), AttributeDescription("d", .date)], PostgresWorld())
        // Microseconds that 64 bits do not hold.
        (mapping["d"].dates, mapping["d"].conversion) = ([], .lenient)
        try expectRejects(
            [
                (#"{"id":1,"d":9223372036000}"#, true), (#"{"id":2,"d":9223372036855}"#, false),
                (#"{"id":3,"d":9250000000000}"#, false), (#"{"id":4,"d":-9223372036000}"#, false),
            ], .rows("thing", mapping: mapping),
            [AttributeDescription("id", .integer64), AttributeDescription("d", .date)], PostgresWorld())
    }

    @Test("Values beyond the types of an existing table")
    func existing() throws {
        let world = try PostgresWorld()
        try world.execute(
            """
            CREATE TABLE thing (id bigint PRIMARY KEY, s smallint, i integer, f real, d double precision,
            v varchar(3), n numeric(4,1), w numeric(3,-2), u uuid, b boolean, j jsonb)
            """)
        let records: [(json: String, isHeld: Bool)] = [
            (#"{"id":1,"s":32767,"i":-2147483648,"v":"äöü","n":-999.9,"w":12300}"#, true),
            (#"{"id":2,"s":32768}"#, false), (#"{"id":3,"i":2147483648}"#, false), (#"{"id":4,"i":1.5}"#, false),
            (#"{"id":5,"v":"abcd"}"#, false), (#"{"id":6,"v":"a👩‍👧"}"#, false), (#"{"id":7,"v":"é"}"#, true),
            (#"{"id":8,"n":1000}"#, false), (#"{"id":9,"n":0.05}"#, false), (#"{"id":10,"n":1e2}"#, true),
            (#"{"id":11,"u":"x"}"#, false), (#"{"id":12,"b":"perhaps"}"#, false), (#"{"id":13,"f":1e300}"#, false),
            (#"{"id":14,"d":1e400}"#, false), (#"{"id":9223372036854775808}"#, false), (#"{"id":15,"s":"x"}"#, false),
            (#"{"id":16}"#, true),
        ]
        let text = "[\(records.map(\.json).joined(separator: ",\n"))]"
        let summary = try world.load(text, .table("thing"))
        let refused = records.indices.filter { !records[$0].isHeld }
        let reasons = try world.reasons()
        #expect(
            try world.column("SELECT line::text FROM _reject ORDER BY start") == refused.map { "\($0 + 1)" },
            "\(reasons)")
        #expect(summary.tally == [records.count, records.count - refused.count, 0, 0, 0, 0, refused.count])
    }
}

extension ImportRoute {
    /// Whether its columns are inferred.
    fileprivate var inferenceIsUsed: Bool { inference != nil }
}
