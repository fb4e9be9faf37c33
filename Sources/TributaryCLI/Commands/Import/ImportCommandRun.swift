import TributaryImport
import TributaryPostgres

/// One run of `tributary import`.
struct ImportCommandRun {
    let command: ImportCommand
    let sources: [any ByteSource]
    let signals: StopSignals
    let output: OutputFile
    var console = Console()
    /// Whether the import has finished, and a staged one may be published.
    var isFinished = false
    /// Whether another program made the table.
    var isForeign = false
    /// The members of which was said that their objects stay JSON.
    private(set) var stayingJSON: Set<String> = []
    /// The profile of the sources that the command line names.
    private var profile: DumpProfile?

    init(_ command: ImportCommand, _ sources: [any ByteSource], _ signals: StopSignals) {
        self.command = command
        self.sources = sources
        self.signals = signals
        output = OutputFile(stop: signals.descriptor)
    }

    mutating func run() throws -> Int32 {
        do {
            return try attempt()
        } catch is CancellationError {
            // A signal has ended the search for places of records, before anything was written.
            return signals.exitCode ?? ExitCode.failure
        } catch let error where !(error is UsageError || error is OutputFile.Failure) {
            return try fail(error, nil)
        }
    }

    /// Says what went wrong, with `--json` also as one object.
    mutating func fail(_ error: any Error, _ summary: ImportSummary?) throws -> Int32 {
        let error = otherFormat(error) ?? error
        let code = (error as? JSONError)?.code
        let more = restOfRemedy(error)
        if command.output.isJSON {
            try output.write { $0 += ErrorText.json(error, summary, isServer: command.address != nil, adding: more) }
            try output.flush()
        }
        let meant = code == .shapePath || code == .shapeMissing ? meantPath : ""
        console.say("\(ErrorText.of(error, isServer: command.address != nil))\(more)\(meant)")
        return ExitCode.failure
    }

    /// The end of the remedy of an error that only the command knows.
    private func restOfRemedy(_ error: any Error) -> String {
        if (error as? ImportError)?.remedy == .usePipe { return " " + command.resumeLine }
        guard (error as? JSONError)?.code == .shapeAmbiguous, command.address == nil else { return "" }
        return "; --all imports each of them into its own table"
    }

    /// The path that was probably meant, as the end of a message; empty if none is known.
    private var meantPath: String {
        // A large source is not read to its end for a hint.
        guard let wanted = command.path?.description, let first = sources.first as? FileSource,
            first.byteCount ?? .max < 64 << 20,
            let found = try? RecordPlaces.find(in: [first], command.options.reading, onReader: { _ in }).map(
                \.description),
            !found.isEmpty
        else { return "" }
        let hint = Suggestion.hint(for: wanted, among: found)
        return hint.isEmpty ? "; there are records at \(found.shortList)" : hint
    }

    /// The error for a source that is not JSON at all, instead of what is wrong with its first byte.
    func otherFormat(_ error: any Error) -> CommandError? {
        guard let error = error as? JSONError ?? (error as? ImportError)?.cause,
            ["syntax.", "text."].contains(where: error.code.rawValue.hasPrefix), error.record ?? 1 == 1,
            let source = sources.first(where: { $0.name == error.position?.file }), source.canBeReadTwice,
            let name = source.otherFormat(command.options.reading)
        else { return nil }
        return CommandError(
            "\(Excerpt.escape(source.name)): this is not JSON; it looks like \(name); convert it to JSON first")
    }

