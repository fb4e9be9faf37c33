import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// Commands on tables with triggers, which this command or another program made.
@Suite struct TriggerTests {
    private static let names = ["ann", "bob", "cy", "bad", "nobody"]

    @Test(
        "Triggers run in imports, syncs, retries and undos, and a dry run changes nothing",
        arguments: [true, false], [true, false])
    func sessions(isOwn: Bool, isTouchIndexed: Bool) throws {
        var lots = SeededGenerator.sampled(11_000, case: (isOwn ? 1 : 0) + (isTouchIndexed ? 2 : 0))
        let world = try TriggerWorld(isOwn: isOwn, isTouchIndexed: isTouchIndexed)
        for step in 0..<8 {
            let place: Comment = "own \(isOwn), indexed \(isTouchIndexed), step \(step), seed \(lots.seed)"
            let records = (0..<(1 + lots.below(12))).map { _ in
                (1 + lots.below(8), TriggerWorld.Item(name: lots.pick(Self.names), count: lots.below(3)))
            }
            let size = ["--batch-size", lots.pick(["1", "3", "1000"])]
            let isUndone = lots.once(in: 2)
            switch lots.below(isOwn ? 5 : 4) {
            case 0:
                let before = try world.dump()
                let outcome = try world.run("import", records, size + ["--dry-run"])
                #expect([0, 2, 3].contains(outcome.code), "\(outcome.error), \(place)")
                #expect(try world.dump() == before, place)
            case 1:
                let (before, items) = (try world.whole(), world.items)
                let rejected = try world.load(records, size + ["--undoable"], place)
                try world.check(place)
                if isUndone {
                    try undo(world, mustChange: items != world.items, place)
                    world.items = items
                    #expect(try world.whole() == before, place)
                } else {
                    world.rejects += rejected
                }
            case 2: if !world.rejects.isEmpty { #expect(try world.retry().code == 0, place) }
            case 3: world.rejects += try world.load(records, size, place)
            default:
                let earlier = world.items
                let feed = size + ["--max-delete", "100%", "--feed", "\(step)"]
                world.rejects += try world.load(records, feed, command: "sync", place)
                let (before, items) = (try world.whole(), world.items)
                let first = [(0, TriggerWorld.Item(name: "first", count: 0))]
                _ = try world.load(first, feed + ["--undoable"], command: "sync", place)
                // Other feeds may have brought some of the rows, but not new ones.
                let left = Set(try world.rows("SELECT id FROM items").map { $0[0] })
                world.items = items.filter { left.contains(.integer(Int64($0.key))) }
                #expect(world.items.keys.allSatisfy { earlier[$0] != nil }, place)
                try world.check(place)
                guard isUndone else { break }
                try undo(world, mustChange: items != world.items, place)
                world.items = items
                #expect(try world.whole() == before, place)
            }
            try world.check(place)
        }
    }

    /// Undoes the latest run, after a dry run of it.
    private func undo(_ world: TriggerWorld, mustChange: Bool, _ place: Comment) throws {
        let before = try world.dump()
        let dry = try Tool.tributary.run(["undo", world.world.database, "--dry-run"])
        #expect(dry.code == 2 || dry.code == 0 && !mustChange, "\(dry.text)\(dry.error), \(place)")
        #expect(try world.dump() == before, place)
        let undone = try Tool.tributary.run(["undo", world.world.database])
        #expect(undone.code == 0, "\(undone.text)\(undone.error), \(place)")
    }

    @Test("An undo leaves what other triggers use as the triggers made it, and tells a row that one keeps")
    func refusedUndo() throws {
        let world = try TriggerWorld(isOwn: false, isTouchIndexed: false)
        let (a, b) = (TriggerWorld.Item(name: "a", count: 1), TriggerWorld.Item(name: "b", count: 2))
        #expect(try world.run("import", [(0, a), (1, a), (2, b)], ["--undoable"]).code == 0)
        try world.execute(
            """
            CREATE TRIGGER kept BEFORE DELETE ON items WHEN old.id = 1 BEGIN SELECT RAISE(ABORT, 'one stays'); END
            """)
        try world.execute(
            "CREATE TRIGGER kept_too BEFORE DELETE ON items WHEN old.id = 2 BEGIN SELECT RAISE(IGNORE); END")
        let undone = try Tool.tributary.run(["undo", world.world.database])
        #expect(undone.code == 3 && undone.text.contains("items 1: one stays"), "\(undone.text)\(undone.error)")
        #expect(undone.text.contains("items 2: a trigger"), "\(undone.text)")
        world.items = [0: .init(name: "first", count: 0), 1: a, 2: b]
        try world.check("after the undo")
    }

    @Test("A trigger that SQLite cannot run ends an import before it writes, and so does a rollback of a trigger")
    func brokenTriggers() throws {
        let world = try TriggerWorld(isOwn: true, isTouchIndexed: false)
        let item = TriggerWorld.Item(name: "a", count: 1)
        try world.execute("CREATE TRIGGER x AFTER INSERT ON items BEGIN SELECT unknown_function(new.id); END")
        let refused = try world.run("import", [(1, item)], [])
        #expect(
            refused.code == 1 && refused.error.contains("SQLite refuses to write the table items"), "\(refused.error)")
        try world.execute("DROP TRIGGER x")
        try world.execute("CREATE TRIGGER x AFTER INSERT ON items BEGIN SELECT RAISE(ROLLBACK, 'none'); END")
        let ended = try world.run("import", [(1, item)], [])
        #expect(ended.code == 1 && ended.error.contains("use RAISE(ABORT, …) in the trigger"), "\(ended.error)")
        try world.check("after both")
    }
}
