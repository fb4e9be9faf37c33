/// How rejected records are imported again; what is nil is as it was when they were rejected.
public struct RetryOptions: Sendable {
    /// What the records become that name no entity, and all of them where the run had but one.
    public var entity: String?
    /// The attributes of the key.
    public var key: [String]?
    /// Where their values stand in a record.
    public var remoteKey: [RemoteKey]?
    /// What is done with keys that exist already.
    public var mode: ImportMode?
    /// The member under which a record finds its own key.
    public var keyName: String?
    /// How it is done otherwise: pace, memory, limits, dry run.
    ///
    /// Its mode, paths, limit, file of rejects and error policy do not count.
    public var importing = ImportOptions()

    /// The defaults.
    public init() {}
}
