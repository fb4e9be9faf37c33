/// An option of a command, as the parser and the help know it.
package struct OptionSpec: Sendable {
    /// The names, the main one first: `--limit`, `-n`.
    package let names: [String]
    /// What the value is called in the help; nil for a switch.
    let value: String?
    package let help: String

    init(_ names: String..., value: String? = nil, help: String) {
        self.names = names
        self.value = value
        self.help = help
    }

    var name: String { names[0] }
}
