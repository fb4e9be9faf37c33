import TributaryImport
import Testing
import TributaryJSON

import TributaryCLI

/// The command line as a pure function from arguments to options or to an error message.
@Suite struct OptionTests {
    private func records(_ words: String...) throws -> RecordsCommand { try Invocation.command(["records"] + words) }

    @Test("Each usage error has its exact message, with a suggestion for a near miss")
    func exactMessages() {
        Invocation.expectMessages(
            """
            recods => Unknown command 'recods'. Did you mean 'records'?
            frobnicate => Unknown command 'frobnicate'
            --hlep => Unknown option '--hlep'. Did you mean '--help'?
            records --limti 3 f => Unknown option '--limti'. Did you mean '--limit'?
            records --frobnicate f => Unknown option '--frobnicate'
            records -x f => Unknown option '-x'
            records -qx f => Unknown option '-x' in '-qx'
            records -quiet f => Unknown option '-u' in '-quiet'. Did you mean '--quiet'?
            records -jx f => Option '--jobs' takes a whole number of at least 1, not 'x'
            records -rj => Option '--jobs' needs a value: --jobs N
            records f --limit => Option '--limit' needs a value: --limit N
            records --limit x f => Option '--limit' takes a whole number of at least 0, not 'x'
            records --limit -1 f => Option '--limit' takes a whole number of at least 0, not '-1'
            records --limit 1 --stop-after 2 f => Option '--limit' is given twice
            records --quiet=yes f => Option '--quiet' takes no value
            records --format nddjson f => Option '--format' takes auto, json, array, object, ndjson, concat, not 'nddjson'. Did you mean 'ndjson'?
            records --on-error ignore f => Option '--on-error' takes stop, skip, quarantine, not 'ignore'
            records --on-error quarantine f => '--on-error quarantine' needs a file: --rejects FILE
            records --on-error skip --rejects r f => '--rejects' is for '--on-error quarantine', not for 'skip'
            records --at a[ f => Option '--at': the path a[ cannot be read at character 1: expected . or [ or {; write it as [] or .items[] or .users{} or /items
            records - - => Standard input ('-') can be read only once
            validate --max-depth 0 f => Option '--max-depth' takes a whole number of at least 1, not '0'
            validate --buffer-size 7x f => Option '--buffer-size' takes a number of bytes such as 4096, 64K or 16M, not '7x'
            records --max-record 1G f => Option '--max-record' takes at most 268435455 bytes, not '1G'
            records --key-as '' f => Option '--key-as' takes NAME, not an empty text
            help recrods => Unknown command 'recrods'. Did you mean 'records'?
            """)
    }

    @Test("The arguments of records become its options")
    func whatWordsMean() throws {
        let plain = try records("a.json", "b.json")
        #expect(plain.operands == ["a.json", "b.json"])
        #expect(plain.options.onError == .stop && plain.limit == nil && plain.skip == 0 && !plain.isQuiet)
        let full = try records(
            "--at", ".rows[]", "--format=ndjson", "--limit", "5", "--skip=2", "--rejects", "r.nd", "--key-as", "uid",
            "-q",
            "--buffer-size", "4K", "--max-depth", "9", "--max-record=1M", "--", "--odd-name")
        #expect(full.operands == ["--odd-name"])
        #expect(full.options.paths == [".rows[]"] && full.options.format == .ndjson)
        #expect(full.limit == 5 && full.skip == 2 && full.isQuiet)
        #expect(full.rejectsPath == "r.nd" && full.options.onError == .quarantine)
        #expect(full.options.keyName == "uid" && full.options.bufferBytes == 4096)
        #expect(full.options.limits.depth == 9 && full.options.limits.record == 1 << 20)
        #expect(try records("-", "--on-error", "skip").options.onError == .skip)
    }

