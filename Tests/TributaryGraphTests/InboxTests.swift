import Dispatch
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// The saves that a context merges after its queue was blocked.
@Suite struct InboxTests {
    /// Used on the queue of one context.
    private final class Log: @unchecked Sendable {
        var inserted: Set<Int> = []
        var refreshed: Set<Int> = []
        var deleted: Set<ObjectID> = []
        var isReload = false
        var held: [Author] = []
        var observations: [ContextObservation] = []

        func record(_ changes: ContextChanges) {
            inserted.formUnion(changes.inserted.compactMap { ($0 as? Author)?.id })
            refreshed.formUnion(changes.refreshed.compactMap { ($0 as? Author)?.id })
            // Objects that only the log holds are refreshed by later saves too.
            held += changes.refreshed.compactMap { $0 as? Author }
            deleted.formUnion(changes.deleted.map(\.objectID))
            if changes.isReload { isReload = true }
        }
    }

    @Test("A blocked context merges few saves one by one and reloads after many", arguments: [300, 300_000])
    func mergesOrReloads(_ size: Int64) throws {
        let manager = try ContextManager.library()
        try manager.writeAndWait { context in
            for number in 1...60 { _ = context.author(number, "old") }
            try context.save()
        }
        let context = manager.newPrivateContext()
        let log = Log()
        try context.performAndWait { context in
            context.mergesAutomatically = true
            log.held = try Author.all(in: context, sort: [SortKey("id")]).filter { $0.id > 55 }
            log.observations = [
                context.observeChanges { log.record($1) }, try context.watch("Author", where: "id <= 50"),
            ]
        }
        let gate = DispatchSemaphore(value: 0)
        context.perform { _ in gate.wait() }
        let entity = try #require(manager.model["Author"])
        // The keys of authors, and keys without a row.
        for part in 0..<8 as Range<Int64> {
            let absent = Array(1000 + part * size..<1000 + (part + 1) * size)
            let present: [Int64] = part == 3 ? Array(1...30) + [57] : []
            manager.stores.announce([(entity, present + absent, part == 5 ? Array(25...58) : [])])
        }
        try manager.writeAndWait { context in
            try Author.find(["id": 60], in: context)?.delete()
            try Author.find(["id": 57], in: context)?.name = "new"
            try context.save()
        }
        gate.signal()
        try context.performAndWait { context in
            let isReload = size > 1000
            #expect(log.isReload == isReload)
            #expect(log.inserted == (isReload ? [] : Set(1...30)))
            #expect(log.refreshed == (isReload ? Set(56...59) : Set(25...50).union(56...58)))
            #expect(log.held[1].name == "new")
            #expect(log.deleted == [log.held[4].objectID])
            let count = try Author.count(in: context)
            #expect(count == 59)
            (log.held, log.observations) = ([], [])
        }
    }
}

/// The saves of a manager as an asynchronous sequence.
@Suite struct SaveSequenceTests {
    @Test("A loop over saves gets each save once, in its order, and ends with its task")
    func savesArriveInOrder() async throws {
        let manager = try ContextManager.library()
        var saves = manager.saves.makeAsyncIterator()
        for number in 1...3 {
            try await manager.write { context in _ = context.author(number, "new") }
        }
        for number in 1...3 {
            let saved = try #require(await saves.next())
            let id = try #require(saved.inserted.first)
            let found = try await manager.read { context in (try context.existingObject(with: id) as? Author)?.id }
            #expect(saved.inserted.count == 1 && found == number && !saved.isReload)
        }
        let loop = Task { [saves] in
            var saves = saves
            return await saves.next() == nil
        }
        loop.cancel()
        #expect(await loop.value)
    }
}
