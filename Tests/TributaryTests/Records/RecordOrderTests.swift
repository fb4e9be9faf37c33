import Testing
import Tributary
import TributaryGraph
import TributaryTestSupport

/// Repeated imports in row order, which look for each record at its expected row first and find moved records too.
@Suite struct RecordOrderTests {
    /// The ids of a feed, and the expected names of the rows.
    private struct Dump {
        var ids: [Int]
        var names: [Int: String] = [:]
        private var next: Int

        init(_ count: Int, _ lots: inout SeededGenerator) {
            ids = (0..<count).map { $0 * 7919 % 10_007 }.shuffled(using: &lots)
            next = 20_000
        }

        /// Removes, inserts, moves and repeats some records.
        mutating func change(_ lots: inout SeededGenerator, mayShuffle: Bool) {
            ids.removeAll { _ in lots.once(in: 25) }
            for _ in 0..<lots.below(6) {
                ids.insert(next, at: lots.below(ids.count + 1))
                next += 1
            }
            for _ in 0..<lots.below(4) { ids.swapAt(lots.below(ids.count), lots.below(ids.count)) }
            if lots.once(in: 4) { ids.append(ids[lots.below(ids.count)]) }
            if mayShuffle, lots.once(in: 4) { ids.shuffle(using: &lots) }
        }
    }

    private func isGuess(_ sql: String) -> Bool { sql.contains("COALESCE((SELECT \"_g\".\"_pk\"") }

    @Test("Records that have moved since the last import are found by their keys", arguments: 0..<6)
    func whatHasMovedIsFound(_ number: Int) throws {
        var lots = SeededGenerator.sampled(8_100, case: UInt64(number))
        let items = try ItemStore()
        var dump = Dump(60 + lots.below(300), &lots)
        let batch = 20 + lots.below(100)
        var guesses = 0
        for round in 0..<12 {
            for start in stride(from: 0, to: dump.ids.count, by: batch) {
                let part = dump.ids[start..<min(start + batch, dump.ids.count)].map { id in
                    (id: id, name: lots.once(in: 6) ? "name \(id) \(round)" : dump.names[id] ?? "name \(id)")
                }
                let records = try RecordList(
                    json: "[\(part.map { "{\"id\":\($0.id),\"name\":\"\($0.name)\"}" }.joined(separator: ","))]")
                let selects = try items.recorded {
                    try items.manager.writeAndWait { context in
                        let result = try FeedItem.insertOrUpdate(records, key: \.id, in: context) { record, item in
                            item.name = record["name"]
                        }
                        for (record, outcome) in zip(part, result.outcomes) {
                            let known = dump.names.updateValue(record.name, forKey: record.id)
                            #expect(
                                outcome == (known == nil ? .inserted : known == record.name ? .unchanged : .updated),
                                "\(record.id) in round \(round), seed \(lots.seed)")
                        }
                    }
                }.filter { $0.hasPrefix("SELECT") && $0.contains("\"_keys\"") }
                #expect(selects.count == 1, "\(selects)")
                guesses += selects.count(where: isGuess)
            }
            let rows = Set(try items.rows().map { $0.split(separator: " ", maxSplits: 1)[1] })
            #expect(rows == Set(dump.names.map { "\($0.key) \($0.value)"[...] }), "seed \(lots.seed)")
            // The first rounds nearly keep the order.
            dump.change(&lots, mayShuffle: round > 4)
        }
        #expect(guesses > 0, "seed \(lots.seed)")
        #expect(try items.faults() == [])
    }

    @Test("Rows are guessed only if the last lookup found the records in row order")
    func anotherOrderIsNotGuessedAt() throws {
        let items = try ItemStore()
        func guesses(_ ids: [Int]) throws -> [Bool] {
            try items.recorded {
                try items.manager.writeAndWait { context in
                    let list = ids.map { "{\"id\":\($0),\"name\":\"\($0)\"}" }.joined(separator: ",")
                    let records = try RecordList(json: "[\(list)]")
                    let result = try FeedItem.insertOrUpdate(records, key: \.id, in: context) { record, item in
                        item.name = record["name"]
                    }
                    #expect(Set(result.outcomes).count == 1)
                }
            }.filter { $0.hasPrefix("SELECT") && $0.contains("\"_keys\"") }.map(isGuess)
        }
        let ids = (0..<100).map { $0 * 37 % 101 }
        #expect(try guesses(ids) == [false])
        // Only this lookup can tell that the records come in row order.
        #expect(try guesses(ids) == [false])
        #expect(try guesses(ids) == [true])
        #expect(try guesses(ids.sorted()) == [true])
        #expect(try guesses(ids.sorted()) == [false])
    }
}
