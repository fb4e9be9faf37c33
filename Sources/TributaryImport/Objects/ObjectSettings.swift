package import TributaryStore

/// The settings of a run that matter to its objects.
package struct ObjectSettings: Sendable {
    package let store: SQLiteStore
    /// How records with existing keys are handled.
    package let mode: ImportMode
    /// How many bytes of a rejected record are kept.
    package let rejectedBytes: Int
    /// Whether the keys of rows that records have found are needed, to mark them.
    package let keepsSeenKeys: Bool
    /// Whether the first reject ends the import.
    package let stopsAtReject: Bool
    /// Whether a table that the import may write has triggers.
    package let hasTriggers: Bool
}
