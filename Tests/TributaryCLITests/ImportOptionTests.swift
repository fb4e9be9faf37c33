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
            import a.json => Name the database: --into DB
            import a.json b.sqlite => Name the database: --into DB. Did you mean '--into b.sqlite'?
            import a --into - => Option '--into' takes the name of a file, not '-'
            import a --into '' => Option '--into' takes the name of a file, not ''
            import a --in b => Unknown option '--in'. Did you mean '--into'?
            import a --moddel b => Unknown option '--moddel'. Did you mean '--model'?
            import a --into b --mode upsrt => Option '--mode' takes upsert, insert, update, ignore, replace, not 'upsrt'. Did you mean 'upsert'?
            import a --into b --key id,,x => Option '--key' takes names separated by commas, not 'id,,x'
            import a --into b --key id,id => Option '--key' names 'id' twice
            import a --into b --key a,b --remote-key c => '--remote-key' needs one path for each attribute of '--key': 2, not 1
            import a --into b --max-errors x% => Option '--max-errors' takes a number or a share such as 100 or 2.5%, not 'x%'
            import a --into b --max-errors 5 --on-error stop => With '--on-error stop' the first error ends the run; leave '--max-errors' out
            records a --on-error quarantine => '--on-error quarantine' needs a file: --rejects FILE
            import a --into b --restart --again => '--restart' and '--again' cannot be used together
            import a --into b -q --progress always => '--quiet' and '--progress always' cannot be used together
            import a --into b --max-memory 1M => Option '--max-memory' takes at least 32M bytes, not '1M'
            import a --into b --entity '' => Option '--entity' takes a name
            import - - --into b => Standard input ('-') can be read only once
            status => Name one database: tributary status DB
            status a b => Name one database: tributary status DB
            retry --into a => Name one file of rejects, or use --from-database: tributary retry REJECTS --into DB
            forget a => Name the runs: --run N or --entity NAME
            retry r => Name the database: --into DB
            """)
    }

    @Test("The arguments of import become its options")
    func whatWordsMean() throws {
        let plain = try load("a.json", "--into", "b.sqlite")
        #expect(plain.operands == ["a.json"] && plain.database == "b.sqlite" && plain.key == nil && plain.path == nil)
        #expect(plain.options.mode == .upsert && plain.options.resuming == .resume && !plain.options.isDryRun)
        #expect(plain.options.onError == .stop && plain.options.rejects == nil && plain.options.maxErrors == nil)
        #expect(plain.output.progress == .auto && !plain.output.isJSON && !plain.output.isQuiet)
        let full = try load(
            "a.json", "b.json", "--into=c", "--model", "M.xcdatamodeld", "--entity", "User", "--pk", "id,name",
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
        #expect(try load("a", "--into", "b", "--max-errors", "0").options.onError == .skip)
        #expect(try load("a", "--into", "b", "--restart").options.resuming == .restart)
        #expect(try load("a", "--into", "b", "-n").options.resuming == .resume)
        #expect(try load("a", "--into", "b", "-q").output.progress == .never)
    }

    @Test("The command that resumes an import is quoted, without --restart and --again")
    func theCommandThatResumes() throws {
        #expect(
            try load("my file.json", "--restart", "--into", "it's.db", "-q", "--key=id").resumeLine
                == "tributary import 'my file.json' --into 'it'\\''s.db' --quiet --key id")
        #expect(
            try load("--into", "b", "--again", "--", "-odd.json", "x").resumeLine
                == "tributary import --into b -- -odd.json x")
        #expect(try load("-", "--into", "b").resumeLine == "tributary import - --into b")
        #expect(try load("--into", "b", "--at", ".a[]").resumeLine == "tributary import --into b --at '.a[]'")
    }

    @Test("The arguments of retry and status become their options")
    func whatIsTriedAgain() throws {
        guard case .command(let plain as RetryCommand) = try Invocation(["retry", "bad.ndjson", "--into", "a"]),
            case .command(let full as RetryCommand) = try Invocation([
                "retry", "bad.ndjson", "--into", "a", "--mode", "insert", "--key", "id", "-n", "--json",
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
            #expect(examples < (try #require(help.range(of: "Options:")).lowerBound))
        }
        #expect(
            Invocation.commands.map(\.name) == [
                "import", "sync", "status", "undo", "rejects", "retry", "forget", "seed", "model", "generate",
                "migrate", "query", "tables", "browse", "export", "inspect", "records", "validate",
            ])
    }
}
