import Foundation
import Testing
import TributaryCLI
import TributaryJSON
import TributaryTestSupport

/// All commands follow one grammar, which the description of their options has.
@Suite struct GrammarTests {
    private func words(of text: String) -> Set<String> {
        Set(text.matches(of: /--[a-z][a-z-]*/).map { String($0.output) })
    }

    @Test("Help of each command names its options once, under the heading of their group")
    func help() {
        for command in Invocation.commands {
            let lines = HelpText.text(command, all: true).split(separator: "\n").map(String.init)
            let own = command.options.flatMap(\.names) + ["-h", "--help"]
            let listed = lines.filter { $0.hasPrefix("  -") }.flatMap { line in
                // Two spaces or more separate the names from their explanation.
                line.dropFirst(2).split(separator: "  ", maxSplits: 1)[0].matches(of: /(^|[ ,])(--?[a-z-]+)/)
                    .map { String($0.output.2) }
            }
            #expect(listed.sorted() == own.sorted(), "\(command.name)")
            guard command.options.count > 5 else { continue }
            for option in command.options {
                let place = lines.firstIndex { line in
                    let names = line.dropFirst(2).split(separator: "  ", maxSplits: 1).first ?? ""
                    return line.hasPrefix("  -") && words(of: String(names)).contains(option.name)
                }
                guard let place else { continue }
                let heading = lines[..<place].last { !$0.hasPrefix(" ") }
                #expect(heading == option.group.rawValue + ":", "\(command.name) \(option.name)")
            }
        }
    }

