#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

package import TributaryJSON

/// What the journal knows of a run of an import.
public struct JournalEntry: Sendable, Codable {
    /// The state of a run.
    public enum State: String, Sendable, Codable, CaseIterable {
        /// It runs, or was killed.
        case running
        /// It did all that was asked for.
        case finished
        /// It has met an error.
        case failed
        /// It was stopped.
        case stopped
        /// It was not finished, and the import was begun from the start.
        case abandoned

        /// Whether it can be resumed.
        public var isUnfinished: Bool { self == .running || self == .failed || self == .stopped }
    }

    /// What a run is doing.
    package enum Phase: String, Sendable, Codable {
        /// Reading records and writing rows.
        case load
        /// Building the indexes that a first load has left out.
        case indexes
        /// Applying the records that a first load has held back.
        case heldBack
        /// Nothing any more.
        case done
    }

    /// Which records became what.
    public struct Route: Sendable, Hashable, Codable {
        /// The entity.
        public package(set) var entity: String
        /// Where its records are; nil if that was detected.
        public package(set) var path: String?
        /// The attributes of the key, as `ImportKey.texts` has them; nil for new rows only.
        package var key: [String]?

        package init(entity: String, path: String? = nil, key: [String]? = nil) {
            self.entity = entity
            self.path = path
            self.key = key
        }
    }

    /// The number of the run.
    public package(set) var run: Int
    /// What is imported how.
    package var identity: ImportIdentity
    /// Its state.
    public package(set) var state = State.running
    /// What it is doing.
    package var phase = Phase.load
    /// When it began.
    public package(set) var started: Date
    /// When it was written to the journal last.
    public package(set) var updated: Date
    /// The sources, in their order.
    package var sources: [SourceFingerprint]
    /// Where reading resumes; nil if nothing has been committed.
    package var checkpoint: Checkpoint?
    /// The counts.
    public package(set) var summary = ImportSummary()
    /// Records that were read, without the parts that are none: what a limit counts.
    package var records = 0
    /// Bytes read from the sources before the one at the checkpoint.
    package var earlierBytes = 0
    /// Why it failed.
    public package(set) var failure: String?

    /// The names of the sources, absolute paths for files.
    public var sourceNames: [String] { identity.sources }
    /// The entities that were filled.
    public var routes: [Route] { identity.routes }
    /// What was done with keys that existed already.
    public var mode: ImportMode { identity.mode }
}
