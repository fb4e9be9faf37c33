import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Imports whose chunks several threads evaluate ahead of the thread that writes.
@Suite struct AheadTests {
    /// Records with these ids, each with its position as `n`.
    private static func text(_ ids: some Sequence<Int>, _ name: (Int) -> String = { "name \($0)" }) -> String {
        "["
            + ids.enumerated().map { "{\"n\":\($0),\"id\":\($1),\"name\":\"\(name($1))\"}" }
            .joined(separator: ",\n") + "]"
    }

    /// Imports items with a closure, and counts how often it is called for each record.
    private func take(
        _ items: ItemStore, _ text: String, jobs: Int = 4, batchSize: Int = 7, onError: ErrorPolicy = .stop,
        _ setter: @escaping @Sendable (Record, FeedItem) throws -> Void
    ) throws -> (books: ImportSummary, calls: [Int: Int]) {
        let calls = Guarded<[Int: Int]>([:])
        var options = ImportOptions()
        options.jobs = jobs
        options.batchSize = batchSize
        options.onError = onError
        let books = try items.manager.load(
            MemorySource(text.utf8),
            [
                .objects(FeedItem.self, at: "[]") { record, item in
                    let number: Int = record["n"]
                    calls.withLock { $0[number, default: 0] += 1 }
                    try setter(record, item)
                }
            ], options)
        return (books, calls.withLock { $0 })
    }

    @Test(
        "A closure runs once for each record, with any batch size and number of threads",
        arguments: [1, 2, 8], [1, 7, 1000])
    func aClosureIsCalledOnceForEachRecord(_ jobs: Int, _ batch: Int) throws {
        let items = try ItemStore()
        // Ids repeat, some within a chunk and some far apart.
        let ids = (0..<800).map { $0 % 3 == 0 ? $0 % 200 : $0 / 4 % 200 }
        let text = Self.text(ids) { "\($0)" }
        for round in 0..<2 {
            let (books, calls) = try take(items, text, jobs: jobs, batchSize: batch) { record, item in
                item.name = record["name"]
                item.score = (item.score ?? 0) + 1
            }
            #expect(calls.count == 800 && calls.values.allSatisfy { $0 == 1 })
            #expect(books.isBalanced && books.read == 800 && books.waiting == 0)
            let expected = Dictionary(grouping: ids, by: { $0 }).mapValues { Double($0.count * (round + 1)) }
            let found = try items.store.read { connection in
                try connection.rows(of: "SELECT \"id\", \"score\" FROM \"FeedItem\"")
            }
            for row in found {
                guard case .integer(let id) = row[0], case .real(let score) = row[1] else { continue }
                #expect(score == expected[Int(id)])
            }
            #expect(found.count == expected.count)
        }
    }

