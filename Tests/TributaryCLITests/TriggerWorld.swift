import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// A table with triggers, made by this command or by another program, and what it must hold.
///
/// Its triggers count the updates of a row, keep a full-text index, write an audit, refuse rows and ignore others.
final class TriggerWorld {
    /// A record, or a row.
    struct Item: Hashable {
        let name: String
        let count: Int
    }

    let world: ImportWorld
    /// Whether the command made the table.
    let isOwn: Bool
    /// Whether other triggers of the table use the column that one of them changes.
    let isTouchIndexed: Bool
    /// The expected rows, and the rejected records.
    var items: [Int: Item] = [:]
    var rejects: [(id: Int, item: Item)] = []
    private var files = 0

    init(isOwn: Bool, isTouchIndexed: Bool) throws {
        world = try ImportWorld()
        (self.isOwn, self.isTouchIndexed) = (isOwn, isTouchIndexed)
        if isOwn {
            let first = try world.write(#"[{"id":0,"name":"first","count":0,"touched":0}]"#, "first.json")
            try #require(world.load(first, "--table", "items", "--key", "id").code == 0)
        } else {
            try execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, count INTEGER, touched DEFAULT 0)")
            try execute("INSERT INTO items VALUES (0, 'first', 0, 0)")
        }
        items[0] = Item(name: "first", count: 0)
        try execute("CREATE TABLE audit (number INTEGER PRIMARY KEY, what, id, name, touched)")
        try execute("INSERT INTO audit (what, id, name, touched) VALUES ('i', 0, 'first', 0)")
        try execute(
            "CREATE VIRTUAL TABLE search USING fts5(name\(touched("")), content='items', content_rowid='\(rowid)')")
        try execute("INSERT INTO search(search) VALUES ('rebuild')")
        // SQLite runs the trigger first that was made last: the index must see an update before the one that it causes.
        try execute(
            """
            CREATE TRIGGER touch AFTER UPDATE OF name, count ON Items BEGIN
            UPDATE items SET touched = coalesce(touched, 0) + 1 WHERE id = NEW.id; END
            """)
        for statement in indexTriggers + auditTriggers + refusals { try execute(statement) }
    }

    private var rowid: String { isOwn ? "_pk" : "id" }
    private func touched(_ row: String) -> String { isTouchIndexed ? ", \(row)touched" : "" }

    private var indexTriggers: [String] {
        let added = """
            INSERT INTO search (rowid, name\(touched(""))) VALUES (new.\(rowid), new.name\(touched("new.")));
            """
        let removed = """
            INSERT INTO search (search, rowid, name\(touched("")))
            VALUES ("delete", old.\(rowid), old.name\(touched("old.")));
            """
        return [
            "CREATE TRIGGER indexed AFTER INSERT ON items BEGIN \(added) END",
            "CREATE TRIGGER indexed_again AFTER UPDATE ON items BEGIN \(removed) \(added) END",
            "CREATE TRIGGER no_longer_indexed AFTER DELETE ON items BEGIN \(removed) END",
        ]
    }

    private var auditTriggers: [String] {
        [("insert", "new"), ("update", "new"), ("delete", "old")].map { event, row in
            """
            CREATE TRIGGER audit_\(event) AFTER \(event) ON items BEGIN
            INSERT OR REPLACE INTO audit (what, id, name\(touched("")))
            VALUES ('\(event.prefix(1))', \(row).id, \(row).name\(touched("\(row)."))); END
            """
        }
    }

    private var refusals: [String] {
        ["INSERT", "UPDATE"].flatMap { event in
            [
                """
                CREATE TRIGGER refuse_\(event) BEFORE \(event) ON items WHEN new.name = 'bad' BEGIN
                SELECT RAISE(ABORT, 'no bad items'); END
                """,
                """
                CREATE TRIGGER ignore_\(event) BEFORE \(event) ON items WHEN new.name = 'nobody' BEGIN
                SELECT RAISE(IGNORE); END
                """,
            ]
        }
    }

