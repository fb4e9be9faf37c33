public import Foundation

package import TributaryJSON

/// The entry of the journal for a run of an import.
public struct JournalEntry: Sendable, Codable {
    /// The state of a run.
    public enum State: String, Sendable, Codable, CaseIterable {
        /// It is running, or was killed.
        case running
        /// It has read everything.
        case finished
        /// It ended with an error.
        case failed
        /// It was stopped.
        case stopped
        /// It was not finished, and a later run of the import began from the start.
        case abandoned
        /// Its changes were undone.
        case undone

        /// Whether it can be resumed.
        public var isUnfinished: Bool { self == .running || self == .failed || self == .stopped }
    }

    /// The current work of a run.
    package enum Phase: String, Sendable, Codable {
        /// Reading records and writing rows.
        case load
        /// Moving loaded rows into their tables, and applying records that were held back.
        case publishing
        /// None: the run has finished.
        case done
    }

    /// An entity, and the path and key of its records.
    public struct Route: Sendable, Hashable, Codable {
        /// The entity.
        public package(set) var entity: String
        /// The path of its records; nil if it was detected.
        public package(set) var path: String?
        /// The key as `ImportKey.texts`; nil if each record inserts a row.
        package var key: [String]?
        /// How values become those of inferred columns; nil for a model.
        package var inference: ColumnInference?
        /// The settings of a table that another program made; nil for a table of this library.
        package var table: ExistingTable?
        /// The filter of its records; nil for all of them.
        package var filter: String?

        /// Whether a column has the names of the sources.
        var storesSource: Bool { (table?.shaping ?? inference?.shaping)?.source != nil }

        package init(
            entity: String, path: String? = nil, key: [String]? = nil, inference: ColumnInference? = nil,
            table: ExistingTable? = nil, filter: String? = nil
        ) {
            (self.table, self.filter) = (table, filter)
            self.entity = entity
            self.path = path
            self.key = key
            self.inference = inference
        }
    }

    /// The number of the run.
    public package(set) var run: Int
    /// The identity of the import.
    package var identity: ImportIdentity
    /// Its state.
    public package(set) var state = State.running
    /// The current work.
    package var phase = Phase.load
    /// When it began.
    public package(set) var started: Date
    /// When the entry was last written.
    public package(set) var updated: Date
    /// The sources, in their order.
    package var sources: [SourceFingerprint]
    /// Where reading resumes; nil if nothing has been committed.
    package var checkpoint: Checkpoint?
    /// The counts.
    public package(set) var summary = ImportSummary()
    /// Records read, and parts that could not be read as records, as `ImportOptions.limit` counts them.
    package var records = 0
    /// Bytes read from the sources before the one at the checkpoint.
    package var earlierBytes = 0
    /// Whether it emptied the tables first.
    package var truncates: Bool?
    /// Whether the store keeps what it has changed; a migration removes this member from the stored text.
    package var keepsChanges: Bool?
    /// Why it failed.
    public package(set) var failure: String?

    /// The entry of a new run.
    package init(run: Int, identity: ImportIdentity, started: Date, updated: Date, sources: [SourceFingerprint]) {
        (self.run, self.identity, self.started, self.updated, self.sources) = (run, identity, started, updated, sources)
        summary.run = run
    }

    /// Whether the run can resume where it has ended, and need not start over.
    var isResumable: Bool { state.isUnfinished && (checkpoint != nil || phase != .load) }

    /// The names of the sources, absolute paths for files.
    public var sourceNames: [String] { identity.sources }
    /// The entities, and the paths of their records.
    public var routes: [Route] { identity.routes }
    /// Whether another program made a table that the run fills.
    package var hasForeignTable: Bool { routes.contains { $0.table != nil } }
    /// How records with existing keys were handled.
    public var mode: ImportMode { identity.mode }
}
