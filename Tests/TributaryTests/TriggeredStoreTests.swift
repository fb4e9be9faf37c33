import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Stores whose tables have got triggers: their connection, saves of contexts, setters and nested objects.
@Suite struct TriggeredStoreTests {
    private static let triggers = [
        "CREATE TABLE audit (id, name)",
        "CREATE TRIGGER touch AFTER UPDATE OF name ON feeditem BEGIN UPDATE FeedItem SET score = coalesce(score, 0) + 1"
            + " WHERE id = NEW.id; END",
        "CREATE TRIGGER stamp AFTER INSERT ON FeedItem BEGIN UPDATE FeedItem SET score = 10 WHERE id = NEW.id;"
            + " INSERT INTO audit VALUES (NEW.id, NEW.name); END",
        "CREATE TRIGGER refuse BEFORE INSERT ON FeedItem WHEN NEW.name = 'bad' BEGIN SELECT RAISE(ABORT, 'no bad'); END",
        "CREATE TRIGGER refuse_too BEFORE UPDATE ON FeedItem WHEN NEW.name = 'bad' BEGIN SELECT RAISE(FAIL, 'no bad'); END",
        "CREATE TRIGGER ignore BEFORE INSERT ON FeedItem WHEN NEW.name = 'nobody' BEGIN SELECT RAISE(IGNORE); END",
        "CREATE TRIGGER ignore_too BEFORE UPDATE ON FeedItem WHEN NEW.name = 'nobody' BEGIN SELECT RAISE(IGNORE); END",
    ]

    private func execute(_ statements: [String], in store: SQLiteStore) throws {
        try store.write { connection in
            for statement in statements { try connection.execute(SQLFragment(trusted: statement)) }
        }
    }

    private static let settings = [
        "recursive_triggers", "foreign_keys", "defer_foreign_keys", "cache_size", "synchronous", "journal_mode",
        "locking_mode", "temp_store", "writable_schema", "ignore_check_constraints", "query_only", "cell_size_check",
        "read_uncommitted", "secure_delete", "trusted_schema", "mmap_size",
    ]

    /// The settings of the connection that writes, and its temporary tables and triggers.
    private func settings(_ store: SQLiteStore) throws -> [String] {
        try store.importing { connection in
            try Self.settings.map { name in
                let value = try connection.value(of: SQLFragment(trusted: "PRAGMA \(name)"))
                return "\(name) \(value.map { "\($0)" } ?? "-")"
            } + connection.rows(of: "SELECT name FROM sqlite_temp_master ORDER BY 1").map { "\($0)" }
        }
    }

    @Test("No setting of a connection differs after a run, whatever its way and its end", arguments: [false, true])
    func settingsStay(hasTriggers: Bool) throws {
        let items = try ItemStore()
        if hasTriggers { try execute(Self.triggers, in: items.store) }
        let before = try settings(items.store)
        let ways: [(String, (inout ImportOptions) -> Void)] = [
            ("direct", { $0.firstLoad = .direct }), ("plain", { _ in }), ("undoable", { $0.isUndoable = true }),
            ("dry", { $0.isDryRun = true }), ("stopped", { $0.onError = .stop }),
            ("dry and stopped", { ($0.isDryRun, $0.onError) = (true, .stop) }),
            ("undoable and stopped", { ($0.isUndoable, $0.onError) = (true, .stop) }),
            ("truncated", { $0.truncates = true }), ("undoable again", { $0.isUndoable = true }),
        ]
        for (number, (name, change)) in ways.enumerated() {
            // The last record has no name, so it is rejected.
            let text = ItemStore.text(0..<5) { "\($0) \(number)" }.dropLast() + ",{\"id\":77}]"
            let result = Result {
                try items.take(String(text)) { options in
                    options.onError = .quarantine
                    change(&options)
                }
            }
            switch result {
            case .success(let summary): #expect(summary.counts.rejected == 1 && !name.hasSuffix("stopped"), "\(name)")
            case .failure(let error): #expect(name.hasSuffix("stopped"), "\(name): \(error)")
            }
            #expect(try settings(items.store) == before, "\(name), triggers \(hasTriggers)")
        }
        _ = try items.manager.imports.undo(isDryRun: true)
        #expect(try settings(items.store) == before)
        _ = try items.manager.imports.undo()
        #expect(try settings(items.store) == before)
        #expect(try items.rows().map(\.withoutNumber) == (0..<5).map { "\($0) \($0) 7" })
    }

