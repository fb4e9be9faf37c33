/// The completions of bash, from version 3.2 on.
package enum BashCompletions {
    /// The script, which defines the completions of the program.
    package static func script(_ program: ProgramSpec) -> String {
        let name = program.name
        let names = program.commands.map(\.name)
        let globals = program.options.flatMap(\.names).filter { $0.hasPrefix("--") }
        return """
            # Completions of bash for \(name) \(program.version), written by: \(name) completions bash

            _\(name)() {
                local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=_\(name)_${COMP_WORDS[1]}
                local attached='' ended='' place=0 index group option given names=''
                # The function of a command sets them: its options, each with its other names, once or repeatable; what
                # its operands are, and those after them; and what the value is of the option that it is called with.
                local once again operands more value=''
                COMPREPLY=()
                if ((COMP_CWORD == 1)); then
                    _\(name)_offer 'words \((names + globals).joined(separator: " "))'
                    return
                fi
                declare -F "$command" >/dev/null || {
                    _\(name)_offer words
                    return
                }
                # Bash takes --name=value apart into three words.
                if [[ $current == = ]]; then
                    attached=yes current=''
                elif [[ $before == = ]]; then
                    attached=yes before=${COMP_WORDS[COMP_CWORD - 2]}
                fi
                for ((index = 2; index < COMP_CWORD; index++)); do
                    value=''
                    case ${COMP_WORDS[index]} in
                    --) ended=yes; break ;;
                    =) ((index++)) ;;
                    -?*)
                        "$command" "${COMP_WORDS[index]}"
                        [[ -z $value || ${COMP_WORDS[index + 1]} == = ]] || ((index++)) ;;
                    *) ((place++)) ;;
                    esac
                done
                [[ -z $ended ]] || ((place += COMP_CWORD - index - 1))
                value=''
                "$command" "${ended:+--}${ended:-$before}"
                if [[ -n $value ]]; then
                    _\(name)_offer "$value"
                elif [[ -z $ended && $current == -* ]]; then
                    given=" ${COMP_WORDS[*]:0:COMP_CWORD} ${COMP_WORDS[*]:COMP_CWORD + 1} "
                    for group in $once; do
                        for option in ${group//|/ }; do
                            [[ $given != *" $option "* ]] || continue 2
                        done
                        names+=" ${group//|/ }"
                    done
                    _\(name)_offer "words$names ${again//|/ }"
                else
                    _\(name)_offer "${operands[place]:-$more}"
                fi
            }

            # Offers files, folders, or the words that follow "words".
            _\(name)_offer() {
                case $1 in
                files) ;;
                folders) compopt +o default -o dirnames 2>/dev/null ;;
                *)
                    compopt +o default 2>/dev/null
                    COMPREPLY=($(compgen -W "${1#words}" -- "$current")) ;;
                esac
            }

            \(program.commands.map { function($0, program) }.joined(separator: "\n"))

            complete -o default -F _\(name) \(name)

            """
    }

    /// The function with what is known about a command.
    private static func function(_ command: CommandSpec, _ program: ProgramSpec) -> String {
        func names(_ options: [OptionSpec]) -> String {
            let lines = CompletionText.lines(options.map { $0.names.joined(separator: "|") })
            return "'" + lines.joined(separator: "\n        ") + "'"
        }
        func shown(_ completion: Completion) -> String {
            switch completion {
            case .files: "files"
            case .folders: "folders"
            case .nothing: "words"
            case .words(let words): "'words \(words.joined(separator: " "))'"
            case .commands: "'words \(program.commands.map(\.name).joined(separator: " "))'"
            }
        }
        let operands = command.operandSpecs
        var lines = [
            "_\(program.name)_\(command.name)() {",
            "    once=\(names(command.options.filter { !$0.isRepeatable } + [.help]))",
            "    again=\(names(command.options.filter(\.isRepeatable)))",
            "    operands=(\(operands.map { shown($0.completion) }.joined(separator: " ")))",
            "    more=\(operands.last { $0.isRepeatable }.map { shown($0.completion) } ?? "words")",
        ]
        // A line for all options with the same values.
        var cases: [(value: String, names: [String])] = []
        for option in command.options where option.value != nil {
            let value = shown(option.completion)
            let text = option.impliedValue == nil ? value : "${attached:+\(value.filter { $0 != "'" })}"
            if let place = cases.firstIndex(where: { $0.value == text }) {
                cases[place].names += option.names
            } else {
                cases.append((text, option.names))
            }
        }
        if !cases.isEmpty {
            lines.append("    case $1 in")
            for (value, names) in cases {
                let patterns = CompletionText.lines(names, separator: " | ").joined(separator: " | \\\n        ")
                lines.append("    \(patterns)) value=\(value) ;;")
            }
            lines.append("    esac")
        }
        return (lines + ["}"]).joined(separator: "\n")
    }
}
