/// When the progress of a command is told.
package enum ProgressMode: String, Sendable, CaseIterable {
    /// On a terminal.
    case auto
    /// Also where there is none: as lines of their own.
    case always
    case never
}
