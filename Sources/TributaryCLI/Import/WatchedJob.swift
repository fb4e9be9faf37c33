import Tributary
import TributaryJSON

/// What the line of progress and the statements about sources are made of.
protocol WatchedJob: Sendable {
    /// Records read and rejected so far.
    var counts: (read: Int, rejected: Int) { get }
    /// What it is doing.
    var phase: ImportPhase { get }
    /// Bytes taken from the sources so far, as they are stored.
    var storedBytes: Int { get }
    /// What each source was found to be.
    var sourceReports: [SourceReport] { get }
}

extension StreamImport: WatchedJob {
    var counts: (read: Int, rejected: Int) { (summary.read, summary.rejected) }
}