    @Test("A feed can be imported again after its closure ended an import with an error", arguments: [1, 4])
    func aChunkThatFailsIsNotTheEnd(_ jobs: Int) throws {
        let items = try ItemStore()
        // A cancellation is no reject: it ends the import at the last record.
        #expect(throws: CancellationError.self) {
            try take(items, Self.text(0..<100), jobs: jobs) { record, item in
                item.name = record["name"]
                if item.id == 99 { throw CancellationError() }
            }
        }
        #expect(try items.rows().count < 100)
        let books = try take(items, Self.text(0..<100), jobs: jobs) { record, item in item.name = record["name"] }.books
        #expect(books.isBalanced && books.read == 100)
        #expect(try items.rows().count == 100)
    }

    @Test("Many repeated keys are updates, and each closure runs once")
    func manyRepeatsAreUpdates() throws {
        let items = try ItemStore()
        let ids = (0..<130_000).map { $0 % 65_000 }
        let (books, calls) = try take(items, Self.text(ids), batchSize: 1000) { record, item in
            item.name = record["name"]
            item.score = (item.score ?? 0) + 1
        }
        #expect(books.tally == [130_000, 65_000, 65_000, 0, 0, 0, 0])
        #expect(calls.count == 130_000 && calls.values.allSatisfy { $0 == 1 })
        #expect(try items.faults() == [])
    }

    /// An import writes larger groups while nothing listens, so its own contexts must not count as listeners.
    @Test("Contexts of the import itself do not count as listeners of saves", arguments: [1, 4])
    func anImportDoesNotHearItself(_ jobs: Int) throws {
        let items = try ItemStore()
        let heard = Guarded<Set<Bool>>([])
        let stores = items.manager.stores
        func take() throws -> Set<Bool> {
            heard.withLock { $0 = [] }
            let (books, _) = try self.take(items, Self.text(0..<200), jobs: jobs) { record, item in
                item.name = record["name"]
                heard.withLock { _ = $0.insert(stores.hasListeners) }
            }
            #expect(books.isBalanced && books.read == 200)
            return heard.withLock { $0 }
        }
        #expect(try take() == [false])
        let listener = items.manager.newPrivateContext()
        #expect(try take() == [true])
        withExtendedLifetime(listener) {}
    }

    @Test("An observer of saves can write to the store during an import")
    func saveObserversMayWrite() throws {
        let items = try ItemStore()
        try items.take(ItemStore.text(0..<50))
        let manager = items.manager
        let count = Guarded(0)
        let observation = manager.observeSaves { _ in
            let number = count.next()
            guard number <= 3 else { return }
            try? manager.writeAndWait { context in
                let item = context.insert(FeedItem.self)
                item.id = 10_000 + number
                item.name = "heard"
            }
        }
        let (books, _) = try take(items, Self.text(0..<2000)) { record, item in item.name = record["name"] }
        #expect(books.isBalanced && books.read == 2000)
        #expect(try items.rows().count { $0.hasSuffix(" heard") } == 3)
        #expect(try items.rows().count == 2003)
        withExtendedLifetime(observation) {}
    }

    @Test("A record that its closure rejects writes nothing, be it new or known")
    func refusedRecordsLeaveNothing() throws {
        let items = try ItemStore()
        struct Unwanted: Error {}
        for round in 0..<2 {
            var options = ImportOptions()
            options.jobs = 4
            options.batchSize = 10
            options.onError = .skip
            let books = try items.manager.load(
                MemorySource(ItemStore.text(0..<500) { "\($0) \(round)" }.utf8),
                [
                    .objects(FeedItem.self, at: "[]") { record, item in
                        item.name = record["name"]
                        if item.id % 7 == 3 { throw Unwanted() }
                    }
                ], options)
            #expect(books.rejected == (0..<500).count { $0 % 7 == 3 } && books.isBalanced)
            #expect((round == 0 ? books.inserted : books.updated) == 500 - books.rejected)
            #expect(try items.rows().count == 500 - books.rejected)
        }
    }

    @Test("Rows changed after their comparison are compared again before writing")
    func rowsChangedAfterTheirComparison() throws {
        let items = try ItemStore()
        try items.take(ItemStore.text(0..<10))
        let entity = try #require(items.manager.model["FeedItem"])
        let attributes = entity.attributes
        let key = attributes.filter { $0.name == "id" }
        let table = BulkTable(entity, attributes: attributes, key: key, schema: items.store.schema)
        let batch = RowBatch(width: table.columns.count)
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: table.columns.count)
        defer { cells.deallocate() }
        for id in 5..<15 {
            batch.begin(ordinal: id - 5)
            for column in table.columns {
                switch column.attributeName {
                case "id": batch.add(Int64(id))
                case "name": batch.add(.text("new \(id)"))
                default: batch.addAbsent()
                }
            }
            batch.finish(key: table.key, scratch: cells)
        }
        let reader = try items.store.makeReader(cacheKiB: 1000)
        let comparison = try RowComparer(table, mode: .upsert, on: reader).compare([batch])[0]
        #expect(comparison.outcome.counts.updated == 5 && comparison.outcome.counts.inserted == 5)
        batch.moveOut(to: items.folder.path(""))
        try items.store.importing { connection in
            // One compared row is deleted, and one that was missing is inserted.
            try connection.execute("DELETE FROM \"FeedItem\" WHERE \"id\" = 7")
            try connection.execute("INSERT INTO \"FeedItem\" (\"_pk\", \"id\", \"name\") VALUES (500, 12, 'theirs')")
            let writer = try BulkWriter(table, mode: .upsert, on: connection)
            let outcome = try connection.transaction {
                try writer.write([batch], [comparison], firstKeys: [100])
            }
            #expect(outcome.counts.inserted == 5 && outcome.counts.updated == 5 && outcome.refused.isEmpty)
        }
        let rows = try items.rows().map(\.withoutNumber).sorted()
        #expect(rows == ((0..<5).map { "\($0) name \($0)" } + (5..<15).map { "\($0) new \($0)" }).sorted())
        #expect(try items.faults() == [])
    }

    @Test("A setter reads the same place of a record in batches of any size", arguments: [1, 2, 3, 100])
    func places(_ batchSize: Int) throws {
        let items = try ItemStore()
        let text =
            "{\"a\":[\n" + (0..<12).map { "{\"id\":\($0 % 5)}" }.joined(separator: ",\n") + "]}"
        let options = ImportOptions.batches(of: batchSize, onError: .stop)
        try items.manager.load(
            MemorySource(text.utf8, name: "dump.json"),
            [
                .objects(FeedItem.self, at: ".a[]", key: ImportKey(["id"])) { record, item in
                    item.name =
                        "\(record.number) \(record.line) \(record.position.file) \(record.path.count) \(record.route)"
                }
            ], options)
        let names = try items.manager.newPrivateContext().performAndWait { context in
            try FeedItem.all(in: context, sort: [SortKey("id")]).map(\.name)
        }
        let numbers = [11, 12, 8, 9, 10]
        #expect(names == numbers.map { "\($0) \($0 + 1) dump.json 2 0" })
    }
}
