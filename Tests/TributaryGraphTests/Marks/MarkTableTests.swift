import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

@Suite("The table of marks") struct MarkTableTests {
    @Test("Keys are added to those of earlier transactions, apart for each feed, run and entity")
    func marksAccumulate() throws {
        var generator = SeededGenerator.fresh()
        print("seed \(generator.seed)")
        let connection = try Connection(.memory)
        var expected: [[String]: Set<Int64>] = [:]
        #expect(try MarkTable.entities(feed: "", run: 0, on: connection).isEmpty)
        try MarkTable.remove(feed: "", on: connection)
        for _ in 0..<40 {
            let (feed, run) = (generator.pick(["", "'x'", "feed"]), generator.below(2))
            let entity = generator.pick(["Book", "Pa\"ge"])
            let keys = (0..<generator.below(50)).map { _ in Int64(generator.below(200_000)) }
            try MarkTable.add(KeyBitmap(keys), feed: feed, run: run, entity: entity, on: connection)
            if !keys.isEmpty { expected[[feed, "\(run)", entity], default: []].formUnion(keys) }
        }
        for (place, keys) in expected {
            let run = try #require(Int(place[1]))
            let found = try MarkTable.keys(feed: place[0], run: run, entity: place[2], on: connection)
            #expect(found.keys == keys.sorted())
            #expect(try MarkTable.entities(feed: place[0], run: run, on: connection).contains(place[2]))
        }
        let rows = try connection.value(of: "SELECT count(*) FROM \"_mark\"")
        let blocks = expected.values.map { Set($0.map { $0 / 32_768 }).count }.reduce(0, +)
        #expect(rows == .integer(Int64(blocks)))
    }

    @Test("Marks are removed by feed, run and entity")
    func marksAreRemoved() throws {
        let connection = try Connection(.memory)
        for (feed, run, entity) in [("a", 1, "X"), ("a", 1, "Y"), ("a", 2, "X"), ("b", 1, "X")] {
            try MarkTable.add(KeyBitmap([5]), feed: feed, run: run, entity: entity, on: connection)
        }
        try MarkTable.remove(feed: "a", run: 1, entity: "X", on: connection)
        #expect(try MarkTable.entities(feed: "a", run: 1, on: connection) == ["Y"])
        #expect(try MarkTable.entities(feed: "a", run: 2, on: connection) == ["X"])
        try MarkTable.remove(feed: "a", on: connection)
        #expect(try MarkTable.entities(feed: "a", run: 2, on: connection).isEmpty)
        #expect(try MarkTable.entities(feed: "b", run: 1, on: connection) == ["X"])
    }

    @Test("A block of another size is an error that says what to do")
    func damagedBlocks() throws {
        let connection = try Connection(.memory)
        try MarkTable.add(KeyBitmap([5]), feed: "", run: 0, entity: "X", on: connection)
        try connection.execute("UPDATE \"_mark\" SET \"bits\" = \(SQLValue.blob([1, 2]))")
        let error = #expect(throws: StoreError.self) {
            try MarkTable.keys(feed: "", run: 0, entity: "X", on: connection)
        }
        #expect(error?.code == .damaged && error?.description.contains("forget all marks") == true)
    }
}
