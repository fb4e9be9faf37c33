/// The completions of fish, from version 3.4 on.
package enum FishCompletions {
    /// The script, which defines the completions of the program.
    package static func script(_ program: ProgramSpec) -> String {
        let name = program.name
        let start = "complete -c \(name) -n"
        let commands = program.commands.map {
            "\(start) __\(name)_wants_command -a \($0.name) -d \(quoted($0.summary))"
        }
        let globals = program.options.map { "\(start) __\(name)_is_first\(names($0)) -d \(quoted($0.help))" }
        let asking = program.commands.filter { $0.operandSpecs.first?.completion == .commands }.map(\.name)
        return """
            # Completions of fish for \(name) \(program.version), written by: \(name) completions fish

            # Whether the word after the program is completed.
            function __\(name)_is_first
                test (count (commandline -opc)) = 1
            end

            # Whether the word is the name of a command.
            function __\(name)_wants_command
                __\(name)_is_first; and return
                __\(name)_is \(asking.joined(separator: " ")); and __\(name)_lacks_operand 1
            end

            # Whether the command is one of the arguments.
            function __\(name)_is
                set -l words (commandline -opc)
                set -q words[2]; and contains -- $words[2] $argv
            end

            # Whether no option of the arguments is given. If the first argument is value, they take one, and the last word
            # before the cursor may be the option whose value is completed.
            function __\(name)_lacks
                set -l words (commandline -opc)
                test $argv[1] = value; and contains -- $words[-1] $argv; and set -e words[-1]
                for word in (string replace -r '=.*' '' -- $words)
                    contains -- $word $argv; and return 1
                end
                return 0
            end

            # Whether the word is no option with a value.
            function __\(name)_is_operand
                not string match -q -- '-*=*' (commandline -ct)
            end

            # Whether fewer operands are given than the first argument; the others are options that take a value.
            function __\(name)_lacks_operand
                set -l place 0
                set -l is_value 0
                for word in (commandline -opc)[3..-1]
                    if test $is_value = 1
                        set is_value 0
                    else if contains -- $word $argv[2..-1]
                        set is_value 1
                    else if not string match -qr -- '^-.' $word
                        set place (math $place + 1)
                    end
                end
                test $place -lt $argv[1]
            end

            # The folders that the word, or the value in it, can be.
            function __\(name)_folders
                __fish_complete_directories (commandline -ct | string replace -r '^-[^=]*=' '')
            end

            complete -c \(name) -f
            \((commands + globals + program.commands.flatMap { lines($0, name) }).joined(separator: "\n"))

            """
    }

    /// The lines of the options and operands of a command.
    private static func lines(_ command: CommandSpec, _ name: String) -> [String] {
        let start = "complete -c \(name) -n '__\(name)_is \(command.name)'"
        let options = (command.options + [.help]).map { option in
            let takesWord = option.value != nil && option.impliedValue == nil
            let names = (takesWord ? ["value"] : []) + option.names
            let condition = option.isRepeatable ? "" : " -n '__\(name)_lacks \(names.joined(separator: " "))'"
            let values =
                switch option.completion {
                case _ where option.value == nil: ""
                case .words(let words): (takesWord ? " -x" : "") + " -a '\(words.joined(separator: " "))'"
                case .files: " -r -F"
                case .folders: " -x -a '(__\(name)_folders)'"
                case .nothing, .commands: takesWord ? " -x" : ""
                }
            return start + condition + FishCompletions.names(option) + values + " -d " + quoted(option.help)
        }
        let taking = command.options.filter { $0.value != nil && $0.impliedValue == nil }.flatMap(\.names)
        return options
            + command.operandSpecs.enumerated().compactMap { place, operand in
                let words = ([String(place + 1)] + taking).joined(separator: " ")
                let condition =
                    operand.isRepeatable
                    ? " -n __\(name)_is_operand" : " -n __\(name)_is_operand -n '__\(name)_lacks_operand \(words)'"
                switch operand.completion {
                case .files: return start + condition + " -F"
                case .words(let words): return start + condition + " -a '\(words.joined(separator: " "))'"
                case .folders, .commands, .nothing: return nil
                }
            }
    }

    private static func names(_ option: OptionSpec) -> String {
        option.names.map { $0.hasPrefix("--") ? " -l \($0.dropFirst(2))" : " -s \($0.dropFirst())" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        "'\(CompletionText.escaped(text, "\\'"))'"
    }
}
