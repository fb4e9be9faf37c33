/// The completions of zsh.
package enum ZshCompletions {
    /// The script: a file `_tributary` in a folder of `fpath`, or a text for `source`.
    package static func script(_ program: ProgramSpec) -> String {
        let name = program.name
        let cases = program.commands.map { command in
            let words =
                (command.options + [.help]).map { option($0, isLast: $0.name == "--help") }
                + operands(command, name)
            return "    \(command.name))\n        _arguments -s -S \\\n            "
                + words.joined(separator: " \\\n            ") + " && result=0 ;;"
        }
        let commands = program.commands.map {
            CompletionText.quoted("\($0.name):\(CompletionText.escaped($0.summary, "\\"))")
        }
        let options = program.options.map { option($0, isLast: true) }.joined(separator: " \\\n        ")
        return """
            #compdef \(name)
            # Completions of zsh for \(name) \(program.version), written by: \(name) completions zsh

            _\(name)() {
                local curcontext=$curcontext state state_descr line result=1
                typeset -A opt_args
                _arguments -C -S \\
                    \(options) \\
                    '1:command:_\(name)_commands' '*::argument:->arguments' && result=0
                [[ $state == arguments ]] || return result
                case $words[1] in
            \(cases.joined(separator: "\n"))
                esac
                return result
            }

            _\(name)_commands() {
                local -a commands=(
                    \(commands.joined(separator: "\n        "))
                )
                _describe command commands
            }

            # A file in fpath is the function itself.
            if [[ $funcstack[1] == _\(name) ]]; then
                _\(name) "$@"
            else
                compdef _\(name) \(name)
            fi

            """
    }

    /// An option as an argument of `_arguments`; nothing follows one that is the last word.
    private static func option(_ option: OptionSpec, isLast: Bool) -> String {
        let sign = option.value == nil ? "" : option.impliedValue == nil ? "=" : "=-"
        let names = option.names.map { $0 + ($0.hasPrefix("--") ? sign : option.value == nil ? "" : "+") }
        let before =
            if option.isRepeatable {
                "*"
            } else {
                isLast ? "(- *)" : names.count > 1 ? "(\(option.names.joined(separator: " ")))" : ""
            }
        let value = option.value.map { value in
            (option.impliedValue == nil ? ":" : "::") + escaped(value) + ":" + action(option.completion)
        }
        let after = "[\(escaped(option.help))]" + (value ?? "")
        guard names.count > 1 else { return CompletionText.quoted(before + names[0] + after) }
        return (before.isEmpty ? "" : "'\(before)'") + "{\(names.joined(separator: ","))}"
            + CompletionText.quoted(after)
    }

    private static func operands(_ command: CommandSpec, _ name: String) -> [String] {
        command.operandSpecs.enumerated().map { place, operand in
            let action = operand.completion == .commands ? "_\(name)_commands" : action(operand.completion)
            let start = operand.isRepeatable ? "*" : "\(place + 1)"
            return CompletionText.quoted("\(start):\(escaped(operand.name)):\(action)")
        }
    }

    /// What `_arguments` does to complete a value.
    private static func action(_ completion: Completion) -> String {
        switch completion {
        case .nothing, .commands: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    private static func escaped(_ text: String) -> String { CompletionText.escaped(text, "[]:\\") }
}
