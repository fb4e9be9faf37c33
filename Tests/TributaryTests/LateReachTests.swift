import Dispatch
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

private final class Node: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var score: Int = 0
    /// Whose scores it adds to when it is saved.
    @Attribute var others: String = ""

    override func willSave() {
        guard !others.isEmpty, let context else { return }
        let all = others.split(separator: ",").compactMap { Int($0) }
        others = ""
        for other in all { try? Node.credit(other, in: context) }
    }

    static func credit(_ id: Int, in context: ManagedObjectContext) throws {
        if let other = try Node.find(["id": .integer(Int64(id))], in: context) { other.score += 10 }
    }
}

/// Closures that change other objects of their table, where only records do so whose keys are on their way already: they are
/// called when they are written, and what was made ahead of chunks behind them must not undo what they have done.
@Suite struct LateReachTests {
    private struct Line {
        let id: Int
        /// Whose score it adds to.
        var to: Int?
    }

    /// In which way a closure changes another object.
    private enum Way: CaseIterable {
        case atOnce, elsewhere, whenSaved
    }

    /// All ids in their order; some come again soon, and then reach behind their own chunk.
    private static func lines(_ random: inout SeededGenerator, count: Int, batch: Int) -> [Line] {
        let first = Int.random(in: 0..<count, using: &random)
        let share = random.pick([3, 30, 300])
        return (0..<count).flatMap { id -> [Line] in
            let line = Line(id: id)
            guard id == first || random.once(in: share) else { return [line] }
            let again = max(0, id - Int.random(in: 0...3 * batch, using: &random))
            let target = id + Int.random(in: 2 * batch...8 * batch, using: &random)
            return [line, Line(id: again, to: id < first || target >= count ? nil : target)]
        }
    }

    @Test(arguments: 0..<45) func nothingIsLost(_ number: UInt64) throws {
        var random = SeededGenerator.sampled(number &+ 16_000)
        let way = Way.allCases[Int(number) % Way.allCases.count]
        var options = ImportOptions()
        options.jobs = random.pick([2, 3, 4, 8])
        options.batchSize = random.pick([5, 20, 60])
        let count = Int.random(in: 200...3000, using: &random)
        let folder = try TemporaryFolder()
        let manager = try ContextManager(model: Model(Node.self), store: .sqlite(folder.path("nodes.sqlite")))
        try manager.writeAndWait { context in
            for id in 0..<count { context.insert(Node.self).id = id }
        }
        var expected = [Int](repeating: 0, count: count)
        let isDisturbed = random.once(in: 2)
        for round in 0..<3 {
            let lines = Self.lines(&random, count: count, batch: options.batchSize)
            let text = lines.map { "{\"id\":\($0.id)\($0.to.map { ",\"to\":\($0)" } ?? "")}" }
            let source = MemorySource("[\(text.joined(separator: ",\n"))]".utf8)
            let feed = StreamImport(into: manager, from: [source], options: options)
            feed.add(
                .objects(Node.self, at: "[]") { record, node in
                    node.score += 1
                    guard let to: Int = record["to"], let context = node.context else { return }
                    switch way {
                    case .atOnce: try Node.credit(to, in: context)
                    case .elsewhere: try manager.writeAndWait { try Node.credit(to, in: $0) }
                    case .whenSaved: node.others += "\(to),"
                    }
                })
            let books = try (isDisturbed ? Self.disturbed(manager, round) { try feed.perform() } : feed.perform())
                .summary
            let jobs = "\(options.jobs ?? 0) jobs of \(options.batchSize)"
            let place = "seed \(random.seed), \(way), \(count) ids, \(jobs), round \(round)"
            #expect(books.isBalanced && books.read == lines.count && books.rejected == 0, "\(place): \(books)")
            for line in lines {
                expected[line.id] += 1
                if let to = line.to { expected[to] += 10 }
            }
            let found = try manager.newPrivateContext().performAndWait { context in
                try Node.all(in: context).reduce(into: [Int: Int]()) { $0[$1.id] = $1.score }
            }
            let different = (0..<count).filter { found[$0] != expected[$0] }
            #expect(
                different.isEmpty,
                "\(place): \(different.prefix(5).map { "\($0): \(found[$0] ?? -1), not \(expected[$0])" })")
            #expect(try FeedStore.faults(manager.stores.stores[0]) == [], "\(place)")
        }
    }

    /// Runs `body` while somebody else wants to write all the time: groups are small.
    private static func disturbed<Result>(
        _ manager: ContextManager, _ round: Int, _ body: () throws -> Result
    ) throws -> Result {
        let hasEnded = Guarded(false)
        let saves = Guarded<[Int]>([])
        let failure = Guarded<(any Error)?>(nil)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            var number = 0
            while !hasEnded.withLock({ $0 }) || number == 0 {
                number += 1
                let id = -(round * 1_000_000 + number)
                do {
                    try manager.writeAndWait { context in context.insert(Node.self).id = id }
                    saves.withLock { $0.append(id) }
                } catch {
                    failure.withLock { $0 = error }
                }
            }
        }
        let result = Swift.Result { try body() }
        hasEnded.withLock { $0 = true }
        group.wait()
        let all = Set(saves.withLock { $0 })
        let found = try manager.newPrivateContext().performAndWait { context in
            Set(try Node.all(in: context).map(\.id))
        }
        #expect(all.isSubset(of: found) && !all.isEmpty && failure.withLock { $0 == nil })
        return try result.get()
    }
}
