/// The texts of `--help`.
package enum HelpText {
    static let version = "0.1.0"
    /// The day of the version.
    static let date = "November 29, 2026"

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
        let program = Invocation.program
        return """
            \(program.name) \(program.summary).

            Usage: tributary COMMAND [OPTIONS] FILE...

            Examples:
            \(table(program.examples.map { ($0.line, $0.meaning) }, 51))

            Commands:
            \(table(program.commands.map { ($0.name, $0.summary) }))

            Options:
            \(table(program.options.map { (names($0), $0.help) }))

            Exit codes:
            \(table(exitCodes.map { (String($0.code), $0.meaning) }))

            """
    }

    /// The help of a command: the options that people need most, or with `all` every option and what it does.
    package static func text(_ command: CommandSpec, all: Bool = false) -> String {
        let isWhole = all || command.common.isEmpty
        let options = command.options.filter { isWhole || command.common.contains($0.name) }
        var parts = [
            "\(command.summary).", "Usage: tributary \(command.name) \(command.operands)",
            "Examples:\n" + command.examples.map { "  " + $0 }.joined(separator: "\n"),
        ]
        if isWhole { parts.append(command.discussion) }
        var lists = OptionSpec.Group.allCases.map { group in
            (group.rawValue, options.filter { $0.group == group }.map { (names($0), $0.help) })
        }
        lists[lists.count - 1].1.append((names(OptionSpec.help), OptionSpec.help.help))
        let lines = lists.flatMap(\.1)
        let width = width(lines)
        // A few options need no headings.
        if lines.count <= 6 {
            parts.append("Options:\n" + table(lines, width))
        } else {
            parts += lists.filter { !$0.1.isEmpty }.map { "\($0.0):\n" + table($0.1, width) }
        }
        if isWhole {
            parts.append("Exit codes:\n" + table(exitCodes.map { (String($0.code), $0.meaning) }))
        } else {
            let rest = command.options.count - options.count
            parts.append("\(rest) more options, and how it works: tributary help \(command.name) --all")
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// The names of an option and its value.
    package static func names(_ option: OptionSpec) -> String {
        option.namesByLength.joined(separator: ", ")
            + (option.value.map { option.impliedValue == nil ? " \($0)" : "[=\($0)]" } ?? "")
    }

    private static func width(_ rows: [(String, String)]) -> Int { min(26, rows.map(\.0.count).max() ?? 0) }

    private static func table(_ rows: [(String, String)], _ width: Int? = nil) -> String {
        let width = width ?? self.width(rows)
        return rows.map { name, help in
            let padding = String(repeating: " ", count: max(0, width - name.count))
            return name.count > width
                ? "  \(name)\n  \(String(repeating: " ", count: width))  \(help)" : "  \(name)\(padding)  \(help)"
        }
        .joined(separator: "\n")
    }
}