    private mutating func attempt() throws -> Int32 {
        try checkOrder()
        try ImportFiles.check(
            sources, database: command.database, rejects: command.options.rejects, changes: command.options.changes,
            command: command.name)
        try readProfile()
        var request = ImportTarget.Request()
        (request.entity, request.key) = (command.entity, command.key)
        request.remoteKey = command.remoteKey?.map(RemoteKey.init(word:))
        request.mode = command.options.mode
        request.findsKey = command.relations != nil
        request.mappings = try WritingOptions.mappings(at: command.map, for: command.name)
        request.files = sources.filter { !($0 is DescriptorSource) }.map { ($0 as? FileSource)?.path ?? $0.name }
        (request.container, request.isFolder) = InputFiles.container(command.operands)
        var target = try target(&request)
        try checkModelOptions(of: target)
        if let model = target.model, try printsMap(target, model, request.mappings) { return ExitCode.success }
        try checkColumnOptions(of: target)
        try checkInput()
        if command.options.truncates, !command.allowsEmpty, sources.allSatisfy({ $0.byteCount == 0 }) {
            throw JSONError(
                .sourceRead, sources.count == 1 ? "\(sources[0].name) is empty" : "all files are empty",
                hint: "to empty the table, use --allow-empty")
        }
        for source in sources { _ = try SourceFingerprint(of: source) }
        var options = command.options
        options.mappings = request.mappings
        if options.sync != nil, options.sync?.feed == nil { options.sync?.feed = target.routing?.feed }
        if let address = command.address {
            tellDecisions(target)
            let job = PostgresImport(
                into: address, from: sources, routes: target.routes(of: command), model: target.model,
                profile: profile, options: options, settings: command.server)
            return try perform(job, Imports(in: address).rejects).code
        }
        try ImportFiles.checkOutputs(
            rejects: command.options.rejects, changes: command.options.changes, of: sources, database: command.database)
        target.relations = try relations(of: target, options, surveysLater: true)
        do {
            return try importRows(target, options)
        } catch  where beginsAgain(after: error, target.relations?.survey) {
            // The import has made the database, and published nothing.
            try StoreLocation.sqlite(command.openedDatabase).deleteFiles()
            sayThatItBeginsAgain()
            if let found = (error as? RelationSurvey.Difference)?.found {
                report(found)
                target.relations = found.isFlat ? nil : found
            } else {
                target.relations = try relations(of: target, options, surveysLater: false)
            }
            return try importRows(target, options)
        }
    }

    /// Whether an error may be due to tables that only some of the records have told.
    private func beginsAgain(after error: any Error, _ survey: RelationSurvey?) -> Bool {
        if error is RelationSurvey.Difference { return true }
        guard let survey, survey.result == nil, let error = error as? ImportError else { return false }
        return error.code == .rejected || error.code == .tooManyErrors
    }

    /// Imports into the tables of a target.
    private mutating func importRows(_ target: ImportTarget, _ options: ImportOptions) throws -> Int32 {
        var options = options
        options.survey = target.relations?.survey
        try target.checkKey(for: options.mode, target.relations?.key ?? target.key)
        let routes = target.routes(of: command)
        try target.check(sources, routes, into: command.openedDatabase, options)
        let search = command.search.map { names in
            ImportSearch(
                names: names, table: target.relations?.table ?? (target.tables.count > 1 ? nil : target.entity))
        }
        try search?.check(target, into: command.openedDatabase, addsColumns: command.existing.addsColumns)
        let indexes = ImportIndexes(
            command, table: target.relations?.table ?? (target.tables.count > 1 ? nil : target.entity))
        try indexes?.check(target, into: command.openedDatabase, addsColumns: command.existing.addsColumns)
        let database = try target.open(command.openedDatabase, for: sources, options)
        defer { database.store.closeWithoutLog() }
        if target.relations != nil {
            let isOfSample = options.survey != nil
            // Another program may have made the database meanwhile.
            guard !isOfSample || database.store.isUnpublished else {
                throw ImportError(
                    .route, "another program has made \(command.openedDatabase) meanwhile", hint: "import again")
            }
            if !options.isDryRun {
                try database.store.importing { try StoredModel.mark(ofSample: isOfSample, on: $0) }
            }
        }
        tellDecisions(target, in: database)
        let job = StoreImport(into: database, from: sources, routes: routes, options: options)
        let (code, outcome) = try perform(job, database.imports.rejects, target.relations?.survey) {
            [signals, isDryRun = options.isDryRun, isStaged = command.isStaged] in
            guard !isDryRun else { return [] }
            func make(
                _ index: String, _ option: String, _ body: (@escaping () -> Bool) throws -> [String]?
            ) throws -> [String] {
                do {
                    return try body { signals.exitCode != nil } ?? []
                } catch {
                    let failure = IndexFailure(error, of: index, option)
                    throw isStaged ? failure.ofCopy : failure
                }
            }
            return try make("the full-text index", "--search") {
                try search?.make(in: database, target.isForeign, until: $0)
            }
                + make("the index", "--index and --unique") {
                    try indexes?.make(in: database, target.isForeign, until: $0)
                }
        }
        if case .finished(let summary)? = outcome { try suggestColumns(summary, database.store) }
        if let found = target.relations?.survey?.result { report(found) }
        if outcome != nil { try tellTypes(target) }
        if case .finished(let summary) = outcome, !options.isDryRun, !target.isForeign, target.relations == nil {
            for (entity, key) in target.tables where key == nil {
                try offerKey(for: entity, database.store, after: summary, isNamed: target.tables.count > 1)
            }
        }
        return code
    }

