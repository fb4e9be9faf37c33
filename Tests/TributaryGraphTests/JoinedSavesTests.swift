import Dispatch
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// What a context hears of many saves, none of which it has heard of while they were made.
@Suite struct JoinedSavesTests {
    @Test(arguments: 0..<20) func aSetOfRowsIsASet(_ number: UInt64) {
        var random = SeededGenerator.sampled(17_000, case: number)
        var set = RowSet()
        var expected: Set<Int64> = []
        let reach = random.pick([10, 5_000, 3_000_000]) as Int64
        func keys(_ random: inout SeededGenerator) -> [Int64] {
            let start = Int64.random(in: -3...reach, using: &random)
            if random.once(in: 2) { return Array(start..<start + Int64(random.below(9_000))) }
            return (0..<random.below(300)).map { _ in Int64.random(in: -3...reach, using: &random) }
        }
        for _ in 0..<20 {
            let more = keys(&random)
            expected.formUnion(more)
            set.insert(more)
        }
        var found: [Int64] = []
        set.forEachPart(of: random.pick([1, 100, 1_000_000])) { part in
            #expect(!part.isEmpty)
            found += part
        }
        #expect(found == expected.sorted(), "seed \(random.seed)")
    }

    /// Used on the queue of one context.
    private final class Ear: @unchecked Sendable {
        var inserted: Set<Int> = []
        var refreshed: Set<Int> = []
        var deleted: Set<ObjectID> = []
        var held: [Author] = []
        var ends: [ContextObservation] = []

        func hear(_ changes: ContextChanges) {
            inserted.formUnion(changes.inserted.compactMap { ($0 as? Author)?.id })
            refreshed.formUnion(changes.refreshed.compactMap { ($0 as? Author)?.id })
            // Who holds them hears of the new ones nevertheless.
            held += changes.refreshed.compactMap { $0 as? Author }
            deleted.formUnion(changes.deleted.map(\.objectID))
        }
    }

    /// Few saves are heard of one by one, many are joined; of no row is nothing heard.
    @Test(arguments: [300, 300_000]) func nothingIsMissed(_ size: Int64) throws {
        let manager = try ContextManager.library()
        try manager.writeAndWait { context in
            for number in 1...60 { _ = context.author(number, "old") }
            try context.save()
        }
        let context = manager.newPrivateContext()
        let ear = Ear()
        try context.performAndWait { context in
            context.mergesAutomatically = true
            ear.held = try Author.all(in: context, sort: [SortKey("id")]).filter { $0.id > 55 }
            ear.ends = [context.observeChanges { ear.hear($1) }, try context.watch("Author", where: "id <= 50")]
        }
        let gate = DispatchSemaphore(value: 0)
        context.perform { _ in gate.wait() }
        let entity = try #require(manager.model["Author"])
        // The rows of authors, and others that nobody finds.
        for part in 0..<8 as Range<Int64> {
            let wild = Array(1000 + part * size..<1000 + (part + 1) * size)
            let own: [Int64] = part == 3 ? Array(1...30) + [57] : []
            manager.stores.announce([(entity, own + wild, part == 5 ? Array(25...58) : [])])
        }
        try manager.writeAndWait { context in
            try Author.find(["id": .integer(60)], in: context)?.delete()
            // It is in memory already when it is told to be new.
            try Author.find(["id": .integer(57)], in: context)?.name = "new"
            try context.save()
        }
        gate.signal()
        try context.performAndWait { context in
            #expect(ear.inserted == Set(1...30))
            #expect(ear.refreshed == Set(25...50).union(56...58))
            #expect(ear.held[1].name == "new")
            #expect(ear.deleted == [ear.held[4].objectID])
            let count = try Author.count(in: context)
            #expect(count == 59)
            (ear.held, ear.ends) = ([], [])
        }
    }
}
