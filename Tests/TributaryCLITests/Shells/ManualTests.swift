import Foundation
import Testing
import TributaryCLI
import TributaryTestSupport

/// `tributary manual`: the man pages, as mandoc reads and prints them.
@Suite struct ManualTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A page as it is printed, in one line with single spaces.
    private func printed(_ page: ManualPage) throws -> String {
        _ = try folder.write(page.text.utf8, to: page.file)
        let outcome = try Tool.shell("mandoc -T utf8 -O width=1000 \(page.file)", in: folder.url)
        try #require(outcome.code == 0, "\(outcome.error)")
        // Bold letters are printed twice, and a line is under others.
        return outcome.text.replacing(/.\u{8}/, with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A text in one line with single spaces.
    private func plain(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    private func expectNoWarnings(_ files: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let lint = try Tool.shell("mandoc -T lint -W warning \(files)", in: folder.url)
        #expect(lint.code == 0 && lint.text.isEmpty, "\(lint.text)\(lint.error)", sourceLocation: sourceLocation)
    }

    @Test("All pages are written into a directory, without a warning of mandoc")
    func pages() throws {
        try Tool.tributary.run(["manual", "--output", folder.path("man1")]).expect(output: "")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("man1"))
        let program = Invocation.program
        #expect(files.sorted() == (["tributary.1"] + program.commands.map { "tributary-\($0.name).1" }).sorted())
        try expectNoWarnings("man1/*")
        let page = try String(contentsOfFile: folder.path("man1/tributary-sync.1"), encoding: .utf8)
        try Tool.tributary.run(["manual", "sync"]).expect(output: page)
        let first = try String(contentsOfFile: folder.path("man1/tributary.1"), encoding: .utf8)
        try Tool.tributary.run(["manual"]).expect(output: first)
        // A second time it replaces them.
        try Tool.tributary.run(["manual", "-o", folder.path("man1") + "/"]).expect(output: "")
    }

    @Test("The page of a command has its usage, its whole help, and every option as the help names it")
    func commands() throws {
        let program = Invocation.program
        for command in program.commands {
            let page = try printed(ManualPage(of: command, program))
            #expect(page.contains("tributary-\(command.name) – \(plain(command.summary))"))
            #expect(page.contains("SYNOPSIS tributary \(command.name) \(command.operands) DESCRIPTION"), "\(page)")
            #expect(page.contains(plain(command.discussion)), "\(command.name)")
            for example in command.examples { #expect(page.contains(plain(example)), "\(example)") }
            for option in command.options {
                let names = HelpText.names(option)
                #expect(page.contains("\(names) \(plain(option.help))"), "\(command.name) \(names)")
            }
            #expect(page.contains("-h, --help Show this help"))
            for (code, meaning) in program.exitCodes { #expect(page.contains("\(code) \(meaning)")) }
        }
    }

    @Test("The page of the program names its commands, variables and files")
    func program() throws {
        let program = Invocation.program
        let page = try printed(ManualPage(of: program))
        for command in program.commands { #expect(page.contains("tributary-\(command.name)(1) \(command.summary)")) }
        for (name, meaning) in program.environment + program.files { #expect(page.contains("\(name) \(meaning)")) }
        #expect(page.hasSuffix("tributary \(program.version) \(program.date) tributary \(program.version)"))
    }

    @Test("Every variable of the environment that the sources read is on the page of the program")
    func variables() throws {
        let names = Set(
            Invocation.program.environment.flatMap { $0.name.components(separatedBy: ", ") })
        var read: Set<String> = []
        for target in ["TributaryCLI", "TributaryHTTP"] {
            let sources = Tool.package.appending(path: "Sources/\(target)")
            for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where path.hasSuffix(".swift")
            {
                let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
                read.formUnion(text.matches(of: /(?:getenv|variable)(?:\(| = )"(\w+)"/).map { String($0.output.1) })
            }
        }
        #expect(read.count > 7 && read.isSubset(of: names), "\(read.subtracting(names))")
    }

    @Test("Special signs and the names of macros are printed as they are")
    func specialSigns() throws {
        let texts = [
            #".Sh An a.b \fB \n(xx \\ "An" 'q' `x` ^ ~ - -- | ( ) [x] : ; , . Ar .Ed"#, "'br", ".", "Op An In",
            "…é → ü 😀",
            "One sentence. Another one! (A third one?) 'The fourth.' No, .. fifth",
        ]
        let options = texts.enumerated().map { OptionSpec("--odd-\($0)", value: $1, help: $1) }
        let command = CommandSpec(
            name: "try", summary: texts[0], operands: "[OPTIONS] [An] Op .Sh | 'x'... --to \\&", examples: texts,
            discussion: texts.joined(separator: "\n\n"), options: options)
        let page = ManualPage(of: command, Invocation.program)
        let text = try printed(page)
        try expectNoWarnings(page.file)
        #expect(text.contains("tributary-try – \(texts[0]) SYNOPSIS"), "\(text)")
        #expect(text.contains("SYNOPSIS tributary try \(command.operands) DESCRIPTION"), "\(text)")
        #expect(text.contains("DESCRIPTION \(texts.joined(separator: " ")) OPTIONS"), "\(text)")
        #expect(text.contains("EXAMPLES \(texts.joined(separator: " ")) SEE ALSO"), "\(text)")
        for (place, value) in texts.enumerated() {
            #expect(text.contains("--odd-\(place) \(value) \(value)"), "\(text)")
        }
    }

    @Test("A page of an unknown command is refused, and so is a directory that cannot be made")
    func refusals() throws {
        Invocation.expectMessages(
            """
            manual imprt => Unknown command 'imprt'. Did you mean 'import'?
            manual import sync => Name one command: tributary manual [COMMAND]
            manual import --output x => '--output' writes the pages of all commands; leave 'import' out
            """)
        let file = try folder.write("".utf8, to: "file")
        try Tool.tributary.run(["manual", "--output", file]).expect(
            1, error: "tributary: \(file)/tributary.1: the page cannot be written: Not a directory\n")
    }
}
