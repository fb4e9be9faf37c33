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
        try world.run("import", [(0, a), (1, a), (2, b)], ["--undoable"]).expect(0)
        try world.execute(
            """
            CREATE TRIGGER kept BEFORE DELETE ON items WHEN old.id = 1 BEGIN SELECT RAISE(ABORT, 'one stays'); END
            """)
        try world.execute(
            "CREATE TRIGGER kept_too BEFORE DELETE ON items WHEN old.id = 2 BEGIN SELECT RAISE(IGNORE); END")
        try Tool.tributary.run(["undo", world.world.database]).expect(
            3, text: "items 1: one stays", "items 2: a trigger")
        world.items = [0: .init(name: "first", count: 0), 1: a, 2: b]
        try world.check("after the undo")
    }

    @Test("A trigger that SQLite cannot run ends an import before it writes, and so does a rollback of a trigger")
    func brokenTriggers() throws {
        let world = try TriggerWorld(isOwn: true, isTouchIndexed: false)
        let item = TriggerWorld.Item(name: "a", count: 1)
        try world.execute("CREATE TRIGGER x AFTER INSERT ON items BEGIN SELECT unknown_function(new.id); END")
        try world.run("import", [(1, item)], []).expect(1, error: "SQLite refuses to write the table items")
        try world.execute("DROP TRIGGER x")
        try world.execute("CREATE TRIGGER x AFTER INSERT ON items BEGIN SELECT RAISE(ROLLBACK, 'none'); END")
        try world.run("import", [(1, item)], []).expect(1, error: "use RAISE(ABORT, …) in the trigger")
        try world.check("after both")
    }

    @Test("What is inside of a record that a trigger refuses or ignores stays as it was", arguments: [1, 1000])
    func refusedOwners(batchSize: Int) throws {
        let world = try ImportWorld()
        func load(_ text: String, code: Int32 = 0) throws {
            let outcome = try world.load(
                world.write(text, "p.json"), "-q", "--key", "id", "--relations=all", "--on-error", "quarantine",
                "--batch-size", "\(batchSize)")
            #expect(outcome.code == code, "\(outcome.error)")
        }
        try load(
            """
            [{"id":1,"n":"a","kids":[{"v":1,"w":{"x":1}},{"v":2}],"one":{"q":1}},
            {"id":2,"n":"b","kids":[{"v":3},{"v":4}],"one":{"q":2}}]
            """)
        let connection = try Connection(.file(world.database))
        for (name, condition, action) in [
            ("UPDATE ON p", "new.n = 'bad'", "ABORT, 'no'"), ("INSERT ON p", "new.n = 'bad'", "ABORT, 'no'"),
            ("UPDATE ON p", "new.n = 'none'", "IGNORE"), ("INSERT ON p", "new.n = 'none'", "IGNORE"),
            ("UPDATE ON kids", "new.v = 666", "ABORT, 'no'"), ("INSERT ON kids", "new.v = 666", "ABORT, 'no'"),
        ] {
            try connection.execute(
                SQLFragment(
                    trusted: """
                        CREATE TRIGGER "\(name) \(action)" BEFORE \(name) WHEN \(condition)
                        BEGIN SELECT RAISE(\(action)); END
                        """))
        }
        func state() throws -> [[SQLValue]] {
            try connection.rows(
                of: "SELECT p.id, p.n, kids.v, kids.w FROM kids LEFT JOIN p ON p._pk = kids.p ORDER BY 1, 3")
                + connection.rows(of: "SELECT p.id, one.q FROM one LEFT JOIN p ON p.one = one._pk ORDER BY 1, 2")
                + connection.rows(of: "SELECT x FROM w ORDER BY 1")
        }
        let before = try state()
        let inside = #""kids":[{"v":8,"w":{"x":8}},{"v":9},{"v":10}],"one":{"q":8}"#
        for (id, name) in [(1, "bad"), (1, "none"), (7, "bad"), (7, "none")] {
            try load("[{\"id\":\(id),\"n\":\"\(name)\",\(inside)}]", code: name == "bad" ? 3 : 0)
            #expect(try state() == before, "\(id) \(name)")
        }
        // A refused one beside others, also with the same key, and a refused object inside.
        try load(
            """
            [{"id":1,"n":"bad",\(inside)},{"id":1,"n":"c","kids":[{"v":5}],"one":{"q":5}},
            {"id":2,"kids":[{"v":7},{"v":666,"w":{"x":9}},{"v":11},{"v":12}]}]
            """, code: 3)
        #expect(
            try state() == [
                [1, "c", 5, .null], [2, "b", 7, .null], [2, "b", 11, .null], [2, "b", 12, .null], [1, 5], [2, 2],
            ])
    }

    @Test("Triggers that replace rows forbid undoable runs, whatever the name of the table")
    func replacing() throws {
        let world = try ImportWorld()
        let feed = try world.write(#"[{"id":1,"n":1},{"id":2,"n":2}]"#, "order-lines.json")
        try world.load(feed, "--key", "id").expect(0)
        let connection = try Connection(.file(world.database))
        try connection.execute(
            """
            CREATE TRIGGER r AFTER UPDATE ON "order-lines" WHEN new.id = 1
            BEGIN INSERT OR REPLACE INTO "order-lines" (_pk, id, n) VALUES (77, 2, 99); END
            """)
        try world.load(feed, "--key", "id", "--again", "--undoable").expect(1, error: "the trigger r may replace rows")
    }

    @Test("An undo replaces no row, although a constraint of the table would")
    func undoWithoutReplacing() throws {
        let world = try ImportWorld()
        let connection = try Connection(.file(world.database))
        for sql: SQLFragment in [
            "CREATE TABLE person (id INTEGER PRIMARY KEY, email TEXT UNIQUE ON CONFLICT REPLACE)",
            "CREATE TABLE log (id)", "INSERT INTO person VALUES (1, 'a')",
            "CREATE TRIGGER l AFTER UPDATE ON person BEGIN INSERT INTO log VALUES (new.id); END",
        ] {
            try connection.execute(sql)
        }
        let person = try world.write(#"[{"id":1,"email":"c"}]"#, "person.json")
        try world.load(person, "--undoable").expect(0)
        try connection.execute("INSERT INTO person VALUES (9, 'a')")
        try Tool.tributary.run(["undo", world.database]).expect(3, text: "another row has its unique values")
        #expect(try connection.rows(of: "SELECT * FROM person") == [[1, "c"], [9, "a"]])
    }

    @Test("A trigger that keeps rows ends a sync and a truncation")
    func keptRows() throws {
        let world = try ImportWorld()
        let words = ["sync", world.database, "--key", "id", "--max-delete", "90%", "--feed", "f"]
        let first = try world.write(#"[{"id":1},{"id":2},{"id":3}]"#, "t.json")
        try Tool.tributary.run(words + [first]).expect(0)
        let connection = try Connection(.file(world.database))
        try connection.execute(
            "CREATE TRIGGER k BEFORE DELETE ON t WHEN old.id = 3 BEGIN SELECT RAISE(IGNORE); END")
        let second = try world.write(#"[{"id":1}]"#, "t.json")
        for outcome in [try Tool.tributary.run(words + [second]), try world.load(second, "--truncate")] {
            #expect(outcome.code == 1 && outcome.error.contains("a trigger of t keeps rows"), "\(outcome.error)")
            #expect(try connection.rows(of: "SELECT id FROM t") == [[1], [2], [3]])
        }
        try connection.execute("DROP TRIGGER k")
        try Tool.tributary.run(words + [second]).expect(0)
        #expect(try connection.rows(of: "SELECT id FROM t") == [[1]])
    }
}
