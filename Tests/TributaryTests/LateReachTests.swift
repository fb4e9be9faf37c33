import Dispatch
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// Closures that change other objects of their table, where only records do so whose keys are on their way already: they are
/// called when they are written, and what was made ahead of chunks behind them must not undo what they have done.
@Suite struct LateReachTests {
    private struct Line {
        let id: Int
        /// Whose score it adds to.
        var to: Int?
    }

    /// All ids in their order; some come again soon, and then reach behind their own chunk.
    private static func lines(_ random: inout SeededGenerator, count: Int, batch: Int) -> [Line] {
        let first = Int.random(in: 0..<count, using: &random)
        let share = random.pick([3, 30, 300])
        return (0..<count).flatMap { id -> [Line] in
            let line = Line(id: id)
            guard id == first || random.once(in: share) else { return [line] }
            let again = max(0, id - Int.random(in: 0...3 * batch, using: &random))
            let target = id + Int.random(in: 1...6 * batch, using: &random)
            return [line, Line(id: again, to: id < first || target >= count ? nil : target)]
        }
    }

    @Test(arguments: 0..<30) func nothingIsLost(_ number: UInt64) throws {
        var random = SeededGenerator.sampled(number &+ 16_000)
        var options = ImportOptions()
        options.jobs = random.pick([2, 3, 4, 8])
        options.batchSize = random.pick([5, 20, 60])
        let count = Int.random(in: 200...3000, using: &random)
        let items = try ItemStore()
        var expected = [Int](repeating: 1, count: count)
        try items.take(ItemStore.text(0..<count))
        _ = try items.manager.newPrivateContext().performAndWait { context in
            try FeedItem.all(in: context).forEach { $0.score = 1 }
            try context.save()
        }
        let isDisturbed = random.once(in: 2)
        for round in 0..<3 {
            let lines = Self.lines(&random, count: count, batch: options.batchSize)
            let text = lines.map { "{\"id\":\($0.id),\"name\":\"\($0.id)\"\($0.to.map { ",\"to\":\($0)" } ?? "")}" }
            let source = MemorySource("[\(text.joined(separator: ",\n"))]".utf8)
            let feed = StreamImport(into: items.manager, from: [source], options: options)
            feed.add(
                .objects(FeedItem.self, at: "[]") { record, item in
                    item.name = record["name"]
                    item.score = (item.score ?? 0) + 1
                    guard let to: Int = record["to"], let context = item.context else { return }
                    let other = try FeedItem.find(["id": .integer(Int64(to))], in: context)
                    other?.score = (other?.score ?? 0) + 10
                })
            let books = try isDisturbed ? Self.disturbed(items, round) { try feed.perform() } : feed.perform()
            let jobs = "\(options.jobs ?? 0) jobs of \(options.batchSize)"
            let place = "seed \(random.seed), \(count) ids, \(jobs), round \(round)"
            #expect(books.summary.isBalanced && books.summary.read == lines.count, "\(place): \(books.summary)")
            for line in lines {
                expected[line.id] += 1
                if let to = line.to { expected[to] += 10 }
            }
            let found = try items.manager.newPrivateContext().performAndWait { context in
                try FeedItem.all(in: context).reduce(into: [Int: Int]()) { $0[$1.id] = Int($1.score ?? -1) }
            }
            let different = (0..<count).filter { found[$0] != expected[$0] }
            #expect(
                different.isEmpty,
                "\(place): \(different.prefix(5).map { "\($0): \(found[$0] ?? -1), not \(expected[$0])" })")
            #expect(try items.faults() == [], "\(place)")
        }
    }

    /// Runs `body` while somebody else wants to write all the time: groups are small.
    private static func disturbed<Result>(
        _ items: ItemStore, _ round: Int, _ body: () throws -> Result
    ) throws -> Result {
        let hasEnded = Guarded(false)
        let saves = Guarded<[Int]>([])
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            var number = 0
            while !hasEnded.withLock({ $0 }) {
                number += 1
                let id = -(round * 1_000_000 + number)
                try? items.manager.newPrivateContext().performAndWait { context in
                    let item = context.insert(FeedItem.self)
                    (item.id, item.name) = (id, "other")
                    try context.save()
                    saves.withLock { $0.append(id) }
                }
            }
        }
        let result = Swift.Result { try body() }
        hasEnded.withLock { $0 = true }
        group.wait()
        let all = Set(saves.withLock { $0 })
        let found = try items.manager.newPrivateContext().performAndWait { context in
            Set(try FeedItem.all(in: context).map(\.id))
        }
        #expect(all.isSubset(of: found))
        return try result.get()
    }
}
