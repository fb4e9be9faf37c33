import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary import`, run as a process.
@Suite struct ImportTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private let three = #"[{"id":1,"name":"Ada"},{"id":2,"name":"Bob","tags":["x",1]},{"id":1,"name":"Cleo"}]"#

    @Test("Without a model, the columns of a table are inferred from the records")
    func withoutAModel() throws {
        let path = try world.write(three)
        let outcome = try world.load(path).expect(0, prefix: "3 read = 3 inserted\nrun 1: ")
        #expect(outcome.error == "tributary: \(path): an array of records\n")
        #expect(try world.values("name", of: "users") == [.text("Ada"), .text("Bob"), .text("Cleo")])
        #expect(try world.values("tags", of: "users") == [.null, .text(#"["x",1]"#), .null])
    }

    @Test("Records with equal keys become one row, and the table keeps its key")
    func aKeyTellsRecordsApart() throws {
        let path = try world.write(three)
        let books = try world.books(try world.load(path, "--key", "id", "--json", "-q"))
        #expect(books["read"] == 3 && books["run"] == 1 && books["rejected"] == 0 && books["resumedAt"] == nil)
        #expect(try world.values("name", of: "users") == [.text("Cleo"), .text("Bob")])
        // The unchanged file is imported again only with `--again`, and the table keeps its key.
        try world.load(path, "--key", "id").expect(
            0, prefix: "already imported by run 1 and unchanged since; use --again to import it again\n3 read")
        let third = try world.load(path, "--again", "--json", "-q").expect(0)
        #expect(try world.books(third)["inserted"] == 0)
        #expect(try world.rows("users").count == 2)
        // A file that has changed is a new run.
        _ = try world.write(#"[{"id":3}]"#)
        #expect(try world.books(try world.load(path, "--json"))["inserted"] == 1)
    }

    @Test("With a model, attributes come from their paths, and invalid records are kept")
    func withAModel() throws {
        let model = try world.model()
        let path = try world.write(
            #"[{"id":"12","name":"Ada","address":{"city":"Rome"}},{"id":12,"name":"Eve"},{"name":"no key"}]"#)
        let rejects = world.folder.path("bad.ndjson")
        let outcome = try world.load(path, "--model", model, "--rejects", rejects).expect(
            3, prefix: "3 read = 1 inserted + 1 updated + 1 rejected\n")
        #expect(
            outcome.error.hasSuffix(
                "1 record rejected and kept; fix it, then run: tributary retry \(world.database) \(rejects)\n"
            ))
        let row = try #require(try world.rows("User").first)
        #expect(row["id"] == .integer(12) && row["name"] == .text("Eve") && row["city"] == .text("Rome"))
        // Later imports need no model, since the database contains it.
        let more = try world.write(#"{"id":13,"address":{"city":"Oslo"}}"#, "more.json")
        try world.load(more).expect(0)
        #expect(try world.values("city", of: "User") == [.text("Rome"), .text("Oslo")])
    }

    @Test("An import that stopped at an error resumes with a policy that tolerates it")
    func theFirstErrorEndsTheRunAndAnotherPolicyResumes() throws {
        let lines = (1...50).map { $0 == 30 ? "{\"id\":x}\n" : "{\"id\":\($0)}\n" }.joined()
        let path = try world.write(lines, "events.ndjson")
        let stopped = try world.load(path, "--key", "id", "--batch-size", "7").expect(1, error: "\(path):30:")
        #expect(
            stopped.error.hasSuffix(
                "to continue and keep such records as rejects, run: "
                    + "tributary import \(world.database) \(path) --key id --batch-size 7 --on-error quarantine\n"))
        let rejects = world.folder.path("bad.ndjson")
        let outcome = try world.load(path, "--key", "id", "--rejects", rejects, "--json").expect(3)
        let books = try world.books(outcome)
        #expect(books["read"] == 50 && books["inserted"] == 49 && books["rejected"] == 1 && books["run"] == 1)
        #expect(try world.values("id", of: "events") == (1...50).filter { $0 != 30 }.map { .integer($0) })
        #expect(try world.folder.read("bad.ndjson").count { $0 == 0x0A } == 1)
    }

    @Test("An import with more rejects than --max-errors fails, and resumes with a higher limit")
    func tooManyErrors() throws {
        let path = try world.write(
            (1...20).map { $0 % 2 == 0 ? "{\"id\":x}\n" : "{\"id\":\($0)}\n" }.joined(), "e.ndjson")
        try world.load(path, "--max-errors", "5", "--format", "ndjson").expect(1, error: "more than 5")
        try world.load(path, "--max-errors", "10", "--format", "ndjson").expect(3)
        #expect(try world.values("id", of: "e") == stride(from: 1, to: 20, by: 2).map { .integer($0) })
    }

    @Test("Resuming with a changed source is refused, and --restart imports it")
    func aSourceThatHasChangedIsRefused() throws {
        let path = try world.write("{\"id\":1}\n{\"id\":2}\n{\"id\":x}\n{\"id\":4}\n", "e.ndjson")
        try world.load(path, "--key", "id", "--batch-size", "1").expect(1)
        _ = try world.write("{\"id\":9}\n{\"id\":8}\n{\"id\":3}\n{\"id\":4}\n", "e.ndjson")
        try world.load(path, "--key", "id", "--batch-size", "1").expect(
            1, error: "has changed since its import (run 1) stopped", "--restart")
        let outcome = try world.load(path, "--key", "id", "--restart", "--json").expect(0)
        #expect(try world.books(outcome)["run"] == 2)
        #expect(
            Set(try world.values("id", of: "e")).isSuperset(of: [.integer(9), .integer(8), .integer(3), .integer(4)]))
    }

    @Test("A dry run reports its counts and changes nothing")
    func aDryRunLeavesNothing() throws {
        let path = try world.write(three)
        try world.load(path, "--key", "id").expect(0)
        let before = try world.rows("users")
        let more = try world.write("{\"id\":7}\n{\"id\":1,\"name\":\"Zoe\"}\n", "users.ndjson")
        let outcome = try world.load(more, "--key", "id", "--dry-run").expect(
            2, prefix: "2 read = 1 inserted + 1 updated\n")
        #expect(
            outcome.error.hasSuffix(
                "tributary: dry run: no row was changed; to do it, run: tributary import \(world.database) \(more) --key id\n"
            ))
        #expect(try world.rows("users") == before)
    }

    @Test("Each import mode counts known and new keys as documented")
    func modes() throws {
        _ = try world.load(try world.write(#"[{"id":1,"a":1,"b":1}]"#), "--key", "id")
        for (mode, code, name) in [("insert", 0, "duplicate"), ("ignore", 0, "skipped")] as [(String, Int32, String)] {
            let outcome = try world.load(
                try world.write(#"[{"id":1,"a":2}]"#, "users.\(mode)"), "--key", "id", "--mode", mode, "--json", "-q")
            #expect(outcome.code == code, "\(mode): \(outcome.error)")
            #expect(try world.books(outcome)[name] == 1, "\(mode)")
        }
        let update = try world.load(
            try world.write(#"[{"id":1,"a":3},{"id":2}]"#, "users.u"), "--key", "id", "--mode", "update", "--json", "-q"
        )
        #expect(try world.books(update)["updated"] == 1 && world.books(update)["skipped"] == 1)
        let replace = try world.load(
            try world.write(#"[{"id":1,"a":4}]"#, "users.r"), "--key", "id", "--mode", "replace", "--json", "-q")
        #expect(try world.books(replace)["updated"] == 1)
        #expect(try world.rows("users").first?["b"] == .null)
    }

    @Test("Invalid arguments are refused before a database is created")
    func whatIsRefusedBeforeAnythingIsDone() throws {
        let path = try world.write(three)
        func refuse(_ words: String..., message: String, code: Int32 = 64) throws {
            let outcome = try Tool.tributary.run(["import"] + words)
            #expect(outcome.code == code && outcome.error.contains(message), "\(outcome.error)")
        }
        try refuse(
            path, path, message: "The database is the first word after the command: tributary import users.sqlite ")
        let bare = try world.write(three, "users")
        try refuse(bare, bare, message: "The database is the input '\(bare)'")
        try refuse(world.database, path, "--rejects", path, message: "The file of rejects is the input")
        try refuse(world.database, "/nowhere.json", message: "No such file", code: 1)
        try refuse(world.database, path, "--model", "/nowhere.xml", message: "no such file", code: 1)
        #expect(!FileManager.default.fileExists(atPath: world.database))
        let text = try world.write(String(repeating: "no database ", count: 100), "x.sqlite")
        try refuse(text, path, message: "it is not a database", code: 1)
        try Tool.shell("tributary import \(world.database) \(path) < /dev/null", in: nil).expect(0)
    }

    @Test("--progress never prints no progress, and --progress always is accepted")
    func progressWhereItIsWanted() throws {
        let path = try world.write(three)
        #expect(try world.load(path, "--progress", "never").error.split(separator: "\n").count == 1)
        try world.load(path, "--again", "--progress", "always").expect(0)
    }

    @Test("A second import into a database that is being written is refused")
    func anImportIsNotDisturbedByAnother() throws {
        let script = """
            set -m; mkfifo pipe
            tributary import -q app.sqlite pipe --entity a & exec 3> pipe
            printf '{"id":1}\\n' >&3
            until tributary status app.sqlite 2>/dev/null | grep -q running; do :; done
            tributary import -q app.sqlite users.json; echo $?
            exec 3>&-; wait $!; echo $?
            """
        _ = try world.write(three)
        let outcome = try Tool.shell(script, in: world.folder.url)
        #expect(outcome.lines == ["1", "0"], "\(outcome.error)")
        #expect(
            outcome.error.contains(/app.sqlite: it is being written by process \d+; wait until/), "\(outcome.error)")
    }
}
