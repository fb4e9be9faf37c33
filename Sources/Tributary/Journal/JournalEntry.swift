#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

package import TributaryJSON

/// What the journal knows of a run.
package struct JournalEntry: Sendable, Codable {
    /// How a run stands.
    package enum State: String, Sendable, Codable, CaseIterable {
        /// It runs, or was killed.
        case running
        /// It did all that was asked for.
        case finished
        /// It has met an error.
        case failed
        /// Somebody has stopped it.
        case stopped
        /// It was not finished, and the import has begun anew.
        case abandoned

        /// Whether it may go on.
        package var isUnfinished: Bool { self == .running || self == .failed || self == .stopped }
    }

    /// What a run is doing.
    package enum Phase: String, Sendable, Codable {
        /// Reading records and writing rows.
        case load
        /// Building the indexes that a first load has left out.
        case indexes
        /// Applying the records that a first load has set aside.
        case aside
        /// Nothing any more.
        case done
    }

    /// A file of rejects, and how many of its bytes belong to what is committed.
    package struct Rejects: Sendable, Codable, Hashable {
        package var path: String
        package var length = 0
        /// The hash of these bytes.
        package var hash: String?

        package init(path: String) { self.path = path }
    }

    /// The number of the run.
    package var run: Int
    /// What is imported how.
    package var identity: ImportIdentity
    /// How it stands.
    package var state = State.running
    /// What it is doing.
    package var phase = Phase.load
    /// When it began.
    package var started: Date
    /// When it was written to the journal last.
    package var updated: Date
    /// The sources, in their order.
    package var sources: [SourceFingerprint]
    /// Where reading goes on; nil if nothing has been committed.
    package var checkpoint: Checkpoint?
    /// The books.
    package var summary = ImportSummary()
    /// Records that were read, without the parts that are none: what a limit counts.
    package var records = 0
    /// Where rejects are kept.
    package var rejects: Rejects?
    /// What earlier runs have left there, until this one has committed something.
    package var earlierRejects: Rejects?
    /// Why it failed.
    package var failure: String?
}
