/// The texts of `--help`.
package enum HelpText {
    static let version = "0.1.0"

    package static let exitCodes: [(code: Int, meaning: String)] = [
        (0, "done"),
        (1, "error, such as invalid JSON, a file that cannot be read, or a full disk"),
        (2, "dry run that would change rows, or --against that tells differences"),
        (3, "finished, but records were rejected, left out or could not be retried; see 'attention' of --json"),
        (64, "usage error"),
        (129, "stopped because the terminal was closed; everything written is complete"),
        (130, "stopped by Ctrl-C; everything written is complete"),
        (141, "stopped because the pipe of the output was closed"),
        (143, "stopped by kill; everything written is complete"),
    ]

    /// The help of the program.
    package static var overview: String {
        """
        tributary imports JSON dumps of any size into SQLite or PostgreSQL.

        Usage: tributary COMMAND [OPTIONS] FILE...

        Examples:
          tributary import users.json.gz --into app.sqlite --key id   rows of a table
          tributary status app.sqlite                                 what was imported
          tributary records --at '.rows[]' dump.json                  each record on a line
          tributary validate *.json                                   checks files; prints only errors

        Commands:
        \(table(Invocation.commands.map { ($0.name, $0.summary) } + [("help", "Show help for a command")]))

        Options:
        \(table([("-h, --help", "Show help for the program or for a command"), ("--version", "Print the version")]))

        Exit codes:
        \(table(exitCodes.map { (String($0.code), $0.meaning) }))

        """
    }

    /// The help of a command.
    package static func text(_ command: CommandSpec) -> String {
        let options = command.options.map { option in
            (
                option.names.sorted { $0.count == 2 && $1.count > 2 }.joined(separator: ", ")
                    + (option.value.map { option.impliedValue == nil ? " \($0)" : "[=\($0)]" } ?? ""), option.help
            )
        }
        return """
            \(command.summary).

            Usage: tributary \(command.name) \(command.operands)

            Examples:
            \(command.examples.map { "  " + $0 }.joined(separator: "\n"))

            \(command.discussion)

            Options:
            \(table(options + [("-h, --help", "Show this help")]))

            Exit codes:
            \(table(exitCodes.map { (String($0.code), $0.meaning) }))

            """
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = min(26, rows.map(\.0.count).max() ?? 0)
        return rows.map { name, help in
            let padding = String(repeating: " ", count: max(0, width - name.count))
            return name.count > width
                ? "  \(name)\n  \(String(repeating: " ", count: width))  \(help)" : "  \(name)\(padding)  \(help)"
        }
        .joined(separator: "\n")
    }
}
