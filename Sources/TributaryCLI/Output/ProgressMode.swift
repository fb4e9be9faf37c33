/// When the progress of a command is shown.
package enum ProgressMode: String, Sendable, CaseIterable {
    /// Only on a terminal.
    case auto
    /// On a terminal, and elsewhere as separate lines.
    case always
    case never
}
