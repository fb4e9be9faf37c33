import TributaryImport
import TributaryJSON

/// A run in the journal of a database of PostgreSQL.
struct StoredRun: Sendable {
    /// The current work of a run.
    enum Phase: String, Sendable {
        /// Hashes of keys are collected, so that machines that share the work know those that several ranges have.
        case keys
        /// Records are read and written.
        case load
        /// The index is made, and records are applied whose keys may repeat.
        case held
        case done
    }

    let run: Int
    /// The identity of the run, its state, and its counts.
    var entry: JournalEntry
    /// The keys of tables that it has made, by their names: their indexes are made at the end.
    var indexes: [String: [String]]
    /// Whether it fills tables without an index.
    var loads: Bool { !indexes.isEmpty }
    /// Whether several processes share the work.
    var isShared: Bool
    var phase: Phase
}

/// A range of a run that this process works on.
struct ClaimedRange: Sendable {
    let number: Int
    /// The part of a file; nil for all sources.
    let range: RecordRange?
    /// Its counts, and the position after its last commit.
    var entry: JournalEntry
    /// The number of its commits.
    var commits: Int64
    /// The number of its claims: a commit of an earlier claim is refused.
    let epoch: Int64
}
