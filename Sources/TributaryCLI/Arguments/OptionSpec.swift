/// An option of a command, as the parser and the help know it.
struct OptionSpec: Sendable {
    /// The names, the main one first: `--limit`, `-n`.
    let names: [String]
    /// What the value is called in the help; nil for a switch.
    let value: String?
    let help: String

    init(_ names: String..., value: String? = nil, help: String) {
        self.names = names
        self.value = value
        self.help = help
    }

    var name: String { names[0] }
}

/// A command, as the parser and the help know it.
struct CommandSpec: Sendable {
    let name: String
    let summary: String
    /// What follows the name in the usage line.
    let operands: String
    let examples: [String]
    let discussion: String
    let options: [OptionSpec]

    func option(_ name: String) -> OptionSpec? { options.first { $0.names.contains(name) } }
}
