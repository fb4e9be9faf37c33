/// The description of a command for the parser and the help.
package struct CommandSpec: Sendable {
    package let name: String
    package let summary: String
    /// The part of the usage line after the name.
    package let operands: String
    package let examples: [String]
    package let discussion: String
    package let options: [OptionSpec]

    func option(_ name: String) -> OptionSpec? { options.first { $0.names.contains(name) } }
}
