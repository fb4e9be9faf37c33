/// A run of the journal, and what belongs to it.
public struct RunStatus: Sendable {
    /// Its entry in the journal.
    public let entry: JournalEntry
    /// The number of its rejects that were not imported since.
    public let rejects: Int
    /// The names of the processes that work on it, on any machine; none for a file, which one process writes.
    public let workers: [String]
}

extension ImportStore {
    /// All runs, the oldest first, with their rejects and processes.
    package func status() throws -> [RunStatus] {
        let rejects = try rejectCounts()
        return try runs().map { entry in
            RunStatus(entry: entry, rejects: rejects[entry.run] ?? 0, workers: try workers(on: entry))
        }
    }
}
