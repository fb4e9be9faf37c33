public import TributaryStore
public import TributaryJSON

/// The settings of a retry; a setting that is nil has the value of the run that rejected the records.
public struct RetryOptions: Sendable {
    /// The entity of records that name none, or of all records if the run had only one entity.
    public var entity: String?
    /// The attributes of the key.
    public var key: [String]?
    /// The paths of the values of the key in a record.
    public var remoteKey: [RemoteKey]?
    /// How records with existing keys are handled.
    public var mode: ImportMode?
    /// The name of the member for a record's own key.
    public var keyName: String?
    /// The mappings of entities, as those of the import; an entity that is not here has the mapping of its model.
    public var mappings = Mappings()
    /// Records prepared together.
    public var batchSize = ImportOptions().batchSize
    /// Chunks prepared at the same time; nil for as many as there are processors.
    public var jobs: Int?
    /// The memory of a process that retries, as `ImportOptions.maxMemory`.
    public var maxMemory = ImportOptions().maxMemory
    /// The limits of a record; a record that is rejected again is kept with all its bytes.
    public var limits = ReadLimits()
    /// Bytes read at once.
    public var bufferBytes = ReadOptions().bufferBytes
    /// Whether everything is rolled back at the end.
    public var isDryRun = false

    /// The defaults.
    public init() {}
}
