import Tributary
import TributaryJSON

/// A job whose progress and sources are shown.
protocol WatchedJob: Sendable {
    /// Records read and rejected so far.
    var counts: (read: Int, rejected: Int) { get }
    /// The phase of the job.
    var phase: ImportPhase { get }
    /// Stored bytes read from the sources so far.
    var storedBytes: Int { get }
    /// The detected layout of each source.
    var sourceReports: [SourceReport] { get }
}

extension DatabaseImport: WatchedJob {
    var counts: (read: Int, rejected: Int) { (summary.read, summary.rejected) }
}
