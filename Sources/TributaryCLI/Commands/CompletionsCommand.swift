/// `tributary completions`: writes the completions of a shell.
package struct CompletionsCommand: Command {
    /// A shell that has completions.
    private enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    package static let spec = CommandSpec(
        name: "completions",
        summary: "Write the completions of bash, zsh or fish",
        operands: "bash|zsh|fish",
        examples: [
            "tributary completions bash > ~/.local/share/bash-completion/completions/tributary",
            "tributary completions zsh > ~/.zsh/completions/_tributary",
            "tributary completions fish > ~/.config/fish/completions/tributary.fish",
        ],
        discussion: """
            With the file of its shell, the key Tab completes commands, options, their values and names of files. The
            examples write each file to the place where the shell reads it. Make its directory first, as by
            'mkdir -p ~/.zsh/completions', and open a new shell afterwards.

            bash reads the file if the package bash-completion is installed. Without that package, add this line to
            ~/.bashrc: source <(tributary completions bash)

            zsh reads the file if ~/.zshrc has this line before 'compinit': fpath=(~/.zsh/completions $fpath)
            Without 'compinit' there, add after it: autoload -U compinit && compinit
            """,
        options: [])

    private let shell: Shell

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        let shells = Shell.allCases.map(\.rawValue)
        guard let name = parsed.operands.first, parsed.operands.count == 1 else {
            throw UsageError("Name one shell: \(parsed.usage)")
        }
        guard let shell = Shell(rawValue: name) else {
            throw UsageError(
                "There are completions of \(shells.joined(separator: ", ")), not of '\(name)'"
                    + Suggestion.hint(for: name, among: shells))
        }
        self.shell = shell
    }

    package func run() throws -> Int32 {
        let program = Invocation.program
        let script =
            switch shell {
            case .bash: BashCompletions.script(program)
            case .zsh: ZshCompletions.script(program)
            case .fish: FishCompletions.script(program)
            }
        try OutputFile().end(script)
        return ExitCode.success
    }
}
