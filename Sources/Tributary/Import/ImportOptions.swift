/// The settings of an import; those about pace and memory never change its result.
public struct ImportOptions: Sendable {
    /// How records with existing keys are handled.
    public var mode = ImportMode.upsert
    /// The settings of reading.
    ///
    /// Paths belong to the routes: an import refuses `paths` here if a route has one. Of `queueBytes` and `maxMemory`
    /// the smaller limit applies.
    public var reading = ReadOptions()
    /// Records prepared together: `reading.chunkRecords` by another name.
    public var batchSize: Int {
        get { reading.chunkRecords }
        set { reading.chunkRecords = max(1, newValue) }
    }
    /// Chunks prepared at the same time; nil for as many as there are processors.
    public var jobs: Int?
    /// The memory of a process that imports, in bytes, including some 24 MiB of the process itself; at least 32 MiB.
    public var maxMemory = 128 << 20
    /// How a record that cannot be read or imported is handled: `reading.onError` by another name.
    public var onError: ErrorPolicy {
        get { reading.onError }
        set { reading.onError = newValue }
    }
    /// The limit of rejects beyond which the import fails; nil for no limit.
    public var maxErrors: ErrorLimit?
    /// A file to which the rejects of the run are written when it ends or is stopped, one JSON object a line; under
    /// quarantine they are kept in the store as well.
    public var rejects: String?
    /// The most records that are read; nil for all.
    public var limit: Int?
    /// What to do about an earlier run of the same import.
    public var resuming = Resuming.never
    /// Whether everything is rolled back at the end; the file of rejects is written all the same.
    public var isDryRun = false

    /// What to do about an earlier run of the same import in the journal.
    public enum Resuming: String, Sendable {
        /// A new run from the beginning.
        case never
        /// An unfinished import resumes after its last commit; a finished one of unchanged sources does nothing.
        case resume
        /// As `resume`, but a finished import runs again.
        case again
        /// As `resume`, but an unfinished import begins from the start.
        case restart
    }

    /// The defaults.
    public init() {}
}
