import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// What a closure looks for besides its object.
private final class Sign: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var text: String
}

private final class Note: ManagedObject {
    @Attribute var text: String
}

/// Closures that look around see what came before in the feed, and nothing else, however the feed is cut and wherever they
/// are called.
@Suite struct LookingAroundTests {
    /// Where records come from, and where to.
    enum Way: CaseIterable, Sendable {
        case file, memory
        /// Records with nothing to look for have a route of their own, into another table.
        case routes
    }

    private struct Line {
        let id: Int
        let name: Int
        var look: Int?
        var isSign = false
    }

    /// A feed in which ids come again, and some records ask for the name that another one has by now; such a record is the
    /// only one of its id: others may have to wait.
    private static func lines(_ random: inout SeededGenerator, _ way: Way) -> [Line] {
        let count = Int.random(in: 1...2500, using: &random)
        let ids = max(1, count / Int.random(in: 1...4, using: &random))
        let firstLook = Bool.random(using: &random) ? 0 : Int.random(in: 0..<count, using: &random)
        let share = random.pick([2, 20, 300])
        // Far apart, near, or hardly ever.
        let repeats = random.pick([1, 3, 50])
        var lines = (0..<count).map { number in
            let isNew = number < ids && !Int.random(in: 0..<repeats, using: &random).isMultiple(of: repeats)
            let id = isNew || repeats == 50 ? number : Int.random(in: 0...min(number, ids), using: &random)
            return Line(id: id, name: number, isSign: way == .routes && Bool.random(using: &random))
        }
        let counts = lines.reduce(into: [:]) { $0[$1.id, default: 0] += 1 }
        for number in lines.indices.dropFirst(firstLook) where counts[lines[number].id] == 1 {
            guard !lines[number].isSign, Int.random(in: 0..<share, using: &random) == 0 else { continue }
            lines[number].look = Int.random(in: 0...min(count, number + 3), using: &random)
        }
        return lines
    }

    @Test(arguments: Way.allCases, 0..<25) func theySeeWhatCameBefore(_ way: Way, _ number: UInt64) throws {
        var random = SeededGenerator.sampled(number &+ 7000)
        let lines = Self.lines(&random, way)
        let text = Self.text(lines, way)
        var options = ImportOptions()
        options.jobs = Int.random(in: 1...6, using: &random)
        options.batchSize = way == .routes ? 1 : random.pick([1, 7, 100, 600, 3000])
        let folder = try TemporaryFolder()
        let manager = try ContextManager(
            model: Model(FeedItem.self, Sign.self),
            store: way == .memory ? .memory : .sqlite(folder.path("items.sqlite")))
        let place =
            "seed \(random.seed): \(way), \(lines.count) records, \(options.jobs ?? 0) jobs of \(options.batchSize)"
        for round in 0..<2 {
            let feed = StreamImport(into: manager, from: [.text(text)], options: options)
            feed.add(
                .objects(FeedItem.self, at: way == .routes ? "[].item" : "[]") { record, item in
                    item.name = "\(record["name"] ?? 0) \(round)"
                    guard let wanted: Int = record["look"], let context = item.context else { return }
                    let key: KeyValuePairs<String, FilterValue> = ["id": .integer(Int64(wanted))]
                    let name =
                        way == .routes
                        ? try Sign.find(key, in: context)?.text : try FeedItem.find(key, in: context)?.name
                    item.score = name.map { Double($0.prefix { $0 != " " }) ?? -2 } ?? -1
                })
            if way == .routes { feed.add(.rows("Sign", at: "[].sign")) }
            let books = try feed.perform().summary
            #expect(books.isBalanced && books.read == lines.count, "\(place)")
            let found = try manager.newPrivateContext().performAndWait { context in
                try FeedItem.all(in: context).reduce(into: [Int: String]()) {
                    $0[$1.id] = "\($1.name) \($1.score ?? -3)"
                }
            }
            #expect(found == Self.oracle(lines, way, rounds: round + 1), "\(place), round \(round)")
        }
    }

