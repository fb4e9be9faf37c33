import Foundation
import TributaryImport

/// `tributary manual`: writes the man pages.
package struct ManualCommand: Command {
    package static let spec = CommandSpec(
        name: "manual",
        summary: "Write the man pages of the program and of its commands",
        operands: "[OPTIONS] [COMMAND]",
        examples: [
            "tributary manual --output ~/.local/share/man/man1",
            "tributary manual import > tributary-import.1",
        ],
        discussion: """
            The first example installs all pages for you, if tributary is in ~/.local/bin; for all users the directory is
            /usr/local/share/man/man1. Then 'man tributary' and 'man tributary-import' show them. Without --output, the
            page of COMMAND, or that of the program, is written to standard output; 'man ./tributary-import.1' shows a
            page that is not installed. Pages are in mdoc.
            """,
        options: [
            OptionSpec(
                "--output", "-o", value: "DIR", group: .target,
                help: "Directory of all pages; made if it does not exist")
        ])

    /// The command whose page is written; nil for the program.
    private let command: CommandSpec?
    private let directory: String?

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        guard parsed.operands.count <= 1 else { throw UsageError("Name one command: \(parsed.usage)") }
        directory = parsed.text("--output")
        guard let name = parsed.operands.first else {
            command = nil
            return
        }
        let commands = Invocation.program.commands
        command = commands.first { $0.name == name }
        guard command != nil else {
            throw UsageError("Unknown command '\(name)'" + Suggestion.hint(for: name, among: commands.map(\.name)))
        }
        if directory != nil { throw UsageError("'--output' writes the pages of all commands; leave '\(name)' out") }
    }

    package func run() throws -> Int32 {
        let program = Invocation.program
        guard let directory else {
            try OutputFile().end((command.map { ManualPage(of: $0, program) } ?? ManualPage(of: program)).text)
            return ExitCode.success
        }
        // If the directory cannot be made, the first file tells why.
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for page in [ManualPage(of: program)] + program.commands.map({ ManualPage(of: $0, program) }) {
            let path = directory + (directory.hasSuffix("/") ? "" : "/") + page.file
            do {
                let file = try FileReplacement(of: path)
                try file.write(Array(page.text.utf8))
                try file.finish()
            } catch {
                throw CommandError("\(Excerpt.escape(path)): the page cannot be written: \(error)")
            }
        }
        return ExitCode.success
    }
}