    @Test("Help and version take precedence over other arguments")
    func helpAndVersionGoFirst() throws {
        for words in [[], ["--help"], ["-h"], ["help"]] {
            guard case .help(nil, false) = try Invocation(words) else { return #expect(Bool(false), "\(words)") }
        }
        for words in [["help", "records"], ["records", "--help"], ["records", "--bad", "-h"]] {
            guard case .help(let command?, false) = try Invocation(words) else {
                return #expect(Bool(false), "\(words)")
            }
            #expect(command.name == "records")
        }
        for words in [["help", "records", "--all"], ["help", "--all", "records"], ["records", "--help=all"]] {
            guard case .help(let command?, true) = try Invocation(words) else {
                return #expect(Bool(false), "\(words)")
            }
            #expect(command.name == "records")
        }
        for word in ["--version", "-V"] {
            guard case .version = try Invocation([word]) else { return #expect(Bool(false)) }
        }
        // After `--` it is a file name.
        #expect(try records("--", "--help").operands == ["--help"])
    }

    @Test("validate reads one JSON text unless a format is given")
    func validateReadsOneTextUnlessTold() throws {
        guard case .command(let one as ValidateCommand) = try Invocation(["validate", "f"]),
            case .command(let lines as ValidateCommand) = try Invocation(["validate", "--format", "ndjson", "f"])
        else { return #expect(Bool(false)) }
        #expect(one.options.format == .json && one.options.paths == [])
        #expect(lines.options.format == .ndjson)
    }

    @Test("Byte counts accept units, and refuse fractions and overflow")
    func bytesWithUnits() {
        for (text, number) in [
            ("1", 1), ("64K", 65536), ("16M", 16 << 20), ("2G", 2 << 30), ("1kb", 1024), ("3MiB", 3 << 20), ("5B", 5),
        ] {
            #expect(ParsedOptions.bytes(text) == number)
        }
        for text in ["", "K", "-1", "1.5M", "1T", "99999999999999999999", "9999999999999G"] {
            #expect(ParsedOptions.bytes(text) == nil)
        }
    }

    @Test("The edit distance of suggestions counts swapped letters once")
    func distances() {
        #expect(Suggestion.distance("records", "recods") == 1)
        #expect(Suggestion.distance("limit", "limti") == 1)
        #expect(Suggestion.distance("", "abc") == 3)
        #expect(Suggestion.distance("abc", "xyz") == 3)
        #expect(Suggestion.nearest(to: "--xyz", among: ["--limit"]) == nil)
    }

    @Test("The help of a command names its options and the exit codes")
    func everyOptionIsInTheHelp() {
        for command in Invocation.commands {
            let help = HelpText.text(command, all: true)
            for option in command.options {
                #expect(option.names.allSatisfy { help.contains($0) })
                #expect(help.contains(option.help))
            }
            #expect(HelpText.overview.contains(command.summary))
            for (code, meaning) in HelpText.exitCodes { #expect(help.contains("\(code)") && help.contains(meaning)) }
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 140 })
        }
    }

    @Test("An option without a value is a switch, and the help of any other names its choices and default")
    func optionsDescribeTheirValues() throws {
        for command in Invocation.commands {
            for option in command.options {
                if case .flag = option.kind { #expect(option.value == nil) } else { #expect(option.value != nil) }
                if let text = option.defaultText { #expect(option.help.hasSuffix(" (\(text))"), "\(option.help)") }
                guard case .choice(let choices) = option.kind, option.impliedValue == nil else { continue }
                for choice in choices { #expect(option.help.contains(choice.word), "\(option.help)") }
                let words = choices.map(\.word).joined(separator: ", ")
                let expected = "Option '\(option.names[0])' takes \(words), not '?'"
                #expect(Invocation.message([command.name, "\(option.names[0])=?", "f"]) == expected)
            }
        }
    }

    @Test("Progress groups the digits of numbers and rounds times")
    func progressIsReadable() {
        #expect(
            FigureText.grouped(1_234_567) == "1,234,567" && FigureText.grouped(7) == "7"
                && FigureText.grouped(100) == "100")
        #expect(
            FigureText.time(3.6) == "4 s" && FigureText.time(125) == "2:05 min" && FigureText.time(4200) == "1:10 h")
    }
}
