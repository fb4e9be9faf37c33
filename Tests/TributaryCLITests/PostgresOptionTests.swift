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
        let plain = try load(Self.address, "a.json")
        #expect(plain.database == Self.address && plain.address?.description == Self.address)
        #expect((1...4).contains(plain.server.connections) && !plain.server.joins)
        let full = try load(Self.address, "a.json", "--connections", "7", "--join", "--key", "id")
        #expect(full.server.connections == 7 && full.server.joins)
        #expect(try load("b.sqlite", "a.json").address == nil)
        #expect(
            Invocation.message(["import", Self.address, "a.json", "--connections", "0"])
                == "Option '--connections' takes a whole number of at least 1, not '0'")
    }

    @Test(
        "An option for SQLite is refused with the reason and what to do",
        arguments: [
            ["--undoable"], ["--changes", "c"], ["--staged"], ["--expect-min", "1"], ["--dry-run"], ["--truncate"],
            ["--first-load", "direct"], ["--relations"], ["--source-column", "f"], ["--rest", "r"],
            ["--extended-json", "never"], ["--all"], ["--route-by", "type"], ["--index", "a"], ["--not-null", "a"],
        ])
    func refusedOptions(_ words: [String]) throws {
        let text = try #require(Invocation.message(["import", Self.address, "a.json"] + words))
        #expect(text.hasPrefix("'\(words[0])' is not for PostgreSQL: "), "\(text)")
        #expect(Invocation.message(["import", "a.sqlite", "a.json"] + words)?.contains("PostgreSQL") != true)
    }

    @Test(
        "A command for SQLite is refused with the reason and what to do",
        arguments: [
            ["sync", address, "a.json"], ["undo", address, "--run", "1"], ["seed", address, "s"],
            ["migrate", address, "--model", "m"], ["model", address], ["generate", address, "--output", "d"],
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
            import a.sqlite a.json --join => '--join' is for PostgreSQL, and the database is a file of SQLite
            import a.sqlite a.json --connections 2 => '--connections' is for PostgreSQL, and the database is a file of SQLite
            import a.json postgresql://me:secret@h/shop => The address of the database comes first: tributary import postgres://me@h/shop a.json
            retry --dry-run \(Self.address) => '--dry-run' is not for PostgreSQL: import into another database to try it
            """)
        #expect(
            Invocation.message(["status", "postgres://h:x/shop"])?.hasPrefix("The database: the port of the address is")
                == true)
    }

    @Test(
        "No message has a password",
        arguments: [
            ["import", "ADDRESS", "DUMP"], ["import", "ADDRESS", "DUMP", "--json"],
            ["status", "ADDRESS"], ["rejects", "ADDRESS"], ["forget", "ADDRESS", "--run", "1"],
            ["retry", "ADDRESS", "DUMP"], ["import", "b", "ADDRESS"], ["undo", "ADDRESS"],
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
        let command = try load("postgres://me:secret@db.example/shop", "a.json", "--again", "--key", "id")
        #expect(command.resumeLine == "tributary import postgres://me@db.example/shop a.json --key id")
    }
}
