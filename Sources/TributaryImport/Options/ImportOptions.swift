/// The settings of an import; the number of jobs, the batch size and the memory limit never change its result.
public struct ImportOptions: Sendable {
    /// How records with existing keys are handled.
    public var mode = ImportMode.upsert
    /// Whether rows are deleted that the feed no longer holds, and how; nil to delete none.
    ///
    /// It needs a key, and the mode `upsert` or `replace`.
    public var sync: SyncOptions?
    /// The settings of reading.
    ///
    /// Paths belong to the routes: an import refuses `paths` here if a route has one. Of `queueBytes` and `maxMemory`
    /// the smaller limit applies.
    public var reading = ReadOptions()
    /// The number of records that are prepared together; the same setting as `reading.chunkRecords`.
    public var batchSize: Int {
        get { reading.chunkRecords }
        set { reading.chunkRecords = max(1, newValue) }
    }
    /// The number of batches that are prepared, and of parsers that read, at the same time; nil for one per processor.
    public var jobs: Int?
    /// The memory limit of the process in bytes, at least 32 MiB, of which the program itself needs some 24 MiB.
    public var maxMemory = 128 << 20
    /// How a record that cannot be read or imported is handled; the same setting as `reading.onError`.
    public var onError: ErrorPolicy {
        get { reading.onError }
        set { reading.onError = newValue }
    }
    /// The limit of rejects beyond which the import fails; nil for no limit.
    ///
    /// It is refused if `onError` is `.stop`.
    public var maxErrors: ErrorLimit?
    /// What becomes of a reference to an object that is not there.
    package typealias Dangling = Mapping.Dangling

    /// How the rows of an import into an empty table are written.
    public var firstLoad = FirstLoad.automatic
    /// The mappings of entities; an entity that is not here has the mapping of its class or model.
    public var mappings = Mappings()
    /// What becomes of references to objects that are not there at the end of the import, unless a rule of their
    /// relationship says otherwise: see ``PropertyRule/dangling``.
    public var dangling = Mapping.Dangling.wait
    /// A file to which the rejects of the run are written when it ends or is stopped, one JSON object a line.
    ///
    /// They are copies of those in the store, so `onError` must be `.quarantine`.
    public var rejects: String?
    /// The maximum number of records to read, damaged ones included; nil for all.
    public var limit: Int?
    /// What to do about an earlier run of the same import.
    public var resuming = Resuming.never
    /// Whether an import without a key adds the records of sources whose content has changed.
    ///
    /// Without a key the records that were imported before cannot be recognized, so such an import otherwise fails. It
    /// matters only where `resuming` is not `.never`: other imports take their sources as they are.
    public var appendsChanged = false
    /// Whether the tables are emptied before the import, in the same transaction; it is not resumed.
    public var truncates = false
    /// Whether the store keeps what the run changes, so that it can be undone by ``Imports/undo(run:isDryRun:)``.
    ///
    /// The rows of an empty table are then written in groups. It is refused if `truncates`.
    public var isUndoable = false
    /// A file to which the changes of the run are written at its end, one JSON object a line; `isUndoable` must be true.
    public var changes: String?
    /// Whether all changes are rolled back at the end; only the file of rejects is still written.
    ///
    /// With a key all records are read and compared with their rows, whatever `resuming` is.
    public var isDryRun = false

    /// The rejects of the records in a retry, each of which gets its outcome in the transaction of its chunk; nil in any
    /// other import.
    package var pendingRejects: PendingRejects?
    /// What sees all records of a first load; nil for nothing.
    package var survey: (any RecordSurvey)?
    /// The memory for the filter of the keys of a load, and that in which they are sorted, each in bytes; nil for a share.
    package var loadBytes: Int?
    /// The fewest rows that each table of the routes must have at the end, or the import fails; nil for any number.
    package var leastRows: Int?

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

        /// Whether a finished import of unchanged sources does nothing.
        package var recognizesSources: Bool { self == .resume || self == .restart }
    }

    /// How the rows of an import into an empty table are written.
    public enum FirstLoad: Sendable {
        /// Directly from 16 MiB of sources on, as they are stored; in groups below, and if a size is unknown.
        case automatic
        /// Page by page into a file beside the database; all rows appear in the table at the end.
        ///
        /// It is much faster. It applies where a table is empty, its key is its only uniqueness constraint, and no
        /// setter takes the context; other imports are written in groups.
        case direct
        /// Each group of records appears when it is committed.
        case inGroups
    }

    /// The seconds that an import waits for other programs that write the database.
    package static let lockTimeout = 60.0

    /// The least size of sources that are loaded directly, in bytes.
    private static let directBytes = 16 << 20

    /// Whether an import of these sources fills empty tables page by page.
    package func loadsDirectly(_ sources: [any ByteSource]) -> Bool {
        guard !isDryRun, !truncates, !isUndoable, mode != .update else { return false }
        switch firstLoad {
        case .direct: return true
        case .inGroups: return false
        case .automatic:
            let sizes = sources.map(\.byteCount)
            return !sizes.contains(nil) && sizes.reduce(0) { $0 + ($1 ?? 0) } >= ImportOptions.directBytes
        }
    }

    /// The defaults.
    public init() {}
}
