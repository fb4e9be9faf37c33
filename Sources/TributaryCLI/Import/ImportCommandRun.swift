import Tributary
import TributaryGraph
import TributaryJSON

/// One run of `tributary import`.
struct ImportCommandRun {
    private let command: ImportCommand
    private let sources: [any ByteSource]
    private let signals: StopSignals
    private let output: OutputFile
    private var console = Console()
    /// Whether the import has finished, and a staged one may be published.
    private(set) var isFinished = false
    /// Whether another program made the table.
    private var isForeign = false

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
    private mutating func fail(_ error: any Error, _ summary: ImportSummary?) throws -> Int32 {
        if command.output.isJSON {
            try output.write { $0 += ErrorText.json(error, summary) }
            try output.flush()
        }
        let isAmbiguous = (error as? JSONError)?.code == .shapeAmbiguous
        let all = isAmbiguous ? "; --all imports each of them into its own table" : ""
        console.say("tributary: \(ErrorText.of(error))\(all)")
        return ExitCode.failure
    }

    private mutating func attempt() throws -> Int32 {
        try ImportFiles.check(
            sources, database: command.database, rejects: command.options.rejects, command: command.name)
        var request = ImportTarget.Request()
        (request.entity, request.key) = (command.entity, command.key)
        request.remoteKey = command.remoteKey?.map(ImportTarget.remoteKey)
        request.mode = command.options.mode
        request.mappings = try MapFile.read(command.map, for: command.spec)
        request.files = sources.filter { !($0 is DescriptorSource) }.map { ($0 as? FileSource)?.path ?? $0.name }
        let known = try ImportTarget.Known(model: command.model, database: command.openedDatabase)
        let target: ImportTarget
        if command.importsAll {
            target = try ImportTarget(all: placesOfRecords(), request, known)
        } else {
            if command.entity == nil { request.member = recordPath?.memberName }
            target = try ImportTarget(request, known)
        }
        let needsModel = command.map != nil || command.printsMap || command.options.dangling != .wait
        if needsModel, target.model == nil, command.relations == nil || command.map != nil || command.printsMap {
            throw UsageError(
                "'--map', '--print-map' and '--dangling' need a model; without one a column is a member, or --columns names its path",
                command: command.name)
        }
        if let model = target.model, try printsMap(target, model, request.mappings) { return ExitCode.success }
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
                    ? "'--relations' makes tables, and '\(target.entity)' is one of another program"
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
        if !target.isForeign, command.existing.appends, target.key != nil {
            throw UsageError(
                "'--append' is not for '\(target.entity)', which has a key: rows with known keys are updated",
                command: command.name)
        }
        // An empty or missing source must not leave an empty database.
        if !command.allowsEmpty,
            sources.contains(where: { ($0 as? DescriptorSource)?.isAtEnd(stop: signals.descriptor) ?? false })
        {
            throw JSONError(
                .sourceRead, "standard input is empty",
                hint: "check the program before the pipe, or accept that with --allow-empty")
        }
        if command.options.truncates, !command.allowsEmpty, sources.allSatisfy({ $0.byteCount == 0 }) {
            throw JSONError(
                .sourceRead, sources.count == 1 ? "\(sources[0].name) is empty" : "all files are empty",
                hint: "to empty the table, use --allow-empty")
        }
        for source in sources { _ = try SourceFingerprint(of: source) }
        try ImportFiles.checkRejects(command.options.rejects, database: command.database)
        var options = command.options
        options.mappings = request.mappings
        let found = try relations(of: target)
        let job = try target.makeImport(
            from: sources, at: command.path, into: command.openedDatabase, options, command.inference, command.existing,
            found
        )
        defer { StoredDatabase.close(job.manager) }
        signals.onStop { job.cancel() }
        var runner = JobRunner(job, from: sources, command.output)
        let outcome: ImportOutcome
        do {
            outcome = try runner.run { try job.perform() }
        } catch {
            let code = try fail(error, job.summary)
            if (error as? ImportError)?.code == .tooManyDeletions { return ExitCode.attention }
            sayHowToResume(job.summary, after: error)
            return code
        }
        if case .finished = outcome {
            if let least = command.leastRows { try checkRows(of: target, atLeast: least, job.manager) }
            isFinished = true
        }
        // Rejects of a finished run may have been retried since.
        var remaining = outcome.summary.rejected
        if case .alreadyFinished = outcome, command.options.onError == .quarantine {
            remaining = try job.manager.rejects.count(run: outcome.summary.run)
        }
        let code = try report(outcome, remaining: remaining, known: job.knownSources, sample: job.sample)
        if case .finished(let summary) = outcome, !command.options.isDryRun, !target.isForeign, found == nil {
            let tables =
                target.places.isEmpty ? [(target.entity, target.key)] : target.places.map { ($0.entity, $0.key) }
            for (entity, key) in tables where key == nil {
                try offerKey(for: entity, job.manager, after: summary, isNamed: tables.count > 1)
            }
        }
        return code
    }

