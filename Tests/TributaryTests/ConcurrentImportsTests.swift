import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// Two imports into one store at the same time.
@Suite struct ConcurrentImportsTests {
    /// Which records a feed has, in which order, and whether a closure takes them.
    private struct Feed {
        var ids: [String: [Int]] = [:]
        var routes: [(entity: String, hasClosure: Bool)] = []

        init(_ random: inout SeededGenerator) {
            for entity in ["FeedItem", "Item"].shuffled(using: &random) where routes.isEmpty || random.once(in: 2) {
                routes.append((entity, random.once(in: 2)))
                let count = random.pick([0, 3, 400, 3000])
                ids[entity] = (0..<count).map { _ in Int.random(in: 0..<max(1, count), using: &random) }
            }
        }

        /// The records of the first route come first.
        var text: String {
            let parts = routes.map { route in
                let records = (ids[route.entity] ?? []).map { "{\"id\":\($0),\"name\":\"\($0)\"}" }
                return "\"\(route.entity)\":[\(records.joined(separator: ",\n"))]"
            }
            return "{\(parts.joined(separator: ","))}"
        }

        var importRoutes: [ImportRoute] {
            routes.map { entity, hasClosure in
                let path = RecordPath(stringLiteral: ".\(entity)[]")
                if !hasClosure { return .rows(entity, at: path) }
                if entity == "Item" {
                    return .objects(Item.self, at: path) { record, item in item.name = record["name"] }
                }
                return .objects(FeedItem.self, at: path) { record, item in item.name = record["name"] }
            }
        }
    }

    @Test("Two imports into one store at the same time both end, with each key once", arguments: 0..<30)
    func bothEnd(_ number: UInt64) async throws {
        var random = SeededGenerator.sampled(12_000, case: number)
        let folder = try TemporaryFolder()
        let manager = try ContextManager(
            model: Model(FeedItem.self, Item.self, Maker.self, Shelf.self),
            store: .sqlite(folder.path("items.sqlite")))
        let feeds = [Feed(&random), Feed(&random)]
        let isFilled = random.once(in: 3)
        if isFilled {
            try manager.load(.text(#"[{"id":1,"name":"1"}]"#), [.rows("FeedItem", at: "[]")])
        }
        let imports = feeds.map { feed in
            var options = ImportOptions()
            options.jobs = random.pick([1, 2, 4])
            options.batchSize = random.pick([1, 20, 500])
            return StreamImport(
                into: manager, from: [.text(feed.text)], routes: feed.importRoutes, options: options)
        }
        let seed = "seed \(random.seed)"
        let queue = OperationQueue()
        await withCheckedContinuation { ended in
            let all = DispatchGroup()
            for one in imports {
                all.enter()
                one.completionBlock = { all.leave() }
            }
            all.notify(queue: .global()) { ended.resume() }
            queue.addOperations(imports, waitUntilFinished: false)
        }
        for one in imports {
            #expect(one.errors.isEmpty, "\(seed): \(one.errors)")
            let books = try #require(one.outcome?.summary)
            #expect(books.isBalanced && books.rejected == 0, "\(seed): \(books)")
        }
        #expect(try FeedStore.faults(manager.stores.stores[0]) == [], "\(seed)")
        let found = try manager.newPrivateContext().performAndWait { context in
            let items = try Item.all(in: context).map { [$0.id, Int($0.name ?? "") ?? -1] }
            let feedItems = try FeedItem.all(in: context).map { [$0.id, Int($0.name) ?? -1] }
            return ["FeedItem": feedItems, "Item": items]
        }
        for (entity, rows) in found {
            let ids = feeds.reduce(into: Set<Int>()) { $0.formUnion($1.ids[entity] ?? []) }
            let earlier: Set<Int> = isFilled && entity == "FeedItem" ? [1] : []
            #expect(rows.map { $0[0] }.sorted() == ids.union(earlier).sorted(), "\(seed): keys of \(entity)")
            #expect(rows.allSatisfy { $0[0] == $0[1] }, "\(seed): names of \(entity)")
        }
    }
}