    func execute(_ statement: String) throws {
        let connection = try Connection(.file(world.database))
        connection.setUsesSchemaCode(true)
        try connection.execute(SQLFragment(trusted: statement))
    }

    func rows(_ sql: String) throws -> [[SQLValue]] {
        try Connection(.file(world.database)).rows(of: SQLFragment(trusted: sql))
    }

    // MARK: Commands

    /// Runs a command on records.
    func run(_ command: String, _ records: [(id: Int, item: Item)], _ words: [String]) throws -> Tool.Outcome {
        files += 1
        let lines = records.map {
            "{\"id\":\($0.id),\"name\":\"\($0.item.name)\",\"count\":\($0.item.count)}\n"
        }
        let path = try world.write(lines.joined(), "\(files).ndjson")
        let target = ["--table", "items", "--on-error", "quarantine"]
        let again = words.contains("--dry-run") ? [] : ["--again"]
        return try Tool.tributary.run(
            [command, world.database, path] + target + again
                + (isOwn ? ["--key", "id"] : ["--columns", "id,name,count"]) + words)
    }

    /// Runs a command that must succeed; returns the rejected records.
    func load(
        _ records: [(id: Int, item: Item)], _ words: [String], command: String = "import", _ place: Comment
    ) throws -> [(id: Int, item: Item)] {
        let outcome = try run(command, records, words)
        let rejected = expect(records)
        #expect(outcome.code == (rejected.isEmpty ? 0 : 3), "\(outcome.text)\(outcome.error), \(place)")
        return rejected
    }

    /// What records make of the expected rows; the rejected ones.
    private func expect(_ records: [(id: Int, item: Item)]) -> [(id: Int, item: Item)] {
        var rejected: [(id: Int, item: Item)] = []
        for (id, item) in records where items[id] != item {
            switch item.name {
            case "bad": rejected.append((id, item))
            case "nobody": continue
            default: items[id] = item
            }
        }
        return rejected
    }

    /// Retries all rejects, after their cause was removed.
    func retry() throws -> Tool.Outcome {
        for event in ["INSERT", "UPDATE"] { try execute("DROP TRIGGER refuse_\(event)") }
        let outcome = try Tool.tributary.run(["retry", world.database])
        for (id, item) in rejects { items[id] = Item(name: "good", count: item.count) }
        rejects = []
        try execute("UPDATE items SET name = 'good' WHERE name = 'bad'")
        for statement in refusals where statement.contains("no bad") { try execute(statement) }
        return outcome
    }

    // MARK: Checks

    /// All rows of all tables but those of the journal.
    func dump() throws -> [[SQLValue]] {
        try rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1").flatMap { row -> [[SQLValue]] in
            guard case .text(let name) = row[0], !name.hasPrefix("_") else { return [] }
            return [row] + (try rows("SELECT * FROM \"\(name)\""))
        }
    }

    /// The rows with what a trigger has changed, unless other triggers use that.
    func whole() throws -> [[SQLValue]] {
        try rows("SELECT id, name, count\(isTouchIndexed ? "" : ", touched") FROM items ORDER BY id")
    }

    /// Compares rows, index and audit with the expected rows.
    func check(_ place: Comment) throws {
        #expect(
            try rows("SELECT id, name, count FROM items ORDER BY id")
                == items.sorted { $0.key < $1.key }.map {
                    [.integer(Int64($0.key)), .text($0.value.name), .integer(Int64($0.value.count))]
                }, place)
        #expect(throws: Never.self, place) {
            try execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
        }
        // The latest event of each row in the audit tells its name, or that it was deleted.
        let latest = try rows(
            """
            SELECT id, name\(touched("")) FROM audit AS a WHERE what <> 'd'
            AND number = (SELECT MAX(number) FROM audit AS b WHERE b.id = a.id) ORDER BY id
            """)
        #expect(try rows("SELECT id, name\(touched("")) FROM items ORDER BY id") == latest, place)
        #expect(try rows("PRAGMA integrity_check") == [["ok"]], place)
        #expect(try rows("PRAGMA foreign_key_check") == [], place)
    }
}
