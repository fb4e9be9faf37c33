/// The codes that the program ends with, as `--help` lists them.
enum ExitCode {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    /// A dry run that would change rows, or a comparison that tells differences.
    static let changes: Int32 = 2
    /// Finished, but records were rejected or could not be retried.
    static let attention: Int32 = 3
    static let usage: Int32 = 64
    static let closedPipe: Int32 = 141
}
