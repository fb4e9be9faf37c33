/// How an import is done; none of it but the mode, the limit and what is rejected changes the result.
public struct ImportOptions: Sendable {
    /// What is done with keys that are there already.
    public var mode = ImportMode.upsert
    /// How the sources are read.
    ///
    /// Paths belong to the routes: an import refuses `paths` here where a route has one. `queueBytes` is a bound besides
    /// `maxMemory`; the smaller one holds.
    public var reading = ReadOptions()
    /// Records prepared together: `reading.chunkRecords` by another name.
    public var batchSize: Int {
        get { reading.chunkRecords }
        set { reading.chunkRecords = max(1, newValue) }
    }
    /// Chunks prepared at the same time; nil for as many as there are processors.
    public var jobs: Int?
    /// The memory that an import may take, in bytes, with some 24 MiB of a process that does nothing else; at
    /// least 32 MiB count.
    public var maxMemory = 128 << 20
    /// What happens to a record that cannot be read or imported: `reading.onError` by another name.
    public var onError: ErrorPolicy {
        get { reading.onError }
        set { reading.onError = newValue }
    }
    /// When there are too many of them; nil for any number.
    public var maxErrors: ErrorLimit?
    /// A file to which the rejects of the run are written when it ends or is stopped, one JSON object a line; under
    /// quarantine they are kept in the store as well.
    public var rejects: String?
    /// The most records that are read; nil for all.
    public var limit: Int?
    /// What is done when the journal knows the import.
    public var resuming = Resuming.never
    /// Everything is done and then undone; the file of rejects is written before.
    public var isDryRun = false

    /// What an import does that the journal knows.
    public enum Resuming: String, Sendable {
        /// A new run from the beginning.
        case never
        /// An unfinished import goes on behind its last commit; a finished one of the same source does nothing.
        case resume
        /// As `resume`, but a finished one runs again.
        case again
        /// An unfinished import begins anew.
        case restart
    }

    /// The defaults.
    public init() {}
}
