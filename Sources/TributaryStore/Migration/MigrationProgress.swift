/// How far the migration of a store is.
public struct MigrationProgress: Sendable, Hashable {
    /// The database.
    public let store: String
    /// The part of the work that is done, from 0 to 1; parts may take different times.
    public let fraction: Double
}
