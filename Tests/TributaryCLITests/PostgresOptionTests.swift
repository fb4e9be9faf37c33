import Testing
import TributaryJSON
import TributaryPostgres
import TributaryTestSupport

import TributaryCLI

/// Command lines with an address of PostgreSQL, for which no server is needed.
@Suite struct PostgresOptionTests {
    private static let address = "postgres://me@db.example/shop"

    private func load(_ words: String...) throws -> ImportCommand { try Invocation.command(["import"] + words) }

    @Test("The options for PostgreSQL become its settings")
    func settings() throws {
        let plain = try load("a.json", "--into", Self.address)
        #expect(plain.database == Self.address && plain.address?.description == Self.address)
        #expect((1...4).contains(plain.server.connections) && !plain.server.joins)
        let full = try load("a.json", "--into", Self.address, "--connections", "7", "--join", "--key", "id")
        #expect(full.server.connections == 7 && full.server.joins)
        #expect(try load("a.json", "--into", "b.sqlite").address == nil)
        #expect(
            Invocation.message(["import", "a.json", "--into", Self.address, "--connections", "0"])
                == "Option '--connections' takes a whole number of at least 1, not '0'")
    }

    @Test(
        "An option for SQLite is refused with the reason and what to do",
        arguments: [
            ["--undoable"], ["--changes", "c"], ["--staged"], ["--expect-min", "1"], ["--dry-run"], ["--truncate"],
            ["--first-load", "direct"], ["--relations"], ["--source-column", "f"], ["--rest", "r"], ["--extended-json"],
            ["--all"],
        ])
    func refusedOptions(_ words: [String]) throws {
        let text = try #require(Invocation.message(["import", "a.json", "--into", Self.address] + words))
        #expect(text.hasPrefix("'\(words[0])' is not for PostgreSQL: "), "\(text)")
        #expect(Invocation.message(["import", "a.json", "--into", "a.sqlite"] + words)?.contains("PostgreSQL") != true)
    }

    @Test(
        "A command for SQLite is refused with the reason and what to do",
        arguments: [
            ["sync", "a.json", "--into", address], ["undo", address, "--run", "1"], ["seed", "s", "--into", address],
            ["migrate", address, "--to", "m"], ["model", address], ["generate", address, "--output", "d"],
            ["records", address], ["validate", address], ["query", address, "t"], ["tables", address],
        ])
    func refusedCommands(_ words: [String]) throws {
        let text = try #require(Invocation.message(words))
        #expect(text.hasPrefix("'tributary \(words[0])' is not for PostgreSQL: "), "\(text)")
    }

    @Test("Options, addresses and operands in the wrong place are named")
    func misplaced() {
        Invocation.expectMessages(
            """
            import a.json --into a.sqlite --join => '--join' is for PostgreSQL, and the database is a file of SQLite
            import a.json --into a.sqlite --connections 2 => '--connections' is for PostgreSQL, and the database is a file of SQLite
            import a.json postgresql://me:secret@h/shop => The address of a database is not a file; write it after --into
            retry --from-database --dry-run --into \(Self.address) => '--dry-run' is not for PostgreSQL: import into another database to try it
            """)
        #expect(
            Invocation.message(["status", "postgres://h:x/shop"])?.hasPrefix("The database: the port of the address is")
                == true)
    }

    @Test(
        "No message has a password",
        arguments: [
            ["import", "DUMP", "--into", "ADDRESS"], ["import", "DUMP", "--into", "ADDRESS", "--json"],
            ["status", "ADDRESS"], ["rejects", "ADDRESS"], ["forget", "ADDRESS", "--run", "1"],
            ["retry", "DUMP", "--into", "ADDRESS"], ["import", "ADDRESS", "--into", "b"], ["undo", "ADDRESS"],
            ["import", "DUMP", "ADDRESS"], ["status", "postgres://me:sec%ret@h/x"],
        ])
    func passwords(_ words: [String]) throws {
        let folder = try TemporaryFolder()
        let dump = try folder.write("[{\"id\":1}]".utf8, to: "a.json")
        // Nothing listens on the first port.
        let address = "postgres://me:secret@127.0.0.1:1/shop"
        let outcome = try Tool.tributary.run(words.map { ["DUMP": dump, "ADDRESS": address][$0] ?? $0 })
        #expect(outcome.code == 1 || outcome.code == 64)
        #expect(!(outcome.error + outcome.text).contains("secret") && !outcome.error.contains("sec%"))
        guard outcome.code == 1 else { return }
        #expect(outcome.error.contains("can see the password in the address"), "\(outcome.error)")
        #expect(outcome.error.contains("check the host and the port"), "\(outcome.error)")
        if words.contains("--json") {
            #expect(outcome.text.hasPrefix(#"{"error":{"code":"postgres.unreachable","message":"#), "\(outcome.text)")
        }
    }

    @Test("The command that resumes has the address without a password")
    func continuation() throws {
        let command = try load("a.json", "--into", "postgres://me:secret@db.example/shop", "--again", "--key", "id")
        #expect(command.resumeLine == "tributary import a.json --into postgres://me@db.example/shop --key id")
    }
}
