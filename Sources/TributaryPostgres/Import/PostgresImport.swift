public import Foundation
public import Tributary
import TributaryConcurrency
import TributaryStore
public import TributaryJSON
public import TributaryModel

/// Imports the records of sources into tables of PostgreSQL, with the promises of an import into a store.
///
///     let address = try PostgresAddress("postgres://app@db.example.com/app")
///     let feed = PostgresImport(into: address, from: [.file("users.json.gz")], routes: [.inferred("users", key: "id")])
///     queue.addOperation(feed)
///
/// Each group of records is one transaction together with its rejects and the position after it, so a stopped import
/// resumes after its last commit, from any machine. Records become rows by a model and its mapping, by the columns of an
/// existing table, or by columns that are inferred by a first reading. Contexts and setters are for stores.
public final class PostgresImport: Operation, @unchecked Sendable {
    // Mutable state is protected by the locks of `watch`, `ended` and `failure`.

    /// The database.
    public let address: PostgresAddress
    /// The sources, in their order.
    public let sources: [any ByteSource]
    /// The options.
    public let options: ImportOptions
    /// The connections and processes.
    public let settings: PostgresSettings
    let routes: [ImportRoute]
    let model: Model?
    let watch = ImportWatch()
    private let known = Guarded<[String]>([])
    private let ended = Guarded<ImportOutcome?>(nil)
    private let failure = Guarded<(any Error)?>(nil)

    /// An import of `sources`; without a model columns are inferred, or are those of the tables.
    public init(
        into address: PostgresAddress, from sources: [any ByteSource], routes: [ImportRoute], model: Model? = nil,
        options: ImportOptions = ImportOptions(), settings: PostgresSettings = PostgresSettings()
    ) {
        (self.address, self.sources, self.routes, self.model) = (address, sources, routes, model)
        (self.options, self.settings) = (options, settings)
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
    public var knownSources: [String] { known.withLock { $0 } }
    /// The outcome; nil before the end, and after an error.
    public var outcome: ImportOutcome? { ended.withLock { $0 } }
    /// The error; nil if there is none.
    public var error: (any Error)? { failure.withLock { $0 } }

    // MARK: Running

    /// Runs the import on the thread of its queue.
    public override func main() {
        do {
            if case .stopped = try perform(), !isCancelled { cancel() }
        } catch {
            failure.withLock { $0 = error }
        }
    }

    /// Stops after the current group; committed records stay.
    public override func cancel() {
        super.cancel()
        watch.stop()
    }

    /// Runs the import on the calling thread.
    ///
    /// - Throws: `ImportError`, `JSONError`, `PostgresError`; committed records stay, and the import can be resumed.
    public func perform() throws -> ImportOutcome {
        try checkOptions()
        var control = try settings.connect(address, role: "control")
        defer { control.close() }
        try retrying(&control, evenUnknown: true) { try JournalTables.create(on: $0) }
        let rejects = try options.rejects.map { path in
            try RejectsFile(path: path, besides: protectedFiles, of: sources, on: control)
        }
        let outcome: ImportOutcome
        // A run that must be new cannot be distinguished from one that a lost commit has made.
        let beginning = try retrying(&control, evenUnknown: options.resuming != .never) {
            try RunStart(self, $0).begin()
        }
        switch beginning {
        case .finished(let run, let names):
            known.withLock { $0 = names }
            outcome = .alreadyFinished(run.entry.summary)
        case .work(let work, let names):
            known.withLock { $0 = names }
            let result = Result { try work.perform() }
            if let rejects { try export(rejects, of: work.run, &control) }
            outcome = try result.get()
        }
        if case .alreadyFinished(let summary) = outcome, let rejects { try export(rejects, of: summary.run, &control) }
        watch.summary = outcome.summary
        watch.phase = .finished
        ended.withLock { $0 = outcome }
        return outcome
    }

    /// Calls `body`, again on a new connection if one is lost; after a commit without an answer only if `body` finds what it
    /// has done.
    private func retrying<Result>(
        _ control: inout PostgresConnection, evenUnknown: Bool, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        var failures = 0
        while true {
            do {
                if control.isBroken { control = try settings.connect(address, role: "control") }
                return try body(control)
            } catch let error as PostgresError
                where (error.isRetryable || error.code == .unreachable || evenUnknown && error.code == .commitUnknown)
                && failures < RunWork.attempts && !watch.isStopped
            {
                failures += 1
                Thread.sleep(forTimeInterval: min(5, 0.05 * Double(1 << min(failures, 7))))
            }
        }
    }

    private func export(_ file: RejectsFile, of run: Int, _ control: inout PostgresConnection) throws {
        // The import may have ended on another connection, or without one.
        if control.isBroken {
            guard let new = try? settings.connect(address, role: "control") else { return }
            control = new
        }
        try file.export(run: run, on: control)
    }

    /// The files that the file of rejects must not overwrite.
    private var protectedFiles: [(name: String, path: String)] {
        sources.compactMap { source in source.file.map { ("the source \(source.name)", $0.path) } }
    }

    /// Throws if an option or a route is for stores only.
    private func checkOptions() throws {
        let only = [
            (options.sync != nil, "a sync, which deletes rows"), (options.isUndoable, "keeping changes to undo them"),
            (options.isDryRun, "a dry run"), (options.truncates, "emptying tables first"),
        ]
        if let (_, what) = only.first(where: \.0) {
            throw ImportError(
                .misuse, "\(what) is not for PostgreSQL", hint: "leave it out, or import into SQLite")
        }
        guard options.onError == .quarantine || options.rejects == nil else {
            throw ImportError(
                .misuse, "a file of rejects is named, but only quarantine keeps rejects",
                hint: "set onError to .quarantine, or remove rejects")
        }
        guard !routes.isEmpty else {
            throw ImportError(.route, "the import has no route", hint: "add an ImportRoute")
        }
        if let route = routes.first(where: \.hasSetter) {
            throw ImportError(
                .setter, "the route of \(route.entityName) has a setter, which needs the objects of a store",
                hint: "import rows with a mapping, or import into SQLite")
        }
        guard Set(routes.map(\.entityName)).count == routes.count else {
            throw ImportError(
                .route, "two routes lead to one table", hint: "import them one after the other")
        }
        let hasPaths = routes.allSatisfy { $0.path != nil }
        guard routes.count == 1 || hasPaths || routes.dropLast().allSatisfy(\.hasCondition) else {
            throw ImportError(
                .route, "several routes need a path each", hint: "pass `at:` to each route, or a condition with `when`")
        }
        if model == nil, let route = routes.first(where: { $0.inference == nil && $0.table == nil }) {
            throw ImportError(
                .route, "the columns of \(route.entityName) are unknown", hint: "pass a model, or infer columns")
        }
        if model != nil, let route = routes.first(where: { $0.inference != nil || $0.table != nil }) {
            throw ImportError(
                .route, "the columns of \(route.entityName) are those of the model", hint: "use a route of rows")
        }
    }
}