    /// Runs an import to its end, and reports it; the outcome is nil if it has failed.
    private mutating func perform(
        _ job: DatabaseImport, _ rejects: Rejects, _ survey: RelationSurvey? = nil,
        _ finish: @escaping @Sendable () throws -> [String] = { [] }
    ) throws -> (code: Int32, outcome: ImportOutcome?) {
        signals.onStop { job.cancel() }
        var runner = JobRunner(from: sources, command.output, layouts: { job.sourceReports }) { seconds in
            let summary = job.summary
            return ImportProgress.Moment(
                read: summary.read, rejected: summary.rejected, phase: job.phase, storedBytes: job.storedBytes,
                seconds: seconds)
        }
        let (outcome, made): (ImportOutcome, [String])
        do {
            (outcome, made) = try runner.run {
                let outcome = try job.perform()
                if case .stopped = outcome { return (outcome, []) }
                return (outcome, try finish())
            }
        } catch let error where !(error is CancellationError) && !beginsAgain(after: error, survey) {
            let code = try fail(error, job.summary)
            if (error as? ImportError)?.code == .tooManyDeletions { return (ExitCode.attention, nil) }
            if error is IndexFailure { return (signals.exitCode ?? code, nil) }
            printResumeHint(job.summary, after: error)
            return (code, nil)
        }
        if case .finished = outcome { isFinished = true }
        if !made.isEmpty { isFinished = true }
        // Rejects of a finished run may have been retried since.
        var remaining = outcome.summary.rejected
        if case .alreadyFinished = outcome, command.options.onError == .quarantine {
            remaining = try rejects.count(run: outcome.summary.run)
        }
        let sample = (job as? StoreImport)?.sample ?? []
        // A hint must not end the import.
        let truncated =
            remaining > 0 && command.options.onError == .quarantine && !command.options.isDryRun
            ? (try? rejects.truncatedCount(run: outcome.summary.run)) ?? 0 : 0
        let code = try report(
            outcome, remaining: remaining, truncated: truncated, known: job.knownSources, sample: sample)
        if !command.output.isQuiet { for line in made { console.say(line) } }
        if case .finished(let summary) = outcome, summary.resumedAt == nil { reportMissingMembers() }
        return (code, outcome)
    }

    /// The entities of the records and their keys.
    private mutating func target(_ request: inout ImportTarget.Request) throws -> ImportTarget {
        if let address = command.address {
            DatabaseName(address).warn(isQuiet: command.output.isQuiet)
            if command.entity == nil { request.member = recordPath?.memberName }
            return try serverTarget(request, PostgresDatabase(address))
        }
        let known = try ImportTarget.Known(model: command.model, database: command.openedDatabase)
        if let member = command.routedMember { return try target(by: member, request, known) }
        guard command.importsAll else {
            if command.entity == nil { request.member = recordPath?.memberName }
            let target = try ImportTarget(request, known)
            if let name = target.reservedName, !command.output.isQuiet {
                console.say(
                    "the table is \(Excerpt.escape(target.entity)), because the name \(Excerpt.escape(name)) is reserved"
                )
            }
            return target
        }
        let target = try ImportTarget(all: placesOfRecords(), request, known)
        for place in target.places where place.isNumbered && !command.output.isQuiet {
            let path = Excerpt.escape(place.path.description)
            console.say("\(path) goes into the table \(Excerpt.escape(place.entity))")
        }
        return target
    }

    // MARK: The mapping

    /// Prints the mappings of the import, if that is all that is wanted.
    func printsMap(_ target: ImportTarget, _ model: Model, _ mappings: Mappings) throws -> Bool {
        guard command.printsMap else { return false }
        var complete = mappings
        for (name, key) in target.tables + [(target.entity, target.key)] {
            guard let entity = model[name] else { continue }
            let found = try MappingResolver(mappings).complete(entity, key: key)
            for (name, mapping) in found.entities { complete[name] = mapping }
        }
        try output.end(complete.jsonText + "\n")
        return true
    }

