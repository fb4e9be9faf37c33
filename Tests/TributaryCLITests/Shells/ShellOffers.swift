import Foundation
import TributaryTestSupport

/// What a shell offers for the last word of command lines, when the key Tab is pressed.
///
/// bash gets its words from a function that stands for readline, zsh runs in a pseudo-terminal, fish tells it itself.
struct ShellOffers {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    private let folder: TemporaryFolder
    /// The files in the working directory.
    static let files = ["a.sqlite", "b.json", "sub"]

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("work/sub"), withIntermediateDirectories: true)
        for name in ["a.sqlite", "b.json"] { _ = try folder.write([], to: "work/" + name) }
    }

    /// The words for each line, sorted; with `described` each with a tab and its description, where the shell has any.
    func offers(_ shell: Shell, script: String, _ lines: [String], described: Bool = false) throws -> [[String]] {
        let outcome = try output(shell, script: script, lines)
        var found: [[String]] = []
        for line in outcome.text.split(separator: "\n", omittingEmptySubsequences: true) {
            if line.hasPrefix("= ") {
                found.append([])
            } else if !found.isEmpty {
                found[found.count - 1].append(String(line))
            }
        }
        guard found.count == lines.count else {
            throw Failure(description: "\(shell): \(outcome.text)\(outcome.error)")
        }
        return zip(found, lines).map { words, line in
            // fish offers the whole word of an option with its value, a folder with its slash, and an option whose value
            // can be left out also with its sign.
            let attached = line.firstMatch(of: /--[a-z-]+=/).map { String($0.output) } ?? ""
            let shown = words.map { word in
                let parts = word.split(separator: "\t", maxSplits: 1).map(String.init)
                let name = parts[0].hasPrefix(attached) ? String(parts[0].dropFirst(attached.count)) : parts[0]
                let rest = described && parts.count > 1 ? "\t" + parts[1] : ""
                return (name.hasSuffix("/") || name.hasSuffix("=") ? String(name.dropLast()) : name) + rest
            }
            // zsh offers options for an empty word that can be nothing else.
            .filter { shell != .zsh || !line.hasSuffix(" ") || !$0.hasPrefix("-") }
            return Set(shown).sorted()
        }
    }

    private func output(_ shell: Shell, script: String, _ lines: [String]) throws -> Tool.Outcome {
        for (name, text) in [
            ("lines", lines.joined(separator: "\n") + "\n"), ("script", script), ("program", Self.program(of: shell)),
        ] { _ = try folder.write(text.utf8, to: name) }
        let options = shell == .bash ? "" : shell == .zsh ? "-f" : "--no-config"
        // Nothing of the user's own settings is read or written.
        let line = "HOME='\(folder.path("."))' TERM=dumb LC_ALL=C.UTF-8 exec \(shell.rawValue) \(options) ../program"
        return try Tool.shell(line, in: folder.url.appending(path: "work"))
    }

    private static func program(of shell: Shell) -> String {
        switch shell {
        case .bash:
            #"""
            . ../script
            complete -p tributary >/dev/null || exit
            compopt() { case "$*" in *dirnames*) default=sub ;; *) default='' ;; esac; }
            while IFS= read -r line; do
                echo "= $line"
                # readline makes words of the signs of COMP_WORDBREAKS, of which only = is in these lines.
                read -ra COMP_WORDS <<<"${line//=/ = }"
                [[ $line != *' ' ]] || COMP_WORDS+=('')
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) default='a.sqlite b.json sub'
                COMPREPLY=()
                _tributary
                ((${#COMPREPLY[@]})) || COMPREPLY=($(compgen -W "$default" -- "${COMP_WORDS[COMP_CWORD]#=}"))
                printf '%s\n' "${COMPREPLY[@]}"
            done <../lines
            """#
        case .zsh:
            #"""
            if [[ ! -o interactive ]]; then
                zmodload zsh/zpty
                : >../offers
                zpty terminal zsh -f -i
                zpty -w terminal 'source ../program'
                zpty -w -n terminal $'\C-t'
                while zpty -r terminal text; do :; done 2>/dev/null
                cat ../offers
                exit
            fi
            # Descriptions are as long as the terminal is wide.
            COLUMNS=1000 tab=$'\t'
            autoload -U compinit
            compinit -u -D
            source ../script
            # Writes what would be added; calls with -O, -A or -D add nothing.
            compadd() {
                local -a found texts
                local place
                if [[ " $* " != *" -"[OAD]" "* ]]; then
                    place=${@[(I)-(|?|??)d]}
                    ((place)) && texts=("${(@P)@[place+1]}")
                    builtin compadd -O found "$@"
                    for ((place = 1; place <= $#found; place++)); do
                        print -r -- "$found[place]${texts[place]:+$tab$texts[place]}" >>../offers
                    done
                fi
                builtin compadd "$@"
            }
            tell() {
                local line
                for line in "${(@f)$(<../lines)}"; do
                    BUFFER=$line CURSOR=$#line
                    print -r -- "= $line" >>../offers
                    zle offer
                done
                exit
            }
            zle -C offer list-choices _main_complete
            zle -N tell
            bindkey '^T' tell
            """#
        case .fish:
            #"""
            source ../script
            while read -l line
                echo "= $line"
                complete -C "$line"
            end <../lines
            """#
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
