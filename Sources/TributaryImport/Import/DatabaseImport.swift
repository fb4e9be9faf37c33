import Foundation
import TributaryConcurrency
public import TributaryJSON

/// An import into a database, whichever it is: a ``StreamImport``, or one into PostgreSQL.
open class DatabaseImport: BackgroundOperation, @unchecked Sendable {
    // Mutable state is protected by the locks of `watch` and `state`.

    /// The sources, in their order.
    public let sources: [any ByteSource]
    /// The settings.
    public let options: ImportOptions
    package let watch = ImportWatch()
    private let state = Guarded<(known: [String], outcome: ImportOutcome?)>(([], nil))

    /// An import of `sources`.
    package init(of sources: [any ByteSource], options: ImportOptions) {
        (self.sources, self.options) = (sources, options)
        super.init()
    }

    // MARK: Watching

    /// The counts of the committed records, of all processes as far as they are known.
    public var summary: ImportSummary { watch.summary }
    /// The current work.
    public var phase: ImportPhase { watch.phase }
    /// Stored bytes read from the sources so far.
    public var storedBytes: Int { watch.reader?.report.storedBytes ?? 0 }
    /// The detected layouts of the sources.
    public var sourceReports: [SourceReport] { watch.reader?.report.sources ?? [] }

    /// The names of the sources that an import without a key leaves out: they are in the tables already, and unchanged.
    public package(set) var knownSources: [String] {
        get { state.withLock { $0.known } }
        set { state.withLock { $0.known = newValue } }
    }

    /// The outcome; nil before the end, and after an error.
    public package(set) var outcome: ImportOutcome? {
        get { state.withLock { $0.outcome } }
        set { state.withLock { $0.outcome = newValue } }
    }

    // MARK: Running

    /// Stops after the current group of records; committed records stay.
    open override func cancel() {
        super.cancel()
        watch.stop()
    }

    /// Runs the import on the thread of its queue.
    open override func work() throws {
        if case .stopped = try perform(), !isCancelled { cancel() }
    }

    /// Runs the import on the calling thread.
    ///
    /// - Throws: `ImportError`, `JSONError`, or an error of the database; committed records stay, and the import can be
    ///   resumed.
    open func perform() throws -> ImportOutcome { fatalError("\(type(of: self)) does not override perform()") }
}
