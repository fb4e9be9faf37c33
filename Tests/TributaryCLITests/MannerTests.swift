import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// What the command says and leaves behind in cases that people meet.
@Suite("Manners of the command")
struct MannerTests {
    private let world: ImportWorld
    init() throws { world = try ImportWorld() }

    @Test(
        "A table that was dropped or altered is noticed before the first record",
        arguments: [
            ("DROP TABLE users", "its table was dropped or renamed"),
            ("ALTER TABLE users RENAME TO others", "its table was dropped or renamed"),
            ("ALTER TABLE users RENAME COLUMN name TO called", "its column name was dropped or renamed"),
            ("ALTER TABLE users DROP COLUMN name", "its column name was dropped or renamed"),
        ])
    func alteredTable(statement: String, words: String) throws {
        let file = try world.write("[{\"id\":1,\"name\":\"A\"}]")
        try world.load(file, "--key", "id").expect(0)
        try Connection(.file(world.database)).execute(SQLFragment(trusted: statement))
        _ = try world.write("[{\"id\":1,\"name\":\"B\"}]")
        try world.load(file, "--key", "id").expect(
            1, error: "another program has changed users: \(words)", "'tributary forget DB --entity NAME'",
            without: "to resume")
        try Tool.tributary.run(["forget", world.database, "--entity", "users"]).expect(0)
        if words.contains("table") {
            try world.load(file, "--key", "id").expect(prefix: "1 read = 1 inserted")
        }
    }

    @Test("A database that the command made has no log afterwards, and one of another program keeps its mode")
    func logMode() throws {
        let file = try world.write("[{\"id\":1}]")
        try world.load(file).expect(0)
        func mode(_ path: String) throws -> SQLValue? { try Connection(.file(path)).value(of: "PRAGMA journal_mode") }
        #expect(try mode(world.database) == .text("delete"))
        let other = world.folder.path("other.sqlite")
        do {
            let connection = try Connection(.file(other))
            _ = try connection.value(of: "PRAGMA journal_mode = WAL")
            try connection.execute("CREATE TABLE theirs (a)")
        }
        try Tool.tributary.run(["import", other, file]).expect(0)
        #expect(try mode(other) == .text("wal"))
    }

    @Test("While another connection reads, the log stays")
    func logInUse() throws {
        let file = try world.write("[{\"id\":1}]")
        try world.load(file).expect(0)
        let reader = try Connection(.file(world.database))
        _ = try reader.value(of: "PRAGMA journal_mode = WAL")
        try reader.snapshot {
            _ = try reader.value(of: "SELECT count(*) FROM users")
            try world.load(try world.write("[{\"id\":2}]", "more.json"), "--table", "users").expect(0)
        }
        #expect(try reader.value(of: "SELECT count(*) FROM users") == .integer(2))
    }

    @Test("An array at a path without [] names the path of its elements")
    func arrayPath() throws {
        let file = try world.write("{\"users\":[{\"id\":1}],\"n\":1}", "dump.json")
        try world.load(file, "--at", ".users").expect(1, error: "import its elements with the path .users[]")
    }

    @Test("Changed types of columns stand in the summary, in the status and in JSON")
    func widened() throws {
        let file = try world.write("[{\"id\":1,\"n\":3}]")
        try world.load(file, "--key", "id").expect(0)
        _ = try world.write("[{\"id\":1,\"n\":3.5}]")
        try world.load(file, "--key", "id", "--json").expect(
            error: "columns whose declared type has changed: n (INTEGER → REAL)",
            text: "\"widened\":{\"n\":\"INTEGER → REAL\"}")
        try Tool.tributary.run(["status", world.database]).expect(text: "n (INTEGER → REAL)")
    }

    @Test("Rejects are read from a database that cannot be written")
    func readOnlyRejects() throws {
        let file = try world.write("[{\"id\":1},{\"id\":null}]")
        try world.load(file, "--key", "id", "--on-error", "quarantine").expect(3)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: world.database)
        let before = FileManager.default.contents(atPath: world.database)
        let outcome = try Tool.tributary.run(["rejects", world.database])
        #expect(outcome.code == 0 && outcome.lines.count == 1)
        #expect(FileManager.default.contents(atPath: world.database) == before)
    }
}
