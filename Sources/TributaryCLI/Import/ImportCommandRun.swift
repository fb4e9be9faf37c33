import Tributary
import TributaryGraph
import TributaryJSON

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

    init(_ command: ImportCommand, _ sources: [any ByteSource], _ signals: StopSignals) {
        self.command = command
        self.sources = sources
        self.signals = signals
        output = .standardOutput(stop: signals.descriptor)
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
        if command.output.isJSON {
            try output.write { $0 += ErrorText.json(error, summary, isServer: command.address != nil) }
            try output.flush()
        }
        let isAmbiguous = (error as? JSONError)?.code == .shapeAmbiguous
        let all = isAmbiguous && command.address == nil ? "; --all imports each of them into its own table" : ""
        console.say("tributary: \(ErrorText.of(error, isServer: command.address != nil))\(all)")
        return ExitCode.failure
    }

    /// The error for a source that is not JSON at all, instead of what is wrong with its first byte.
    func otherFormat(_ error: any Error) -> CommandError? {
        guard let error = error as? JSONError ?? (error as? ImportError)?.cause,
            ["syntax.", "text."].contains(where: error.code.rawValue.hasPrefix), error.record ?? 1 == 1,
            let source = sources.first(where: { $0.name == error.position?.file }), source.byteCount != nil,
            !(source is DescriptorSource), let name = source.otherFormat(command.options.reading)
        else { return nil }
        return CommandError(
            "\(Excerpt.escape(source.name)): this is not JSON; it looks like \(name); convert it to JSON first")
    }

    private mutating func attempt() throws -> Int32 {
        try ImportFiles.check(
            sources, database: command.database, rejects: command.options.rejects, changes: command.options.changes,
            command: command.name)
        var request = ImportTarget.Request()
        (request.entity, request.key) = (command.entity, command.key)
        request.remoteKey = command.remoteKey?.map(ImportTarget.remoteKey)
        request.mode = command.options.mode
        request.findsKey = command.relations != nil
        request.mappings = try MapFile.read(command.map, for: command.spec)
        request.files = sources.filter { !($0 is DescriptorSource) }.map { ($0 as? FileSource)?.path ?? $0.name }
        (request.container, request.isFolder) = InputFiles.container(command.operands)
        if let address = command.address { return try importInto(address, request) }
        let known = try ImportTarget.Known(model: command.model, database: command.openedDatabase)
        let target: ImportTarget
        if command.importsAll {
            target = try ImportTarget(all: placesOfRecords(), request, known)
            for place in target.places where place.isNumbered && !command.output.isQuiet {
                let path = Excerpt.escape(place.path.description)
                console.say("tributary: \(path) goes into the table \(Excerpt.escape(place.entity))")
            }
        } else {
            if command.entity == nil { request.member = recordPath?.memberName }
            target = try ImportTarget(request, known)
        }
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
        try ImportFiles.checkOutputs(
            rejects: command.options.rejects, changes: command.options.changes, of: sources, database: command.database)
        var settings = ImportTarget.Settings()
        settings.options = command.options
        settings.options.mappings = request.mappings
        (settings.inference, settings.existing) = (command.inference, command.existing)
        settings.relations = try relations(of: target)
        try target.checkKey(for: command.options.mode, settings.relations?.key ?? target.key)
        try target.check(sources, at: command.path, into: command.openedDatabase, settings)
        let job = try target.makeImport(from: sources, at: command.path, into: command.openedDatabase, settings)
        defer { StoredDatabase.close(job.manager) }
        let (code, outcome) = try perform(job, job.manager.rejects)
        if case .finished(let summary) = outcome, !command.options.isDryRun, !target.isForeign,
            settings.relations == nil
        {
            for (entity, key) in target.tables where key == nil {
                try offerKey(for: entity, job.manager, after: summary, isNamed: target.tables.count > 1)
            }
        }
        return code
    }

    /// Runs an import to its end, and reports it; the outcome is nil if it has failed.
    mutating func perform(
        _ job: DatabaseImport, _ rejects: RejectedRecords
    ) throws -> (code: Int32, outcome: ImportOutcome?) {
        signals.onStop { job.cancel() }
        var runner = JobRunner(job, from: sources, command.output)
        let outcome: ImportOutcome
        do {
            outcome = try runner.run { try job.perform() }
        } catch let error as CancellationError {
            throw error
        } catch {
            let code = try fail(error, job.summary)
            if (error as? ImportError)?.code == .tooManyDeletions { return (ExitCode.attention, nil) }
            printResumeHint(job.summary, after: error)
            return (code, nil)
        }
        if case .finished = outcome { isFinished = true }
        // Rejects of a finished run may have been retried since.
        var remaining = outcome.summary.rejected
        if case .alreadyFinished = outcome, command.options.onError == .quarantine {
            remaining = try rejects.count(run: outcome.summary.run)
        }
        let sample = (job as? StreamImport)?.sample ?? []
        return (try report(outcome, remaining: remaining, known: job.knownSources, sample: sample), outcome)
    }

    // MARK: Checks

    /// Refuses options for which a model is needed.
    func checkModelOptions(of target: ImportTarget) throws(UsageError) {
        let needsModel = command.map != nil || command.printsMap || command.options.dangling != .wait
        if needsModel, target.model == nil, command.relations == nil || command.map != nil || command.printsMap {
            throw UsageError(
                "'--map', '--print-map' and '--dangling' need a model; without one a column is a member, or --columns names its path",
                command: command.name)
        }
    }

    /// Refuses options about columns that the table does not allow.
    mutating func checkColumnOptions(of target: ImportTarget) throws(UsageError) {
        if target.model != nil, command.inference != ColumnInference() {
            throw UsageError(
                "'--types', '--numbers', '--flatten', '--columns', '--source-column' and '--extended-json' are for "
                    + "inferred columns; here a model defines the columns",
                command: command.name)
        }
        isForeign = target.isForeign
        if command.relations != nil, target.model != nil || isForeign {
            throw UsageError(
                isForeign
                    ? "'--relations' makes tables, and '\(target.entity)' is one of another program; name another table with --table"
                    : "'--relations' is for imports without a model; the relationships of a model need no option",
                command: command.name)
        }
        var shaped = ColumnInference()
        shaped.shaping = command.inference.shaping
        if target.isForeign, command.inference != shaped, command.inference != ColumnInference() {
            throw UsageError(
                "'--types' and '--numbers' are for inferred columns; '\(target.entity)' is a table of another program",
                command: command.name)
        }
        if !target.isForeign, command.existing.addsColumns || command.existing.rest != nil {
            throw UsageError(
                "'--add-columns' and '--rest' are for a table of another program, and '\(target.entity)' is none",
                command: command.name)
        }
        if !target.isForeign { try checkAppending(to: target.entity, target.key) }
    }

    /// Refuses to append to a table with a key.
    private func checkAppending(to table: String, _ key: ImportKey?) throws(UsageError) {
        guard command.existing.appends, key != nil else { return }
        throw UsageError(
            "'--append' is not for '\(table)', which has a key: rows with known keys are updated",
            command: command.name)
    }

    /// Refuses an empty standard input: a missing source must not leave an empty database.
    func checkInput() throws {
        if !command.allowsEmpty,
            sources.contains(where: { ($0 as? DescriptorSource)?.isAtEnd(stop: signals.descriptor) ?? false })
        {
            throw JSONError(
                .sourceRead, "standard input is empty",
                hint: "check the program before the pipe, or accept that with --allow-empty")
        }
    }

    // MARK: The mapping

    /// Prints the mappings of the import, if that is all that is wanted.
    func printsMap(_ target: ImportTarget, _ model: Model, _ mappings: Mappings) throws -> Bool {
        guard command.printsMap else { return false }
        var complete = mappings
        let places = target.places.map { ($0.entity, $0.key) } + [(target.entity, target.key)]
        for (name, key) in places {
            guard let entity = model[name] else { continue }
            let found = try MappingResolver(mappings).complete(entity, key: key)
            for (name, mapping) in found.entities { complete[name] = mapping }
        }
        try output.write { $0 += Array((complete.jsonText + "\n").utf8) }
        try output.flush()
        return true
    }

    /// The tables of nested objects, for which the files are read once more; nil if there are none.
    private mutating func relations(of target: ImportTarget) throws -> DiscoveredRelations? {
        guard let relations = command.relations else { return nil }
        for source in sources where canBeReadOnce(source) {
            throw UsageError(
                "'--relations' reads its input twice, and \(source.name) can be read only once; save it to a file first",
                command: command.name)
        }
        var reading = command.options.reading
        if let path = command.path { reading.paths = [path] }
        let found = try DiscoveredRelations(
            in: sources, table: target.entity, key: target.key, all: relations == .all, keys: command.nestedKeys,
            tables: command.nestedTables, shaping: command.inference.shaping,
            dateColumn: command.options.sync?.softDelete, into: command.openedDatabase, reading: reading
        ) { reader in
            signals.onStop { reader.cancel() }
        }
        stayingJSON = found.stayingJSON
        if !found.isFlat { try checkAppending(to: found.table, found.key) }
        if found.isFlat {
            if !command.output.isQuiet { for line in found.lines { console.say("tributary: \(line)") } }
            return nil
        }
        if !command.output.isQuiet {
            if command.key == nil, let key = found.key {
                console.say("tributary: table \(found.table): key \(key.parts.map(\.attribute).joined(separator: ","))")
            }
            for line in found.lines { console.say("tributary: \(line)") }
            if !found.leftOut.isEmpty {
                console.say(
                    "tributary: no column can have the names of \(found.leftOut.shortList); their values are in the column _rest"
                )
            }
        }
        return found
    }

    /// Whether a source cannot be read again from its beginning: standard input continues after the bytes
    /// that were read, even if it is redirected from a file.
    private func canBeReadOnce(_ source: any ByteSource) -> Bool {
        source is DescriptorSource || source.byteCount == nil
    }

    /// The places of all records, for which the files are read once more.
    private func placesOfRecords() throws -> [RecordPath] {
        for source in sources where canBeReadOnce(source) {
            throw UsageError(
                "'--all' reads its input twice, and \(source.name) can be read only once; save it to a file first",
                command: command.name)
        }
        return try RecordPlaces.find(in: sources, command.options.reading) { reader in
            signals.onStop { reader.cancel() }
        }
    }

    /// The path of the records: the one that was given, or that of the first file.
    var recordPath: RecordPath? {
        if let path = command.path { return path }
        guard let first = sources.first as? FileSource, first.byteCount != nil else { return nil }
        let paths = ShapeProbe.shape(of: first, command.options.reading)?.paths ?? []
        return paths.count == 1 ? paths[0] : nil
    }
}
