/// A command, as the parser and the help know it.
package struct CommandSpec: Sendable {
    package let name: String
    package let summary: String
    /// What follows the name in the usage line.
    let operands: String
    let examples: [String]
    let discussion: String
    package let options: [OptionSpec]

    func option(_ name: String) -> OptionSpec? { options.first { $0.names.contains(name) } }
}
