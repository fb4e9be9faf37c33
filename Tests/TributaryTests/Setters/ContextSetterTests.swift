import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Setters with a context, which find the effects of all earlier records and of no later ones, in any batch size.
@Suite struct ContextSetterTests {
    private static func rows(_ store: SQLiteStore) throws -> [String] {
        try store.read { connection in
            let nodes = try connection.rows(
                of: "SELECT \"_pk\", \"id\", \"name\", \"score\", \"parent\" FROM \"Node\" ORDER BY \"_pk\"")
            let marks = try connection.rows(of: "SELECT 'mark', \"_pk\", \"text\" FROM \"Mark\" ORDER BY \"_pk\"")
            return (nodes + marks).map { row in row.map(Self.plain).joined(separator: " ") }
        }
    }

    private static func plain(_ value: SQLValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .text(let text): text
        default: "-"
        }
    }

    @Test("Setters with a context have the result and row numbers of one record at a time", arguments: 0..<60)
    func oracle(_ number: UInt64) throws {
        var random = SeededGenerator.sampled(20_000, case: number)
        let folder = try TemporaryFolder()
        let isInMemory = random.once(in: 5)
        let manager = try ContextManager(
            model: Model(Node.self, Mark.self), store: isInMemory ? .memory : .sqlite(folder.path("nodes.sqlite")))
        var oracle = NodeOracle()
        for round in 0..<2 {
            let feed = NodeFeed(&random)
            var options = ImportOptions()
            options.jobs = random.pick([1, 2, 8])
            options.batchSize = random.pick([1, 2, 7, 100, 10_000])
            options.onError = .skip
            let load = StreamImport(
                into: manager, from: [.text(feed.text)],
                routes: [.objects(Node.self, at: "[]") { try NodeFeed.set($0, $1, $2) }], options: options)
            let earlier = oracle.rejected
            oracle.take(feed)
            let books = try load.perform().summary
            let place =
                "seed \(random.seed), \(feed.lines.count) records, batches of \(options.batchSize), round \(round)"
            #expect(books.isBalanced && books.read == feed.lines.count, "\(place): \(books)")
            #expect(books.rejected == oracle.rejected - earlier, "\(place)")
            let rows = try Self.rows(manager.stores.stores[0])
            #expect(rows == oracle.rows, "\(place)")
            #expect(try FeedStore.faults(manager.stores.stores[0]) == [], "\(place)")
        }
    }

    @Test("An import with a context has the same result after any interruptions", arguments: 0..<10)
    func resuming(_ number: UInt64) throws {
        var random = SeededGenerator.sampled(21_000, case: number)
        let folder = try TemporaryFolder()
        let manager = try ContextManager(
            model: Model(Node.self, Mark.self), store: .sqlite(folder.path("nodes.sqlite")))
        let feed = NodeFeed(&random)
        let file = FileSource(try folder.write(feed.text.utf8, to: "nodes.json"))
        var oracle = NodeOracle()
        oracle.take(feed)
        var options = ImportOptions()
        options.onError = .skip
        options.resuming = .resume
        var tries = 0
        while true {
            tries += 1
            options.batchSize = random.pick([1, 7, 50])
            let counter = Counter(limit: tries > 20 ? .max : 1 + random.below(60))
            let load = StreamImport(
                into: manager, from: [file],
                routes: [
                    .objects(Node.self, at: "[]") { record, node, context in
                        if counter.isPast() { throw CancellationError() }
                        try NodeFeed.set(record, node, context)
                    }
                ], options: options)
            if case .finished? = try? load.perform() { break }
        }
        #expect(try Self.rows(manager.stores.stores[0]) == oracle.rows, "seed \(random.seed), \(tries) tries")
    }

    @Test("A setter finds the objects that other routes wrote before it", arguments: [1, 2, 1000])
    func routes(_ batchSize: Int) throws {
        let folder = try TemporaryFolder()
        let manager = try ContextManager(
            model: Model(Node.self, FeedItem.self), store: .sqlite(folder.path("nodes.sqlite")))
        let text = """
            [{"item":{"id":1,"name":"a"}},{"node":{"id":1,"wants":1}},{"node":{"id":2,"wants":2}},
            {"item":{"id":2,"name":"b"}},{"item":{"id":1,"name":"c"}},{"node":{"id":3,"wants":1}},
            {"node":{"id":2,"wants":2}},{"node":{"id":4,"wants":9}}]
            """
        for _ in 0..<2 {
            let isBalanced = try manager.load(
                .text(text),
                [
                    .rows("FeedItem", at: "[].item"),
                    .objects(Node.self, at: "[].node") { record, node, context in
                        let wanted: Int = record["wants"]
                        node.name = try FeedItem.find(["id": wanted], in: context)?.name ?? "nothing"
                    },
                ], .batches(of: batchSize, onError: .stop)
            ).isBalanced
            #expect(isBalanced)
            let names = try manager.newPrivateContext().performAndWait { try Node.all(in: $0).map(\.name) }
            #expect(names == ["a", "b", "c", "nothing"])
        }
    }

    @Test("A record whose setter inserts a duplicate unique value is rejected alone", arguments: [1, 100])
    func uniqueness(_ batchSize: Int) throws {
        let folder = try TemporaryFolder()
        let manager = try ContextManager(
            model: Model(Node.self, FeedItem.self, Mark.self), store: .sqlite(folder.path("nodes.sqlite")))
        let books = try manager.load(
            .text("[{\"id\":1},{\"id\":2},{\"id\":3}]"),
            [
                .objects(Node.self, at: "[]") { _, node, context in
                    let item = context.insert(FeedItem.self)
                    (item.id, item.name) = (node.id == 2 ? 1 : node.id, "item")
                }
            ], .batches(of: batchSize, onError: .skip))
        #expect(books.inserted == 2 && books.rejected == 1 && books.isBalanced)
        let ids = try manager.newPrivateContext().performAndWait { context in
            (try Node.all(in: context).map(\.id), try FeedItem.all(in: context).map(\.id))
        }
        #expect(ids.0 == [1, 3] && ids.1 == [1, 3])
    }

    @Test("An import that its setter cancels commits earlier records and resumes there")
    func cancelling() throws {
        let items = try ItemStore()
        let file = FileSource(try items.folder.write(ItemStore.text(0..<2000).utf8, to: "items.json"))
        var options = ImportOptions.batches(of: 10, onError: .stop)
        options.resuming = .resume
        let running = Guarded<StreamImport?>(nil)
        let load = StreamImport(
            into: items.manager, from: [file],
            routes: [
                .objects(FeedItem.self, at: "[]") { record, item, context in
                    item.name = record["name"]
                    if item.id == 800 { running.withLock { $0 }?.cancel() }
                    if item.id > 0, try FeedItem.find(["id": item.id - 1], in: context) == nil {
                        throw Refusal()
                    }
                }
            ], options: options)
        running.withLock { $0 = load }
        let stopped = try load.perform()
        running.withLock { $0 = nil }
        #expect(stopped.summary.isBalanced && (801..<2000).contains(stopped.summary.read))
        #expect(try items.rows().count == stopped.summary.inserted)
        let resumedAt = try items.manager.load(
            file, [.objects(FeedItem.self, at: "[]") { record, item, _ in item.name = record["name"] }], options
        ).resumedAt
        #expect(resumedAt == stopped.summary.read)
        #expect(try items.rows() == (0..<2000).map { "\($0 + 1) \($0) name \($0)" })
    }

    @Test("A setter that saves in another context ends the import, which names the record")
    func savingElsewhere() throws {
        let items = try ItemStore()
        let manager = items.manager
        let load = StreamImport(
            into: manager, from: [.text(ItemStore.text(0..<5))],
            routes: [
                .objects(FeedItem.self, at: "[]") { record, item, _ in
                    item.name = record["name"]
                    guard item.id == 3 else { return }
                    try? manager.writeAndWait { context in context.insert(FeedItem.self).id = 99 }
                }
            ], options: .batches(of: 2, onError: .skip))
        let error = #expect(throws: ImportError.self) { try load.perform() }
        #expect(
            error?.code == .setter && error?.reason.contains("at record 4 ") ?? false, "\(error.map { "\($0)" } ?? "")")
        #expect(try !items.rows().contains { $0.contains(" 99 ") || $0.contains(" 3 ") })
        // The manager must remain usable.
        try manager.writeAndWait { context in
            let item = context.insert(FeedItem.self)
            (item.id, item.name) = (99, "later")
        }
        #expect(try items.rows().last?.hasSuffix(" 99 later") ?? false)
    }
}