    /// The tables of nested objects, for which the files are read once more, or their beginnings if the import makes the
    /// database; nil if there are none.
    private mutating func relations(
        of target: ImportTarget, _ options: ImportOptions, surveysLater: Bool
    ) throws -> DiscoveredRelations? {
        guard let relations = command.relations else { return nil }
        if profile == nil { try checkReadingTwice(for: "--relations") }
        var reading = command.options.reading
        if let path = command.path { reading.paths = [path] }
        let request = DiscoveredRelations.Request(
            table: target.entity, key: target.key, includesAll: relations == .all, keys: command.nestedKeys,
            tables: command.nestedTables, shaping: command.inference.shaping,
            dateColumn: command.options.sync?.softDelete, database: command.openedDatabase, reading: reading,
            filter: command.filter)
        // Nothing is lost where the import makes a database, and it reads all records.
        let surveysLater =
            surveysLater && profile == nil && StoreFiles.existing(of: command.openedDatabase) == nil
            && options.limit == nil
            && options.loadsDirectly(sources)
        // A dry run removes nothing.
        var found = options.isDryRun ? nil : try confirmed(request)
        if found == nil {
            found = try DiscoveredRelations(request, in: sources, surveysLater: surveysLater, profile: profile) {
                reader in
                signals.onStop { reader.cancel() }
            }
        }
        if let sample = found, sample.isFlat, sample.survey != nil {
            return try self.relations(of: target, options, surveysLater: false)
        }
        guard let found else { return nil }
        if !found.isFlat { try checkAppending(to: found.table, found.key) }
        if found.survey == nil { report(found) }
        return found.isFlat ? nil : found
    }

    /// The tables of all records, if an interrupted import of them has made the database and seen their beginnings only; nil
    /// if it has not, or if it has made other tables: then its database is removed.
    private mutating func confirmed(_ request: DiscoveredRelations.Request) throws -> DiscoveredRelations? {
        guard let sample = try DiscoveredRelations.sample(at: command.openedDatabase) else { return nil }
        guard sample.sources.allSatisfy({ $0 == sources.map(\.identityName) }) else {
            throw ImportError(
                .route, "an import of other files has begun to make \(command.openedDatabase)",
                hint: "finish that import first, or remove the database")
        }
        let found = try DiscoveredRelations(
            request, in: sources, surveysLater: false, ignoresStored: true, profile: profile
        ) { reader in
            signals.onStop { reader.cancel() }
        }
        if found.hasTables(of: sample.model) { return found }
        try StoreLocation.sqlite(command.openedDatabase).deleteFiles()
        sayThatItBeginsAgain()
        return found
    }

    private mutating func sayThatItBeginsAgain() {
        guard !command.output.isQuiet else { return }
        console.say("other records need other tables than the first ones; the import begins again")
    }

    /// Says which tables there are for nested objects.
    private mutating func report(_ found: DiscoveredRelations) {
        stayingJSON = found.stayingJSON
        guard !command.output.isQuiet else { return }
        if !found.isFlat, command.key == nil, let key = found.key {
            console.say("table \(found.table): key \(key.parts.map(\.attribute).joined(separator: ","))")
        }
        for line in found.lines { console.say(line) }
        if !found.isFlat, !found.leftOut.isEmpty {
            console.say(
                "no column can have the names of \(found.leftOut.shortList); their values are in the column _rest")
        }
    }

    /// Reads the profile that the command line names, which must be that of the sources.
    private mutating func readProfile() throws {
        guard let path = command.profile else { return }
        let found = try ProfileFile.read(path)
        var reading = command.options.reading
        if let path = command.path { reading.paths = [path] }
        try found.check(isOf: sources, reading, path)
        profile = found
    }

    /// Refuses sources that cannot be read again from their beginning: standard input continues after the bytes
    /// that were read, even if it is redirected from a file.
    func checkReadingTwice(for option: String) throws {
        for source in sources {
            // What is wrong with an address is said first.
            _ = try source.versionIfTold()
            if source.canBeReadTwice { continue }
            throw UsageError(
                "'\(option)' reads its input twice, and \(source.name) can be read only once; save it to a file first",
                command: command.name)
        }
    }

    /// The places of all records, for which the files are read once more.
    private func placesOfRecords() throws -> [RecordPath] {
        // A dump with one place for an import of one may have several for one of all.
        if let profile, profile.paths.count > 1 { return profile.paths }
        try checkReadingTwice(for: "--all")
        return try RecordPlaces.find(in: sources, command.options.reading) { reader in
            signals.onStop { reader.cancel() }
        }
    }

    /// The path of the records: the one that was given, or that of the first file.
    var recordPath: RecordPath? {
        if let path = command.path { return path }
        guard let first = sources.first, first.canBeReadTwice else { return nil }
        let paths = first.inferredShape(command.options.reading)?.paths ?? []
        return paths.count == 1 ? paths[0] : nil
    }
}
