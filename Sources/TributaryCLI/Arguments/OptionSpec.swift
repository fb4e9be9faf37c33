/// The description of an option for the parser and the help.
package struct OptionSpec: Sendable {
    /// The names, the main one first: `--limit`, `-n`.
    package let names: [String]
    /// The name of the value in the help; nil for a switch.
    let value: String?
    /// Whether it can be given several times, each time with more names.
    let isRepeatable: Bool
    /// The value of an option that is given without one; nil if it needs a value.
    let defaultValue: String?
    package let help: String

    init(
        _ names: String..., value: String? = nil, isRepeatable: Bool = false, defaultValue: String? = nil, help: String
    ) {
        self.defaultValue = defaultValue
        self.names = names
        self.value = value
        self.isRepeatable = isRepeatable
        self.help = help
    }

    var name: String { names[0] }
}
