import TributarySQLite

/// Why an index of an import was not made, whose rows are in the database.
struct IndexFailure: Error, CustomStringConvertible {
    let description: String

    /// The same for a staged import, whose copy is discarded.
    var ofCopy: IndexFailure { IndexFailure("\(description); this import is staged, so nothing was written back") }

    /// The failure for a reason, which says what to do.
    init(_ reason: String) { description = reason }

    /// The failure because of another error; `index` is what was not made, and `option` asks for it.
    init(_ cause: any Error, of index: String, _ option: String) {
        if let failure = cause as? IndexFailure {
            self = failure
            return
        }
        let isStopped = (cause as? SQLiteError)?.code.primary == .interrupted
        let reason = isStopped ? "stopped" : ErrorText.of(cause)
        let remedy = cause is CommandError ? "the same command with other names in \(option)" : "the same command"
        description = "\(reason); everything read is committed, and \(remedy) makes \(index)"
    }
}
