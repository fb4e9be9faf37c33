/// The description of a command for the parser and the help.
package struct CommandSpec: Sendable {
    package let name: String
    package let summary: String
    /// The part of the usage line after the name.
    package let operands: String
    package let examples: [String]
    package let discussion: String
    package let options: [OptionSpec]
    /// The names of the options that the short help shows; empty if it shows all.
    package let common: Set<String>
    /// Whether the first operand is a database.
    package let takesDatabase: Bool
    /// Why the command is not for PostgreSQL, and what to do instead; nil if it is.
    package let noPostgres: String?

    package init(
        name: String, summary: String, operands: String, examples: [String], discussion: String,
        options: [OptionSpec], common: Set<String> = [], noPostgres: String? = nil
    ) {
        (self.name, self.summary, self.operands, self.examples) = (name, summary, operands, examples)
        (self.discussion, self.options, self.common, self.noPostgres) = (discussion, options, common, noPostgres)
        takesDatabase = operands.split(separator: " ").contains("DB")
    }

    func option(_ name: String) -> OptionSpec? { options.first { $0.names.contains(name) } }

    /// The operands of the usage line, up to one that can be given several times: nothing tells what follows it.
    package var operandSpecs: [OperandSpec] {
        let words = operands.split(separator: " ").drop { $0 == "[OPTIONS]" }.prefix { !$0.hasPrefix("--") }
        let specs = words.map { OperandSpec(String($0)) }
        return Array(specs.prefix((specs.firstIndex(where: \.isRepeatable) ?? specs.count) + 1))
    }

    /// All names of options.
    var optionNames: [String] { options.flatMap(\.names) }
}
