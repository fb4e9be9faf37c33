import Foundation
public import TributaryImport
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
public final class PostgresImport: DatabaseImport, @unchecked Sendable {
    // All properties are constant.

    /// The database.
    public let address: PostgresAddress
    /// The connections and processes.
    public let settings: PostgresSettings
    let routes: [ImportRoute]
    let model: Model?
    /// What is known of the records, so that they need no first reading.
    let profile: DumpProfile?

    /// An import of `sources`; without a model columns are inferred, or are those of the tables.
    public convenience init(
        into address: PostgresAddress, from sources: [any ByteSource], routes: [ImportRoute], model: Model? = nil,
        options: ImportOptions = ImportOptions(), settings: PostgresSettings = PostgresSettings()
    ) {
        self.init(
            into: address, from: sources, routes: routes, model: model, profile: nil, options: options,
            settings: settings)
    }

    /// An import of `sources` with a profile, which tells the columns without a first reading.
    package init(
        into address: PostgresAddress, from sources: [any ByteSource], routes: [ImportRoute], model: Model?,
        profile: DumpProfile?, options: ImportOptions, settings: PostgresSettings
    ) {
        (self.address, self.routes, self.model, self.settings) = (address, routes, model, settings)
        self.profile = profile
        super.init(of: sources, options: options)
    }

    /// Runs the import on the calling thread.
    ///
    /// - Throws: `ImportError`, `JSONError`, `PostgresError`; committed records stay, and the import can be resumed.
    public override func perform() throws -> ImportOutcome {
        try checkOptions()
        var control = try settings.connect(address, role: "control")
        defer { control.close() }
        try retrying(&control, evenUnknown: true) { try JournalTables.create(on: $0) }
        let rejects = try options.rejects.map { path in
            try RejectsFile(path: path, besides: FilePath.sources(sources), of: sources, in: control)
        }
        let outcome: ImportOutcome
        // A run that must be new cannot be distinguished from one that a lost commit has made.
        let beginning = try retrying(&control, evenUnknown: options.resuming != .never) {
            try RunStart(self, $0).begin()
        }
        switch beginning {
        case .finished(let entry):
            outcome = .alreadyFinished(entry.summary)
            if let rejects { try export(rejects, of: entry.run, &control) }
        case .work(let work):
            let result = Result { try work.perform() }
            if let rejects { try export(rejects, of: work.run, &control) }
            outcome = try result.get()
        }
        watch.summary = outcome.summary
        watch.phase = .finished
        self.outcome = outcome
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
        try file.export(run: run, from: control)
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
        try options.check(routes)
        if let route = routes.first(where: \.hasSetter) {
            throw ImportError(
                .setter, "the route of \(route.entityName) has a setter, which needs the objects of a store",
                hint: "import rows with a mapping, or import into SQLite")
        }
        guard Set(routes.map(\.entityName)).count == routes.count else {
            throw ImportError(
                .route, "two routes lead to one table", hint: "import them one after the other")
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
