/// The description of the program, which the help, the man pages and the completions read.
package struct ProgramSpec: Sendable {
    package let name: String
    package let version: String
    /// The day of the version, as man pages show it.
    package let date: String
    /// What it does, as the end of a sentence that begins with its name.
    package let summary: String
    /// The commands, in the order of the help.
    package var commands: [CommandSpec]
    /// The options without a command.
    package let options: [OptionSpec]
    package let examples: [(line: String, meaning: String)]
    package let exitCodes: [(code: Int, meaning: String)]
    /// The variables of the environment that matter.
    package let environment: [(name: String, meaning: String)]
    /// The files that are read beside those of the command line.
    package let files: [(name: String, meaning: String)]
}
