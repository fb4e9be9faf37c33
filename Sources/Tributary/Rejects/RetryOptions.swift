/// The settings of a retry; nil stands for the setting of the run that rejected the records.
public struct RetryOptions: Sendable {
    /// The entity of records that name none, or of all records if the run had only one entity.
    public var entity: String?
    /// The attributes of the key.
    public var key: [String]?
    /// The paths of their values in a record.
    public var remoteKey: [RemoteKey]?
    /// How records with existing keys are handled.
    public var mode: ImportMode?
    /// The name of the member for a record's own key.
    public var keyName: String?
    /// The other settings: pace, memory, limits, dry run.
    ///
    /// Its mode, paths, limit, file of rejects and error policy are ignored.
    public var importing = ImportOptions()

    /// The defaults.
    public init() {}
}