    @Test("A save runs the triggers of its table, and its objects get what these change")
    func saves() throws {
        let items = try ItemStore()
        try execute(Self.triggers, in: items.store)
        try items.manager.newPrivateContext().performAndWait { context in
            let item = try FeedItem.findOrInsert(["id": 9], in: context)
            for (name, score) in [("a", 10.0), ("b", 11.0), ("c", 12.0)] {
                item.name = name
                try context.save()
                #expect(item.score == score && !context.hasChanges)
            }
            for name in ["bad", "nobody"] {
                item.name = name
                #expect(throws: SQLiteError.self, "\(name)") { try context.save() }
                context.rollback()
                #expect(item.name == "c")
                let other = try FeedItem.findOrInsert(["id": 10], in: context)
                other.name = name
                #expect(throws: SQLiteError.self, "\(name)") { try context.save() }
                context.rollback()
            }
        }
        #expect(try items.store.read { try $0.rows(of: "SELECT id, name, score FROM FeedItem") } == [[9, "c", 12.0]])
    }

    /// A way to import records.
    enum Way: CaseIterable { case rows, closure, context }

    @Test(
        "A record that a trigger refuses is rejected alone, in batches of any size", arguments: Way.allCases,
        [1, 2, 100])
    func refusedRecords(_ way: Way, _ batchSize: Int) throws {
        let items = try ItemStore()
        try execute(Self.triggers, in: items.store)
        let names = ["a", "b", "bad", "d", "nobody", "f"]
        let text = ItemStore.text(1...9) { number in
            number < 7 ? names[number - 1] : ["g", "bad", "nobody"][number - 7]
        }
        .replacing("\"id\":7", with: "\"id\":1").replacing("\"id\":8", with: "\"id\":1")
        .replacing("\"id\":9", with: "\"id\":2")
        let route: ImportRoute =
            switch way {
            case .rows: .rows("FeedItem", at: "[]")
            case .closure: .objects(FeedItem.self, at: "[]") { record, item in item.name = record["name"] }
            case .context: .objects(FeedItem.self, at: "[]") { record, item, _ in item.name = record["name"] }
            }
        let feed = StreamImport(
            into: items.manager, from: [.text(text)], routes: [route],
            options: .batches(of: batchSize, onError: .quarantine))
        // An object that a trigger ignores would not be in the store, so a setter's record is rejected.
        let tally = [9, 4, 1, 0, 0] + (way == .rows ? [2, 2] : [0, 4])
        #expect(try feed.perform().summary.tally == tally)
        #expect(
            try items.store.read { try $0.rows(of: "SELECT id, name, score FROM FeedItem ORDER BY id") }
                == [[1, "g", 11.0], [2, "b", 10.0], [4, "d", 10.0], [6, "f", 10.0]])
        #expect(try items.store.read { try $0.rows(of: "SELECT id FROM audit") } == [[1], [2], [4], [6]])
        #expect(try items.faults() == [])
    }

    @Test("Objects inside of a record that triggers refuse are not linked, and the others are")
    func refusedObjectsInside() throws {
        let store = try MappedStore.library()
        try execute(
            [
                "CREATE TABLE audit (text)",
                "CREATE TRIGGER a BEFORE INSERT ON Tag WHEN NEW.name = 'bad' BEGIN SELECT RAISE(ABORT, 'bad'); END",
                "CREATE TRIGGER b BEFORE INSERT ON Review WHEN NEW.stars = 0 BEGIN SELECT RAISE(ABORT, 'none'); END",
                "CREATE TRIGGER c AFTER INSERT ON Review BEGIN INSERT INTO audit VALUES (NEW.text); END",
                "CREATE TRIGGER d BEFORE INSERT ON Book WHEN NEW.title = 'X' BEGIN SELECT RAISE(ABORT, 'no X'); END",
            ], in: store.manager.stores.stores[0])
        let summary = try store.take(
            """
            [{"isbn":"a","title":"A","tags":[{"name":"red"},{"name":"bad"},{"name":"blue"}],
              "reviews":[{"stars":1,"text":"r"},{"stars":0,"text":"s"},{"stars":2,"text":"t"}]},
             {"isbn":"x","title":"X","tags":[{"name":"red"}],"author":{"id":1,"name":"Ann"}}]
            """, as: "Book")
        #expect(summary.tally == [2, 1, 0, 0, 0, 0, 1])
        #expect(try store.rows("SELECT name FROM Tag ORDER BY 1") == [["blue"], ["red"]])
        #expect(try store.rows("SELECT COUNT(*) FROM \"_Book.tags\"") == [[2]])
        #expect(try store.rows("SELECT text FROM Review ORDER BY 1") == [["r"], ["t"]])
        #expect(try store.rows("SELECT text FROM audit ORDER BY 1") == [["r"], ["t"]])
        #expect(try store.libraryFaults() == [])
    }
}
