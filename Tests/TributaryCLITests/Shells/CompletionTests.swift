import Foundation
import Testing
import TributaryCLI
import TributaryTestSupport

/// `tributary completions`: what shells offer after the scripts were read.
@Suite struct CompletionTests {
    private let offers: ShellOffers

    init() throws { offers = try ShellOffers() }

    private static func script(_ shell: ShellOffers.Shell, _ program: ProgramSpec = Invocation.program) -> String {
        switch shell {
        case .bash: BashCompletions.script(program)
        case .zsh: ZshCompletions.script(program)
        case .fish: FishCompletions.script(program)
        }
    }

    /// A line, the word FILES, FOLDERS or NOTHING, or the words that are offered.
    private static let table = """
        tributary imp => import
        tributary re => records rejects retry
        tributary --v => --version
        tributary nothing ⎵ => NOTHING
        tributary help un => undo
        tributary help import => import
        tributary help undo --a => --all
        tributary manual que => query
        tributary completions ⎵ => bash fish zsh
        tributary completions f => fish
        tributary completions fish ⎵ => NOTHING
        tributary import ⎵ => FILES
        tributary import a.sqlite ⎵ => FILES
        tributary import a.sqlite b.json ⎵ => FILES
        tributary import a.sqlite --on => --on-error
        tributary import --on-error skip ⎵ => FILES
        tributary import a.sqlite --on-error ⎵ => quarantine skip stop
        tributary import a.sqlite --on-error s => skip stop
        tributary import a.sqlite --on-error= => quarantine skip stop
        tributary import a.sqlite --on-error=q => quarantine
        tributary import a.sqlite --on-error=skip --on => NOTHING
        tributary import a.sqlite --on-error skip --on => NOTHING
        tributary import a.sqlite --table t --enti => NOTHING
        tributary import a.sqlite -q --qui => NOTHING
        tributary import a.sqlite --key a --k => --key --key-as
        tributary import a.sqlite --model ⎵ => FILES
        tributary import a.sqlite --rejects= => FILES
        tributary import a.sqlite --limit ⎵ => NOTHING
        tributary import a.sqlite -j ⎵ => NOTHING
        tributary import a.sqlite --relations= => all keyed
        tributary import a.sqlite --relations ⎵ => FILES
        tributary import a.sqlite --flatten= => NOTHING
        tributary import a.sqlite -- ⎵ => FILES
        tributary import a.sqlite -- --on => NOTHING
        tributary sync a.sqlite b.json --mod => --model
        tributary import a.sqlite b.json --mod => --mode --model
        tributary query ⎵ => FILES
        tributary query --limit 3 ⎵ => FILES
        tributary query a.sqlite ⎵ => NOTHING
        tributary query a.sqlite t --format j => json
        tributary model a.sqlite --format ⎵ => mermaid text xml
        tributary retry a.sqlite ⎵ => FILES
        tributary retry a.sqlite b.json ⎵ => NOTHING
        tributary inspect b.json ⎵ => FILES
        tributary export a.sqlite t ⎵ => NOTHING
        tributary export a.sqlite --to ⎵ => FILES
        tributary generate a.sqlite --output ⎵ => FOLDERS
        tributary generate a.sqlite -o ⎵ => FOLDERS
        tributary generate a.sqlite --output= => FOLDERS
        tributary rejects a.sqlite --output ⎵ => FILES
        tributary validate --ma => MAXIMA
        """

    @Test("A shell offers what a line can go with", arguments: ShellOffers.Shell.allCases)
    func table(_ shell: ShellOffers.Shell) throws {
        let rows = Self.table.split(separator: "\n").map { $0.replacing("⎵", with: "").split(separator: " => ") }
        let validate = try #require(Invocation.commands.first { $0.name == "validate" })
        let named = [
            "FILES": ShellOffers.files, "FOLDERS": ["sub"], "NOTHING": [],
            "MAXIMA": validate.options.flatMap(\.names).filter { $0.hasPrefix("--ma") }.sorted(),
        ]
        let found = try offers.offers(shell, script: Self.script(shell), rows.map { String($0[0]) })
        for (row, words) in zip(rows, found) {
            let expected = named[String(row[1])] ?? row[1].split(separator: " ").map(String.init)
            #expect(words == expected, "\(shell): \(row[0])")
        }
    }

