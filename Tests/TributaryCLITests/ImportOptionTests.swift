import Foundation
import Testing
import Tributary
import TributaryJSON

import TributaryCLI

/// The command lines of `import`, `status` and `retry` as pure functions from arguments to options.
@Suite struct ImportOptionTests {
    private func load(_ words: String...) throws -> ImportCommand { try Invocation.command(["import"] + words) }

    @Test("Each usage error of import, status, retry and forget has its exact message")
    func exactMessages() {
        Invocation.expectMessages(
            """
            imprt => Unknown command 'imprt'. Did you mean 'import'?
            import => Name the database: tributary import DB FILE...
            import a.json => The database is the first word after the command: tributary import a.sqlite a.json
            import a.json b.sqlite => The database is the first word after the command: tributary import b.sqlite a.json
            import --json a.json c.json b.db --key id => The database is the first word after the command: tributary import b.db a.json c.json --json --key id
            import https://h/a.json => The database is the first word after the command: tributary import a.sqlite https://h/a.json
            import a.json --into b --key id => The database is the first word after the command: tributary import b a.json --key id
            sync --into=b a.json => The database is the first word after the command: tributary sync b a.json
            status --db b => The database is the first word after the command: tributary status b
            import - a => The database is the first word after the command: tributary import DB - a
            import '' a => The database is a file; '' is none: tributary import DB FILE...
            import :memory: a => The database is a file; ':memory:' is none: tributary import DB FILE...
            status a.json => 'a.json' is no database: tributary status DB
            import a --moddel b => Unknown option '--moddel'. Did you mean '--model'?
            import b a --mode upsrt => Option '--mode' takes upsert, insert, update, ignore, replace, not 'upsrt'. Did you mean 'upsert'?
            import b a --key id,,x => Option '--key' takes names separated by commas, not 'id,,x'
            import b a --key id,id => Option '--key' names 'id' twice
            import b a --key a,b --remote-key c => '--remote-key' needs one path for each attribute of '--key': 2, not 1
            import b a --max-errors x% => Option '--max-errors' takes a number or a share such as 100 or 2.5%, not 'x%'
            import b a --max-errors 5 --on-error stop => With '--on-error stop' the first error ends the run; leave '--max-errors' out
            records a --on-error quarantine => '--on-error quarantine' needs a file: --rejects FILE
            import b a --restart --again => '--restart' and '--again' cannot be used together
            import b a -q --progress always => '--quiet' and '--progress always' cannot be used together
            import b a --max-memory 1M => Option '--max-memory' takes at least 32M bytes, not '1M'
            import b a --entity '' => Option '--entity' takes NAME, not an empty text
            import b - - => Standard input ('-') can be read only once
            status => Name the database: tributary status DB
            status a b => Name one database: tributary status DB
            retry a b c => Name one file of rejects, or none for those of the database: tributary retry DB [REJECTS]
            retry a b --run 1 => '--run' is for the rejects of the database, and a file is named
            forget a => Name the runs: --run N or --entity NAME
            retry => Name the database: tributary retry DB [REJECTS]
            """)
    }

    @Test("The arguments of import become its options")
    func whatWordsMean() throws {
        let plain = try load("b.sqlite", "a.json")
        #expect(plain.operands == ["a.json"] && plain.database == "b.sqlite" && plain.key == nil && plain.path == nil)
        #expect(plain.options.mode == .upsert && plain.options.resuming == .resume && !plain.options.isDryRun)
        #expect(plain.options.onError == .stop && plain.options.rejects == nil && plain.options.maxErrors == nil)
        #expect(plain.output.progress == .auto && !plain.output.isJSON && !plain.output.isQuiet)
        let full = try load(
            "c", "a.json", "b.json", "--model", "M.xcdatamodeld", "--entity", "User", "--pk", "id,name",
            "--remote-key", "user.id,.", "--at", ".users[]", "--mode", "insert", "--batch-size", "7", "-j", "3",
            "--max-memory", "48M", "--max-errors", "2.5%", "--rejects", "r.nd", "--limit", "9", "--again", "--json",
            "--progress", "always", "--key-as", "uid", "--format", "json", "--max-depth", "9")
        #expect(full.operands == ["a.json", "b.json"] && full.model == "M.xcdatamodeld" && full.entity == "User")
        #expect(full.key == ["id", "name"] && full.remoteKey == ["user.id", "."] && full.path == ".users[]")
        #expect(full.options.mode == .insert && full.options.batchSize == 7 && full.options.jobs == 3)
        #expect(full.options.maxMemory == 48 << 20 && full.options.rejects == "r.nd" && full.options.limit == 9)
        #expect(full.options.maxErrors == .percent(2.5) && full.options.onError == .quarantine)
        #expect(full.options.resuming == .again && full.output.isJSON && full.output.progress == .always)
        #expect(full.options.reading.keyName == "uid" && full.options.reading.limits.depth == 9)
        #expect(full.path == ".users[]" && full.options.reading.onError == .quarantine)
        #expect(try load("b", "a", "--max-errors", "0").options.onError == .skip)
        #expect(try load("b", "a", "--restart").options.resuming == .restart)
        #expect(try load("b", "a", "-n").options.resuming == .resume)
        #expect(try load("b", "a", "-q").output.progress == .never)
    }

    @Test("The command that resumes an import is quoted, without --restart and --again")
    func theCommandThatResumes() throws {
        #expect(
            try load("it's.db", "my file.json", "--restart", "-q", "--key=id").resumeLine
                == "tributary import 'it'\\''s.db' 'my file.json' --quiet --key id")
        #expect(
            try load("b", "--again", "--", "-odd.json", "x").resumeLine
                == "tributary import -- b -odd.json x")
        #expect(try load("b", "-").resumeLine == "tributary import b -")
        #expect(try load("b", "--at", ".a[]").resumeLine == "tributary import b --at '.a[]'")
    }

    @Test("The arguments of retry and status become their options")
    func whatIsTriedAgain() throws {
        guard case .command(let plain as RetryCommand) = try Invocation(["retry", "a", "bad.ndjson"]),
            case .command(let full as RetryCommand) = try Invocation([
                "retry", "a", "bad.ndjson", "--mode", "insert", "--key", "id", "-n", "--json",
            ]),
            case .command(let status as StatusCommand) = try Invocation(["status", "a", "--json", "--unfinished"])
        else { return #expect(Bool(false)) }
        #expect(plain.file == "bad.ndjson" && plain.options.mode == nil && plain.options.key == nil)
        #expect(full.options.mode == .insert && full.options.key == ["id"] && full.options.isDryRun)
        #expect(full.output.isJSON)
        #expect(status.database.text == "a" && status.isJSON && status.showsUnfinishedOnly)
    }

    @Test("The help of every command shows examples before options")
    func examplesStandFirstInTheHelp() throws {
        for command in Invocation.commands {
            let help = HelpText.text(command)
            let examples = try #require(help.range(of: "Examples:")).lowerBound
            #expect(examples < (try #require(help.range(of: "--help")).lowerBound))
        }
        #expect(
            Invocation.commands.map(\.name) == [
                "import", "sync", "status", "undo", "rejects", "retry", "forget", "seed", "model", "generate",
                "migrate", "query", "tables", "browse", "export", "inspect", "records", "validate", "manual",
                "completions",
            ])
    }
}
