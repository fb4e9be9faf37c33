/// The description of an option for the parser and the help.
package struct OptionSpec: Sendable {
    /// The names, the main one first: `--limit`, `-n`.
    package let names: [String]
    /// The name of the value in the help; nil for a switch.
    let value: String?
    package let help: String

    init(_ names: String..., value: String? = nil, help: String) {
        self.names = names
        self.value = value
        self.help = help
    }

    var name: String { names[0] }
}
