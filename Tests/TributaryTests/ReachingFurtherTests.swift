import Testing
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// Closures that change other objects of their table, from some record on: those behind find what they have done, also where
/// chunks behind have been worked on ahead already.
@Suite struct ReachingFurtherTests {
    private enum Deed: String, CaseIterable {
        case set, add, delete, make, rename
    }

    private struct Line {
        let id: Int
        var deed: (what: Deed, to: Int)?
    }

    /// Ids come once each; who reaches further reaches behind its own chunk.
    private static func lines(_ random: inout SeededGenerator, reach: Int) -> [Line] {
        let count = Int.random(in: 50...1500, using: &random)
        let first = Int.random(in: 0..<count, using: &random)
        let share = random.pick([2, 10, 100])
        return (0..<count).map { id in
            var line = Line(id: id)
            let target = id + reach + Int.random(in: 0..<4 * reach, using: &random)
            if id == first || id > first && random.once(in: share),
                let what = Deed.allCases.randomElement(using: &random)
            {
                line.deed = (what, target)
            }
            return line
        }
    }

    @Test(arguments: 0..<40) func thoseBehindFindIt(_ number: UInt64) throws {
        var random = SeededGenerator.sampled(number &+ 15_000)
        var options = ImportOptions()
        options.jobs = random.pick([2, 3, 4, 8])
        options.batchSize = random.pick([1, 5, 20])
        let lines = Self.lines(&random, reach: options.batchSize)
        let text = lines.map { line in
            let deed = line.deed.map { ",\"deed\":\"\($0.what.rawValue)\",\"to\":\($0.to)" } ?? ""
            return "{\"id\":\(line.id),\"name\":\"\(line.id)\"\(deed)}"
        }
        let items = try ItemStore()
        var expected: [Int: String] = [:]
        for round in 0..<2 {
            let source = MemorySource("[\(text.joined(separator: ",\n"))]".utf8)
            let feed = StreamImport(into: items.manager, from: [source], options: options)
            feed.add(
                .objects(FeedItem.self, at: "[]") { record, item in
                    item.name = record["name"]
                    item.score = (item.score ?? 0) + 1
                    try Self.reach(from: record, item)
                })
            let books = try feed.perform().summary
            let jobs = "\(options.jobs ?? 0) jobs of \(options.batchSize)"
            let place = "seed \(random.seed), \(lines.count) records, \(jobs), round \(round)"
            #expect(books.isBalanced && books.read == lines.count && books.rejected == 0, "\(place): \(books)")
            Self.follow(lines, &expected)
            let found = try items.manager.newPrivateContext().performAndWait { context in
                try FeedItem.all(in: context).reduce(into: [Int: String]()) {
                    $0[$1.id] = "\($1.name) \(Int($1.score ?? -1))"
                }
            }
            let different = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.sorted()
            #expect(
                different.isEmpty,
                "\(place): \(different.prefix(5).map { "\($0): \(found[$0] ?? "none"), not \(expected[$0] ?? "none")" })"
            )
            #expect(try items.faults() == [], "\(place)")
        }
    }

    private static func reach(from record: Record, _ item: FeedItem) throws {
        guard let to: Int = record["to"], let context = item.context else { return }
        let text: String = record["deed"]
        let other = try FeedItem.find(["id": .integer(Int64(to))], in: context)
        switch Deed(rawValue: text) {
        case .set: other?.name = "set"
        case .add: if let other { other.score = (other.score ?? 0) + 10 }
        case .delete: if let other { context.delete(other) }
        case .rename:
            let free = to + 1_000_000
            if try FeedItem.find(["id": .integer(Int64(free))], in: context) == nil { other?.id = free }
        case .make where other == nil:
            let made = context.insert(FeedItem.self)
            made.id = to
            made.name = "made"
            made.score = 7
        case .make, nil: break
        }
    }

    /// What must come of it, record by record.
    private static func follow(_ lines: [Line], _ items: inout [Int: String]) {
        func score(_ id: Int) -> Int { items[id].flatMap { Int($0.split(separator: " ")[1]) } ?? 0 }
        for line in lines {
            items[line.id] = "\(line.id) \(score(line.id) + 1)"
            guard let (what, to) = line.deed else { continue }
            switch what {
            case .set: if items[to] != nil { items[to] = "set \(score(to))" }
            case .add: if let name = items[to]?.split(separator: " ")[0] { items[to] = "\(name) \(score(to) + 10)" }
            case .delete: items[to] = nil
            case .rename: if items[to + 1_000_000] == nil { items[to + 1_000_000] = items.removeValue(forKey: to) }
            case .make: if items[to] == nil { items[to] = "made 7" }
            }
        }
    }
}
