/// The man pages of the program: one of itself, which lists the commands, and one of each command.
package struct ManualPage {
    /// The name of its file, such as `tributary-import.1`.
    package let file: String
    /// Its text in mdoc.
    package let text: String

    /// The page of the program.
    package init(of program: ProgramSpec) {
        let commands = program.commands.map { command in
            (ManualPage.term("Xr", "\(program.name)-\(command.name)", "1"), command.summary)
        }
        self.init(
            program, name: program.name, summary: program.summary,
            synopsis: [".Nm", ".Ar COMMAND", ".Op Ar OPTIONS", ".Ar FILE..."],
            description: [
                "Each command has a page of its own, such as",
                "." + ManualPage.term("Xr", "\(program.name)-import", "1") + " .",
                "The help of a command has the same, as in",
                "." + ManualPage.term("Ic", "\(program.name) help import --all") + " .",
                ManualPage.list(commands),
            ],
            options: ManualPage.list(program.options.map { (ManualPage.names($0), $0.help) }),
            examples: program.examples.map(\.line), others: ["psql", "sqlite3"])
    }

    /// The page of a command.
    package init(of command: CommandSpec, _ program: ProgramSpec) {
        let paragraphs = command.discussion.split(separator: "\n\n").map { ManualText.sentences(String($0)) }
        let groups = OptionSpec.Group.allCases.map { group in
            (group, command.options.filter { $0.group == group } + (group == .output ? [OptionSpec.help] : []))
        }
        func list(_ options: [OptionSpec]) -> String {
            ManualPage.list(options.map { (ManualPage.names($0), $0.help) })
        }
        // As in the help, a few options need no headings.
        let options =
            command.options.count <= 5
            ? list(groups.flatMap(\.1))
            : groups.filter { !$0.1.isEmpty }.map { ".Ss \(ManualText.arguments($0.0.rawValue))\n" + list($0.1) }
                .joined(separator: "\n")
        self.init(
            program, name: "\(program.name)-\(command.name)", summary: command.summary,
            synopsis: [".Nm \"\(program.name) \(command.name)\""] + ManualPage.operands(command.operands),
            description: [paragraphs.joined(separator: "\n.Pp\n")], options: options,
            examples: command.examples, others: [program.name])
    }

    private init(
        _ program: ProgramSpec, name: String, summary: String, synopsis: [String], description: [String],
        options: String, examples: [String], others: [String]
    ) {
        file = name + ".1"
        var lines = [
            ".Dd \(program.date)", ".Dt \(name.uppercased()) 1", ".Os \(program.name) \(program.version)",
            ".Sh NAME", ".Nm \(name)", ".Nd \(ManualText.arguments(summary))", ".Sh SYNOPSIS",
        ]
        lines += synopsis + [".Sh DESCRIPTION"] + description + [".Sh OPTIONS", options]
        if name == program.name {
            lines += [
                ".Sh ENVIRONMENT",
                ManualPage.list(program.environment.map { (ManualPage.term("Ev", $0.name), $0.meaning) }),
            ]
            lines += [".Sh FILES", ManualPage.list(program.files.map { (ManualPage.term("Pa", $0.name), $0.meaning) })]
        }
        lines += [".Sh EXIT STATUS", ManualPage.list(program.exitCodes.map { ("\($0.code)", $0.meaning) })]
        lines += [".Sh EXAMPLES", ".Bd -literal"] + examples.map(ManualText.literal) + [".Ed", ".Sh SEE ALSO"]
        lines += others.enumerated().map { ".Xr \($1) 1\($0 < others.count - 1 ? " ," : "")" }
        text = lines.joined(separator: "\n") + "\n"
    }

    // MARK: Parts

    /// A list of terms, which are arguments of `.It`, with their meanings.
    private static func list(_ rows: [(term: String, meaning: String)]) -> String {
        ".Bl -tag -width Ds\n" + rows.map { ".It \($0.term)\n\(ManualText.sentences($0.meaning))\n" }.joined() + ".El"
    }

    /// A macro and its arguments.
    private static func term(_ macro: String, _ words: String...) -> String {
        "\(macro) \(words.map(ManualText.arguments).joined(separator: " "))"
    }

    /// The names of an option and its value, as arguments of a macro.
    private static func names(_ option: OptionSpec) -> String {
        let names = option.namesByLength.map { term("Fl", String($0.dropFirst())) }.joined(separator: " , ")
        guard let value = option.value else { return names }
        return names + (option.impliedValue == nil ? " " : " Ns Op Ns = Ns ") + term("Ar", value)
    }

    /// The operands of a usage line, each as a line with a macro.
    private static func operands(_ text: String) -> [String] {
        text.split(separator: " ").map { word in
            if word.hasPrefix("--") { return "." + term("Fl", String(word.dropFirst())) }
            guard word.hasPrefix("["), word.hasSuffix("]") else { return "." + term("Ar", String(word)) }
            return ".Op \(term("Ar", String(word.dropFirst().dropLast())))"
        }
    }
}
