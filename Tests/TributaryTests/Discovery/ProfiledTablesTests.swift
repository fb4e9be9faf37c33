import Testing
import TributaryJSON
import TributaryModel
import TributaryTestSupport

import Tributary

/// The tables of nested objects that a profile tells are those that a reading of the dump finds.
@Suite struct ProfiledTablesTests {
    private func check(_ text: String, all: Bool, _ place: String) throws {
        let source = MemorySource(Array(text.utf8), name: "t.json")
        let request = DiscoveredRelations.Request(
            table: "t", key: nil, includesAll: all, keys: [:], tables: [:], shaping: nil, dateColumn: nil,
            database: "/nowhere/none.sqlite", reading: ReadOptions())
        let read = try DiscoveredRelations(request, in: [source], surveysLater: false)
        let profile = try DumpProfile(of: [source])
        let told = try DiscoveredRelations(request, in: [], surveysLater: false, profile: profile)
        #expect(told.key == read.key, "\(place)")
        for (one, other) in [(sorted(told.model), sorted(read.model)), (told.lines.sorted(), read.lines.sorted())] {
            let isEqual = one == other
            #expect(isEqual, "\(place): \(Set(one).symmetricDifference(other).sorted())")
        }
    }

    /// The lines of a model, in which members of trees may stand in another order.
    private func sorted(_ model: ModelDescription) -> [String] {
        ModelWriter.write(model).split(separator: "\n").map(String.init).sorted()
    }

    @Test("A profile tells the same tables as a reading, of orders and of trees")
    func equal() throws {
        var lots = SeededGenerator.sampled(15_100)
        for _ in 0..<20 {
            let seed = lots.next()
            var own = SeededGenerator(seed: seed)
            var orders = OrderFeed(&own, count: 1 + own.below(40))
            orders.fill()
            var tree = TreeFeed(&own)
            tree.advance(&own)
            var dictionaries = DictionaryFeed(&own)
            dictionaries.advance(&own)
            for all in [false, true] {
                // Of names that differ in case only, the first one has the column, and a profile has another order.
                if !dictionaries.isStated {
                    try check(dictionaries.json, all: all, "dictionaries of seed \(seed)")
                }
                try check(orders.text, all: all, "orders of seed \(seed)")
                try check(tree.json, all: all, "tree of seed \(seed)")
            }
        }
    }

    @Test(
        "An object at two places of members of one name is shared, also in a tree",
        arguments: [
            #"[{"id":1,"a":[{"id":7}]},{"id":2,"a":[{"id":8}]}]"#,
            #"[{"id":1,"a":[{"id":7}]},{"id":2,"a":[{"id":7}]}]"#,
            #"[{"id":1,"c":[{"id":2,"c":[{"id":3}]}]},{"id":4,"c":[{"id":5,"c":[{"id":6}]}]}]"#,
            #"[{"id":1,"c":[{"id":2,"c":[{"id":3,"c":[{"id":9}]},{"id":4,"c":[{"id":9}]}]}]}]"#,
            #"[{"id":1,"x":{"id":1,"p":[{"id":5}]},"y":{"x":{"id":2,"p":[{"id":5}]}}}]"#,
            #"[{"id":1,"p":{"id":5}},{"id":2,"p":[{"id":5}]}]"#, #"[{"id":1,"p":[{"id":5},5]}]"#,
            #"[{"id":1,"t":[{"id":1,"t":[{"id":5}]}]},{"id":2,"t":[{"id":3}]}]"#,
            #"[{"id":1,"m":{"uuid":"a","id":null}},{"id":2,"m":{"uuid":"b"}}]"#, #"[{"id":1,"n":[[{"id":1}]]}]"#,
            #"[{"a":1,"b":{"id":1},"c":true},{"a":null,"b":{"id":"x"},"c":[]}]"#,
            #"[{"id":1,"d":{"1":{"o":{"id":1}},"2":[{"o":{"id":2}},{"p":[{"id":5}]}]}}]"#,
            #"[{"id":1,"d":{"1":{"x":{"-A":{"n":1},"-B":{"n":2}}},"2":{"x":null}},"d1":{"x":{"y":1}}}]"#,
        ])
    func shared(_ text: String) throws {
        for all in [false, true] { try check(text, all: all, text) }
    }

    @Test("A profile of typed values of MongoDB tells no tables, unless these values are kept")
    func typedValues() throws {
        let source = MemorySource(Array(#"[{"_id":{"$oid":"a"}},{"_id":{"$oid":"b"}}]"#.utf8), name: "m.json")
        let profile = try DumpProfile(of: [source])
        for unwraps in [true, false] {
            var shaping = ColumnShaping()
            shaping.unwrapsExtendedJSON = unwraps
            let request = DiscoveredRelations.Request(
                table: "t", key: nil, includesAll: true, keys: [:], tables: [:], shaping: shaping, dateColumn: nil,
                database: "/nowhere/none.sqlite", reading: ReadOptions())
            let found = Result { try DiscoveredRelations(request, in: [], surveysLater: false, profile: profile) }
            #expect(unwraps == ((try? found.get()) == nil))
        }
    }

    @Test("A dictionary is one in a profile, and more paths than a profile keeps are refused")
    func bounds() throws {
        let members = (0..<70).map { "\"k\($0)\":{\"id\":\($0)}" }.joined(separator: ",")
        try check("[{\"id\":1,\"d\":{\(members)}}]", all: false, "dictionary")
        let wide = (0..<100).map { outer in
            "\"o\(outer)\":[\((0..<90).map { "{\"m\(outer)_\($0)\":[1]}" }.joined(separator: ","))]"
        }
        let source = MemorySource(Array("[{\"id\":1,\"w\":{\(wide.joined(separator: ","))}}]".utf8), name: "w.json")
        let profile = try DumpProfile(of: [source])
        let error = #expect(throws: ImportError.self) {
            try DiscoveredRelations(
                DiscoveredRelations.Request(
                    table: "t", key: nil, includesAll: false, keys: [:], tables: [:], shaping: nil, dateColumn: nil,
                    database: "/nowhere/none.sqlite", reading: ReadOptions()), in: [], surveysLater: false,
                profile: profile)
        }
        #expect(error.map { "\($0)" }?.contains("more paths than a profile keeps") ?? false)
    }
}
