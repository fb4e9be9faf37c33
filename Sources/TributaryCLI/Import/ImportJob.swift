import Tributary
import TributaryGraph
import TributaryJSON

/// An import that can be run, watched and stopped, whatever its columns come from.
protocol ImportJob: Sendable {
    /// The manager of the database.
    var manager: ContextManager { get }
    /// The books so far.
    var summary: ImportSummary { get }
    /// What it is doing, in words.
    var phase: String { get }
    /// Bytes taken from the sources so far, as they are stored.
    var storedBytes: Int { get }
    /// What each source was found to be.
    var sourceReports: [SourceReport] { get }
    /// Runs it on the calling thread.
    func perform() throws -> ImportOutcome
    /// Lets it stop behind the chunk at hand.
    func cancel()
}

extension ImportJob {
    /// Closes the database, so that it is one file again.
    ///
    /// Commands run on the main thread.
    func close() { MainActor.assumeIsolated { manager.close() } }
}
