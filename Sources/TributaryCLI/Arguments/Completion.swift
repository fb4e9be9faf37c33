/// What a shell can offer for an operand or the value of an option.
package enum Completion: Sendable, Equatable {
    case nothing, files, folders
    /// The names of the commands.
    case commands
    case words([String])
}