    private static func text(_ lines: [Line], _ way: Way) -> String {
        let records = lines.map { line -> String in
            let look = line.look.map { ",\"look\":\($0)" } ?? ""
            guard way == .routes else { return "{\"id\":\(line.id),\"name\":\(line.name)\(look)}" }
            return line.isSign
                ? "{\"sign\":{\"id\":\(line.id),\"text\":\"\(line.name)\"}}"
                : "{\"item\":{\"id\":\(line.id),\"name\":\(line.name)\(look)}}"
        }
        return "[" + records.joined(separator: ",\n") + "]"
    }

    /// What must come of it, record by record.
    private static func oracle(_ lines: [Line], _ way: Way, rounds: Int) -> [Int: String] {
        var items: [Int: (name: Int, round: Int, score: Double)] = [:]
        var signs: [Int: Int] = [:]
        for round in 0..<rounds {
            for line in lines {
                if line.isSign {
                    signs[line.id] = line.name
                    continue
                }
                items[line.id] = (line.name, round, items[line.id]?.score ?? -3)
                guard let wanted = line.look else { continue }
                let name = way == .routes ? signs[wanted] : items[wanted]?.name
                items[line.id]?.score = name.map(Double.init) ?? -1
            }
        }
        return items.mapValues { "\($0.name) \($0.round) \($0.score)" }
    }

    /// The first load of one route ends in the middle of a chunk.
    @Test func whatWaitsIsAppliedBeforeAnotherRouteLooks() throws {
        let folder = try TemporaryFolder()
        let manager = try ContextManager(
            model: Model(FeedItem.self, Sign.self, Note.self), store: .sqlite(folder.path("items.sqlite")))
        try manager.writeAndWait { context in
            let sign = context.insert(Sign.self)
            (sign.id, sign.text) = (9, "there before")
            try context.save()
        }
        let text = """
            [{"a":{"id":1,"name":"old"}},{"a":{"id":7,"name":"-"}},{"a":{"id":8,"name":"-"}},
            {"a":{"id":1,"name":"new"}},{"a":{"id":2,"name":"makes"}},{"b":{"id":1}}]
            """
        var options = ImportOptions()
        options.batchSize = 3
        let feed = StreamImport(into: manager, from: [.text(text)], options: options)
        feed.add(
            .objects(FeedItem.self, at: "[].a") { record, item in
                item.name = record["name"]
                if item.name == "makes" { item.context?.insert(Note.self).text = "made" }
            })
        feed.add(
            .objects(Sign.self, at: "[].b") { _, sign in
                guard let context = sign.context else { return }
                sign.text = try FeedItem.find(["id": .integer(1)], in: context)?.name ?? "nothing"
            })
        let books = try feed.perform().summary
        #expect(books.isBalanced && books.read == 6 && books.rejected == 0)
        let texts = try manager.newPrivateContext().performAndWait { try Sign.all(in: $0).map(\.text).sorted() }
        #expect(texts == ["new", "there before"])
    }

    /// Something that was there before the import, which closures come to from any record.
    @Test(arguments: [0, 3, 700, 1900], [1, 4]) func aPropertyIsReadFromAnyRecord(_ first: Int, _ jobs: Int) throws {
        let folder = try TemporaryFolder()
        let manager = try ContextManager(
            model: Model(FeedItem.self, Sign.self), store: .sqlite(folder.path("items.sqlite")))
        let id = try manager.writeAndWait { context in
            let sign = context.insert(Sign.self)
            (sign.id, sign.text) = (1, "seven")
            try context.save()
            return sign.objectID
        }
        var options = ImportOptions()
        (options.jobs, options.batchSize) = (jobs, 1000)
        for _ in 0..<2 {
            let feed = StreamImport(
                into: manager, from: [.text(ItemStore.text(0..<3000))], options: options)
            feed.add(
                .objects(FeedItem.self, at: "[]") { record, item in
                    item.name = record["name"]
                    guard item.id >= first, let sign = item.context?.object(with: id) as? Sign else { return }
                    item.name += " " + sign.text
                })
            let books = try feed.perform().summary
            #expect(books.isBalanced && books.read == 3000)
        }
        let names = try manager.newPrivateContext().performAndWait { try FeedItem.all(in: $0).map(\.name) }
        #expect(names.count { $0.hasSuffix(" seven") } == 3000 - first && names.count == 3000)
    }
}
