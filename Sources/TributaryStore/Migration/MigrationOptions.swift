/// How stores of an earlier model are migrated to the model they are opened with.
public struct MigrationOptions: Sendable {
    /// Whether opening migrates a store whose model has changed; otherwise such a store is refused.
    public var isAutomatic = true
    /// Whether a migration may drop values, as of a removed attribute.
    public var dropsValues = false
    /// Versions of the model, in order: a store of one of them is migrated step by step to the model it is opened with.
    ///
    /// The order is followed in both directions. Without a version of the store, it is migrated in one step.
    public var versions: [Model] = []
    /// Attributes that closures compute.
    public var steps: [MigrationStep] = []
    /// Called before each part of a migration and after the last; an error that it throws ends and undoes the migration.
    public var progress: (@Sendable (MigrationProgress) throws -> Void)?

    /// The defaults.
    public init() {}
}