    @Test(
        "A shell offers each command, and after it its options and their words", arguments: ShellOffers.Shell.allCases)
    func everything(_ shell: ShellOffers.Shell) throws {
        var lines = ["tributary "]
        var expected = [Invocation.program.commands.map(\.name).sorted()]
        // bash offers the options of the program without a sign, too.
        if shell == .bash { expected[0] = (["--help", "--version"] + expected[0]).sorted() }
        for command in Invocation.program.commands {
            let names = command.options.flatMap(\.names) + ["--help", "-h"]
            lines.append("tributary \(command.name) -")
            expected.append(names.sorted())
            for option in command.options {
                guard case .choice(let choices) = option.kind else { continue }
                for name in option.names {
                    lines.append("tributary \(command.name) \(name)" + (option.impliedValue == nil ? " " : "="))
                    expected.append(choices.map(\.word).sorted())
                }
            }
        }
        let found = try offers.offers(shell, script: Self.script(shell), lines)
        for (place, line) in lines.enumerated() {
            #expect(found[place] == expected[place], "\(shell): \(line)")
        }
        #expect(lines.count > 50)
    }

    @Test("Special signs in a help text are shown as they are", arguments: ShellOffers.Shell.allCases)
    func specialSigns(_ shell: ShellOffers.Shell) throws {
        let texts = [
            #"it's "a" [b] {c} (d): $e `f` \g\\ %h !i; j|k & l * ? ~ #m"#, #"'\"#, "]:x:(y)", "-e . ..", "é → ü …",
        ]
        let options = texts.enumerated().map { OptionSpec("--odd-\($0)", value: $1, help: $1) }
        var program = Invocation.program
        program.commands = [
            CommandSpec(
                name: "try", summary: texts[0], operands: "[OPTIONS] A:[B]'", examples: [], discussion: "",
                options: options + [OptionSpec("--mode", "-m", value: "[:'", as: .words(["a", "b"]), help: texts[0])])
        ]
        let lines = ["tributary try --", "tributary try --mode ", "tributary try --odd-0 x -m", "tributary t"]
        let script = Self.script(shell, program)
        let found = try offers.offers(shell, script: script, lines, described: true)
        let names = ["--help", "--mode"] + texts.indices.map { "--odd-\($0)" }
        try #require(found[0].map { $0.prefix { $0 != "\t" } } == names.map { $0[...] })
        #expect(found[1].map { $0.prefix(1) } == ["a", "b"])
        #expect(found[3].map { $0.prefix { $0 != "\t" } } == ["try"])
        guard shell != .bash else { return }
        for (place, text) in texts.enumerated() {
            #expect(found[0][place + 2].contains(text), "\(shell): \(found[0][place + 2])")
        }
        #expect(found[3].contains { $0.contains(texts[0]) }, "\(shell): \(found[3])")
    }

    @Test(
        "The command writes the script of a shell, which the shell finds correct", arguments: ShellOffers.Shell.allCases
    )
    func command(_ shell: ShellOffers.Shell) throws {
        try Tool.tributary.run(["completions", shell.rawValue]).expect(output: Self.script(shell))
        let file = try TemporaryFolder()
        let option = shell == .fish ? "--no-execute" : "-n"
        let check = try Tool.shell("tributary completions \(shell) > script && \(shell) \(option) script", in: file.url)
        #expect(check.code == 0 && check.error.isEmpty, "\(check.error)")
    }

    @Test("A shell without completions is refused with those that have them")
    func refusals() {
        Invocation.expectMessages(
            """
            completions => Name one shell: tributary completions bash|zsh|fish
            completions bash zsh => Name one shell: tributary completions bash|zsh|fish
            completions tcsh => There are completions of bash, zsh, fish, not of 'tcsh'
            completions bahs => There are completions of bash, zsh, fish, not of 'bahs'. Did you mean 'bash'?
            """)
    }
}
