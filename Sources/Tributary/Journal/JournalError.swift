/// Why an import cannot go on from what the journal knows.
package struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable name for a kind of trouble.
    package enum Code: String, Sendable {
        /// The source is not the one that the unfinished import has read.
        case sourceChanged = "source.changed"
        /// The unfinished import keeps its rejects elsewhere.
        case rejectsMoved = "rejects.moved"
        /// The import is under way already, in this process.
        case running = "import.running"
        /// A row of the journal cannot be read.
        case unreadable = "journal.unreadable"
    }

    /// What kind of trouble it is.
    package let code: Code
    /// What is wrong.
    package let reason: String
    /// How to go on.
    package let hint: String

    init(_ code: Code, _ reason: String, hint: String) {
        self.code = code
        self.reason = reason
        self.hint = hint
    }

    /// The whole sentence: what is wrong, and how to go on.
    package var description: String { "\(reason); \(hint)" }
}