    /// Throws if a table has too few rows to be published.
    private func checkRows(of target: ImportTarget, atLeast least: Int, _ manager: ContextManager) throws {
        let tables = target.places.isEmpty ? [target.entity] : target.places.map(\.entity)
        for entity in tables {
            let count = try manager.rowCount(of: entity, upTo: least)
            guard count < least else { continue }
            throw CommandError(
                "\(Excerpt.escape(entity)) would have \(Progress.grouped(count)) rows, fewer than \(Progress.grouped(least)); the database was not changed"
            )
        }
    }

    // MARK: The mapping

    /// Prints the mappings of the import, if that is all that is wanted.
    private func printsMap(_ target: ImportTarget, _ model: Model, _ mappings: Mappings) throws -> Bool {
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
            in: sources, table: target.entity, key: target.key, all: relations == .all, into: command.openedDatabase,
            reading: reading
        ) { reader in
            signals.onStop { reader.cancel() }
        }
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
                console.say("tributary: no column can have the names of \(found.leftOut.shortList)")
            }
        }
        return found
    }

    /// Whether a source cannot be read again from its beginning: standard input goes on where it was left, even if it is
    /// redirected from a file.
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
    private var recordPath: RecordPath? {
        if let path = command.path { return path }
        guard let first = sources.first as? FileSource, first.byteCount != nil else { return nil }
        let paths = ShapeProbe.shape(of: first, command.options.reading)?.paths ?? []
        return paths.count == 1 ? paths[0] : nil
    }

    // MARK: The end

    private mutating func report(_ outcome: ImportOutcome, remaining: Int, known: [String], sample: [RowChange]) throws
        -> Int32
    {
        let summary = outcome.summary
        if command.output.isJSON {
            try output.write {
                $0 += SummaryReport.json(
                    summary, remaining: remaining, leavesRecords: leavesRecords(summary),
                    sample: command.options.isDryRun ? sample : nil)
            }
        } else if !command.output.isQuiet {
            var text = SummaryReport.text(summary)
            if case .alreadyFinished = outcome {
                text =
                    "already imported by run \(summary.run) and unchanged since; use --again to import it again\n"
                    + SummaryReport.countsLine(summary) + "\n"
            }
            text += ChangesText.lines(sample)
            try output.write { $0 += Array(text.utf8) }
        }
        try output.flush()
        if !summary.isBalanced {
            console.say(
                "tributary: internal error: the counts do not add up: \(SummaryReport.countsLine(summary)); please report it"
            )
            return ExitCode.failure
        }
        sayWhatIsKnown(known)
        sayWhatIsLeftOut(summary)
        if !command.output.isQuiet {
            for line in InferenceText.lines(
                summary.inferred, isForeign: isForeign, offersRelations: command.relations == nil
            ) {
                console.say("tributary: \(line)")
            }
            for line in MappingText.lines(summary.mapping) { console.say("tributary: \(line)") }
            if let line = SummaryReport.dangling(summary, command.options.dangling) {
                console.say("tributary: \(line)")
            }
            for line in SyncText.lines(summary, isDryRun: command.options.isDryRun) {
                console.say("tributary: \(line)")
            }
            if case .stopped = outcome {
            } else if let line = SummaryReport.unmatched(summary) {
                console.say("tributary: \(line)")
            }
        }
        sayWhereRejectsAre(summary, remaining)
        if command.options.isDryRun, !command.output.isQuiet { console.say("tributary: dry run: no row was changed") }
        guard case .stopped = outcome else {
            return SummaryReport.exitCode(
                summary, remaining: remaining, isDryRun: command.options.isDryRun, leavesRecords: leavesRecords(summary)
            )
        }
        let end =
            command.options.isDryRun || command.options.truncates || command.isStaged
            ? "; nothing was changed" : "; everything read is committed"
        console.say("tributary: stopped after record \(Progress.grouped(summary.read))\(end)")
        sayHowToResume(summary)
        return signals.exitCode ?? ExitCode.failure
    }

    /// Says which files were left out, since a table without a key has their records already.
    private mutating func sayWhatIsKnown(_ names: [String]) {
        guard !names.isEmpty, names.count < sources.count, !command.output.isQuiet else { return }
        let files = names.count == 1 ? "1 file was" : "\(Progress.grouped(names.count)) files were"
        console.say("tributary: \(files) imported before, and left out: \(names.map(Excerpt.escape).shortList)")
    }

    /// Whether the place of the records was inferred, and the sources hold other records.
    private func leavesRecords(_ summary: ImportSummary) -> Bool {
        command.path == nil && !command.importsAll && summary.outside?.holdsRecords ?? false
    }

    /// Names a column that would keep a table in step with the next dump, if there is one.
    private mutating func offerKey(
        for entity: String, _ manager: ContextManager, after summary: ImportSummary, isNamed: Bool
    ) throws {
        guard !command.output.isQuiet, summary.inserted > 0, let offer = try KeyOffer.find(in: entity, of: manager)
        else { return }
        let records = "all \(Progress.grouped(offer.rows)) records"
        let column = (isNamed ? entity + "." : "") + offer.column
        console.say(
            "tributary: \(column) is unique in \(records): --key \(ShellWord.quoted(offer.column)) keeps this table in step"
        )
    }

    private mutating func sayWhatIsLeftOut(_ summary: ImportSummary) {
        guard let outside = summary.outside, !command.output.isQuiet else { return }
        console.say("tributary: \(SummaryReport.leftOut(outside, canAll: command.key != nil && !command.importsAll))")
    }

    private mutating func sayWhereRejectsAre(_ summary: ImportSummary, _ remaining: Int) {
        guard remaining > 0, !command.output.isQuiet else { return }
        let count = remaining == 1 ? "1 record" : "\(Progress.grouped(remaining)) records"
        func line(_ words: [String]) -> String { words.map(ShellWord.quoted).joined(separator: " ") }
        guard command.options.onError == .quarantine else {
            return console.say("tributary: \(count) rejected; use --on-error quarantine or --rejects FILE to keep them")
        }
        if let path = command.options.rejects {
            guard !command.options.isDryRun else { return }
            let retry = line(["tributary", "retry", path, "--into", command.database])
            let them = remaining == 1 ? "it" : "them"
            return console.say("tributary: \(count) rejected and kept; fix \(them), then run: \(retry)")
        }
        let rejects = line(["tributary", "rejects", command.database, "--run", "\(summary.run)"])
        console.say("tributary: \(count) rejected and kept in the database; to see them, run: \(rejects)")
    }

    /// Says which command goes on: the same one, unless it would end in the same way.
    private mutating func sayHowToResume(_ summary: ImportSummary, after error: (any Error)? = nil) {
        guard summary.run > 0, !command.options.isDryRun, !command.options.truncates, !command.isStaged else { return }
        // At another place there may be records, or with another limit or encoding, but not with the same command.
        let code = (error as? JSONError)?.code.description ?? ""
        if ["shape.", "limit.", "encoding."].contains(where: code.hasPrefix) { return }
        let remedies: [ImportRemedy] = [.addColumns, .chooseContent, .finishEarlier, .restoreTable]
        if let remedy = (error as? ImportError)?.remedy, remedies.contains(remedy) { return }
        let isRecord =
            (error as? ImportError)?.remedy == .quarantine
            || code.hasPrefix("syntax.")
        if isRecord, command.options.onError == .stop {
            return console.say(
                "tributary: to go on without such records, run: \(command.tolerant)")
        }
        let isFed = sources.contains { $0.byteCount == nil }
        console.say(
            "tributary: to resume, \(isFed ? "feed the same input again and " : "")run: \(command.continuation)")
    }
}
