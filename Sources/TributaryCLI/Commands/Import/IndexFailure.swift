import TributarySQLite

/// Why the full-text index of an import was not made, whose rows are in the database.
struct IndexFailure: Error, CustomStringConvertible {
    let description: String

    /// The failure because of another error.
    init(_ cause: any Error) {
        let isStopped = (cause as? SQLiteError)?.code.primary == .interrupted
        let reason = isStopped ? "stopped" : ErrorText.of(cause)
        let remedy = cause is CommandError ? "the same command with other names in --search" : "the same command"
        description = "\(reason); everything read is committed, and \(remedy) makes the full-text index"
    }
}