    @Test("The short help has a dozen options of a command with many, and tells how to see all")
    func shortHelp() {
        for command in Invocation.commands {
            let short = HelpText.text(command)
            #expect(command.common.isSubset(of: command.options.map(\.name)), "\(command.name)")
            if command.options.count > 16 { #expect(!command.common.isEmpty, "\(command.name)") }
            guard !command.common.isEmpty else { continue }
            #expect(command.common.count <= 20, "\(command.name)")
            #expect(short.hasSuffix("tributary help \(command.name) --all\n"))
            let shown = short.split(separator: "\n").filter { $0.hasPrefix("  -") }
            #expect(shown.count == command.common.count + 1, "\(command.name)")
        }
    }

    @Test("The documents name only options that there are, for the commands that have them")
    func documents() throws {
        let all = Dictionary(
            uniqueKeysWithValues: Invocation.commands.map { ($0.name, Set($0.options.flatMap(\.names) + ["--help"])) })
        let everything = all.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        var count = 0
        for page in Page.all {
            let (path, text) = (page.path, page.text)
            for match in text.matches(of: /(?:^|[\s`(\/$])tributary ([a-z]+)((?: [^`|\n&;>]*)?)/) {
                guard let known = all[String(match.output.1)] else { continue }
                let named = words(of: String(match.output.2))
                #expect(named.isSubset(of: known), "\(path): tributary \(match.output.1) \(named.subtracting(known))")
                count += named.count
            }
            guard path == "README.md" else { continue }
            // Options of programs that are built, and of Swift itself.
            let others: Set = ["--disable-default-traits", "--product"]
            let named = Set(text.matches(of: /`(--[a-z][a-z-]*)/).map { String($0.output.1) })
            #expect(named.isSubset(of: everything.union(others)), "\(named.subtracting(everything))")
        }
        #expect(count > 30)
    }

    @Test("Each option refuses a bad value and tells its name, and a misspelt one its nearest neighbour")
    func badValues() throws {
        for command in Invocation.commands {
            for option in command.options {
                let name = option.name
                let (bad, expected): (String, String) =
                    switch option.kind {
                    case .flag: ("\(name)=x", "Option '\(name)' takes no value")
                    case .number: ("\(name)=-1", "Option '\(name)' takes a whole number of at least ")
                    case .bytes: ("\(name)=7x", "Option '\(name)' takes a number of bytes such as ")
                    case .choice: ("\(name)=?", "Option '\(name)' takes ")
                    case .text:
                        option.impliedValue == nil
                            ? ("\(name)=", "Option '\(name)' takes \(option.value ?? ""), not an empty text")
                            : ("\(name)=a=b=", "")
                    }
                let message = Invocation.message([command.name, bad, "a", "b"]) ?? ""
                #expect(message.hasPrefix(expected), "\(command.name) \(bad): \(message)")
                if case .choice(let choices) = option.kind,
                    let word = choices.map(\.word).max(by: { $0.count < $1.count }), word.count > 3
                {
                    let near = Invocation.message([
                        command.name, "\(name)=\(word.dropLast(2))\(word.suffix(1))", "a", "b",
                    ])
                    #expect(near?.contains("Did you mean '\(word)'?") == true, "\(command.name) \(name): \(near ?? "")")
                }
                guard name.count > 5 else { continue }
                let wrong = String(name.dropLast(2) + String(name.suffix(2).reversed()))
                guard command.options.allSatisfy({ !$0.names.contains(wrong) }) else { continue }
                let meant = Invocation.message([command.name, wrong, "a"])
                #expect(
                    meant?.hasPrefix("Unknown option '\(wrong)'. Did you mean '--") == true, "\(wrong): \(meant ?? "")")
            }
        }
    }

    @Test("A value is read in each of its forms, and switches can be written together")
    func forms() throws {
        for words in [
            ["-j4"], ["-j", "4"], ["--jobs=4"], ["--jobs", "4"], ["-rqj4"], ["-rqj", "4"], ["-r", "-q", "-j4"],
        ] {
            let command: RecordsCommand = try Invocation.command(["records"] + words + ["--", "-f"])
            #expect(command.options.parsers == 4 && command.operands == ["-f"], "\(words)")
            if words[0].hasPrefix("-rq") { #expect(command.isQuiet && command.isRecursive) }
        }
        let named: RejectsCommand = try Invocation.command(["rejects", "a.sqlite", "-oout.ndjson"])
        #expect(named.file == "out.ndjson")
    }

    @Test("Each command that takes a database takes it first, and one that is named by an option is put there")
    func databaseFirst() {
        for command in Invocation.commands where command.takesDatabase {
            let rest = command.name == "query" ? ["t"] : ["import", "sync", "seed"].contains(command.name) ? ["f"] : []
            let words = [command.name] + rest + ["--into", "a b.sqlite"]
            let right = (["tributary", command.name, "'a b.sqlite'"] + rest).joined(separator: " ")
            #expect(
                Invocation.message(words) == "The database is the first word after the command: \(right)",
                "\(command.name)")
            #expect(Invocation.message([command.name])?.hasPrefix("Name ") == true, "\(command.name)")
            #expect(Invocation.message([command.name, "postgres://h:x/d"])?.contains("assword") != true)
        }
    }

    @Test("A command or an option for one kind of database is refused for the other, with what to do")
    func databases() {
        for command in Invocation.commands {
            if let reason = command.noPostgres {
                let message = Invocation.message([command.name, "postgres://h/d", "x"])
                #expect(message == "'tributary \(command.name)' is not for PostgreSQL: \(reason)")
                continue
            }
            for option in command.options {
                let value = option.value == nil || option.impliedValue != nil ? [] : [option.bestValue]
                switch option.databases {
                case .all: continue
                case .postgres:
                    let message = Invocation.message([command.name, "a.sqlite", "f", option.name] + value)
                    #expect(message?.contains("'\(option.name)' is for PostgreSQL") == true, "\(option.name)")
                case .sqlite(let reason):
                    let message = Invocation.message([command.name, "postgres://h/d", "f", option.name] + value)
                    #expect(message == "'\(option.name)' is not for PostgreSQL: \(reason)")
                }
            }
        }
    }
}

extension OptionSpec {
    /// A value that the option takes.
    fileprivate var bestValue: String {
        switch kind {
        case .choice(let choices): choices[0].word
        case .number(let least, _): "\(max(1, least))"
        case .bytes: "64M"
        case .flag, .text: "a"
        }
    }
}
