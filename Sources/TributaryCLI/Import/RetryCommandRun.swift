import Tributary
import TributaryGraph
import TributaryJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One run of `tributary retry`.
struct RetryCommandRun {
    private let command: RetryCommand
    private let signals: StopSignals
    private let output: OutputFile
    private var console = Console()
    private var total = ImportSummary()

    init(_ command: RetryCommand, _ signals: StopSignals) {
        self.command = command
        self.signals = signals
        output = .standardOutput(stop: signals.descriptor)
    }

    mutating func run() throws -> Int32 {
        try ImportFiles.check(
            [FileSource(command.file)], database: command.database, rejects: nil, command: RetryCommand.spec.name)
        // No import may write it meanwhile.
        let held = command.options.isDryRun ? nil : try RejectsFile(path: command.file)
        defer { held?.unlock() }
        let (groups, lines, others) = try RetryGroup.all(in: command.file)
        let before = try SourceFingerprint(of: FileSource(command.file))
        let entries = try StoreInspection.read(command.database) { try Journal.entries(on: $0) } ?? []
        let path = FileSource(command.file).absolutePath
        if let owner = entries.first(where: { $0.state.isUnfinished && $0.rejects?.path == path }) {
            throw UsageError(
                "'\(command.file)' belongs to run \(owner.run), which has not finished; let it go on, or begin it anew",
                command: RetryCommand.spec.name)
        }
        var rewriting = RejectsRewriting(path: command.file)
        var leftovers: [String] = []
        // Nothing is imported where something must be said first.
        let attempts = try groups.enumerated().map { index, group in
            let entry = try entry(of: group, entries)
            let rejects = "\(command.file).retry\(index == 0 ? "" : "-\(index + 1)")"
            let draft = FileSource(rejects).absolutePath
            return Attempt(
                group: group, entry: entry, route: try route(of: group, entry), rejects: rejects,
                last: entries.last { $0.rejects?.path == draft })
        }
        for attempt in attempts {
            if let code = try retry(attempt) { return code }
            leftovers.append(attempt.rejects)
            if !command.options.isDryRun { try rewriting.take(rejects: attempt.rejects) }
        }
        guard !command.options.isDryRun else { return try reportDryRun() }
        guard try before.change(in: FileSource(command.file)) == .same else {
            console.say(
                "tributary: \(command.file) was changed meanwhile and stays as it is; what could be imported is imported"
            )
            return ExitCode.failure
        }
        if lines > 0 { try rewriting.run() }
        for path in leftovers { unlink(path) }
        return try report(rewriting, untried: lines == 0 ? others : nil)
    }

    /// A group of lines, and what the journal knows of them.
    private struct Attempt {
        let group: RetryGroup
        let entry: JournalEntry?
        let route: ImportIdentity.Route?
        /// Where its rejects go until the end.
        let rejects: String
        /// The last run that has kept its rejects there.
        let last: JournalEntry?
    }

    /// The route that a group came by; nil if nobody knows.
    private func route(of group: RetryGroup, _ entry: JournalEntry?) throws(UsageError) -> ImportIdentity.Route? {
        guard let entry, let first = entry.identity.routes.first else { return nil }
        let routes = entry.identity.routes
        if let own = routes.first(where: { $0.entity == group.entity }) { return own }
        if routes.allSatisfy({ $0.entity == first.entity }) { return first }
        guard let wanted = command.entity else {
            throw UsageError(
                "'\(command.file)' does not say whose records were damaged in run \(entry.run); say it: --entity NAME",
                command: RetryCommand.spec.name)
        }
        return routes.first { $0.entity == wanted }
    }

    /// What the journal knows of the run that has rejected a group.
    private func entry(of group: RetryGroup, _ entries: [JournalEntry]) throws(UsageError) -> JournalEntry? {
        guard let run = group.run else { return nil }
        let known = entries.first { entry in
            let entities = entry.identity.routes.map(\.entity)
            return entry.run == run && (group.entity.map(entities.contains) ?? true)
        }
        if known == nil, command.entity == nil, command.key == nil {
            throw UsageError(
                "'\(command.database)' knows no run \(run)\(group.entity.map { " of \($0)" } ?? ""); "
                    + "say what the records are: --entity NAME --key NAME", command: RetryCommand.spec.name)
        }
        return known
    }

    /// Imports a group; the exit code if that was not done to the end.
    private mutating func retry(_ attempt: Attempt) throws -> Int32? {
        do {
            return try retry(attempt, command.options)
        } catch  where RetryCommandRun.mustBeginAnew(error) {
            // What is imported already is only found again.
            var options = command.options
            options.resuming = .restart
            return try retry(attempt, options)
        }
    }

    /// Whether an import that was stopped could not go on because more was mended since, or its draft is gone.
    private static func mustBeginAnew(_ error: any Error) -> Bool {
        (error as? JournalError)?.code == .sourceChanged || (error as? JSONError)?.code == .sourceChanged
            || (error as? RejectsError)?.isGone == true
    }

    private mutating func retry(_ attempt: Attempt, _ given: ImportOptions) throws -> Int32? {
        let (group, entry, route, rejects) = (attempt.group, attempt.entry, attempt.route, attempt.rejects)
        var options = given
        options.replacesRejects = try RetryCommandRun.isDraft(rejects)
        options.mode = command.mode ?? entry?.identity.mode ?? .upsert
        options.rejects = options.isDryRun ? nil : rejects
        options.reading.paths = [group.path]
        if !command.hasKeyName, let names = entry?.identity.memberNames, names.count == 2 {
            (options.reading.keyName, options.reading.valueName) = (names[0], names[1])
            if case .member(let name?) = group.layout { options.reading.keyName = name }
        }
        var wish = ImportTarget.Wish()
        wish.command = RetryCommand.spec.name
        wish.mode = options.mode
        // Where there were several entities, `--entity` is for the lines that name none.
        let isOneOfSeveral = entry.map { Set($0.identity.routes.map(\.entity)).count > 1 } ?? false
        let wished = isOneOfSeveral ? group.entity ?? command.entity : command.entity ?? group.entity
        wish.entity = wished ?? route?.entity
        (wish.key, wish.remoteKey) = (command.key, command.remoteKey?.map(ImportTarget.place))
        if command.key == nil, command.remoteKey == nil, let key = route?.key.flatMap(ImportKey.init(texts:)) {
            (wish.key, wish.remoteKey) = (key.parts.map(\.attribute), key.parts.map(\.remote))
        }
        let source = RetrySource(path: command.file, group: group)
        let target = try ImportTarget(wish, .init(model: command.model, database: command.database))
        if target.key == nil, options.resuming == .resume, FileIdentity(path: rejects) != nil,
            let last = attempt.last, last.state == .finished,
            try last.sources.first.map({ try $0.change(in: source) }) != .same
        {
            return sayThatItWouldDouble("run \(last.run) has imported it as it was before it was changed")
        }
        let job = try ImportJobs.make(
            target, path: group.path, database: command.database, from: [source], options)
        defer { job.close() }
        signals.onStop { job.cancel() }
        var performance = ImportPerformance(job, from: [source], command.output, statesSources: false)
        do {
            let outcome = try performance.run()
            if case .alreadyFinished(let books) = outcome, books.rejected > 0, FileIdentity(path: rejects) == nil {
                // What was refused then is known nowhere any more.
                guard target.key != nil else { return sayThatItWouldDouble("run \(books.run) has imported it") }
                options.resuming = .again
                job.close()
                return try retry(attempt, options)
            }
            total.add(outcome.summary)
            guard case .stopped = outcome else {
                if target.key == nil, !options.isDryRun { RetryCommandRun.mark(rejects) }
                return nil
            }
            console.say("tributary: stopped; to go on run: \(command.continuation)")
            return signals.exitCode ?? ExitCode.failure
        } catch  where options.resuming == .resume && RetryCommandRun.mustBeginAnew(error) {
            guard target.key != nil else { return sayThatItWouldDouble("\(error)") }
            throw error
        } catch {
            console.say(
                "tributary: \(error)\ntributary: \(command.file) stays as it is; to go on run: \(command.continuation)")
            return ExitCode.failure
        }
    }

    /// Records without a key that are imported already would be imported once more.
    private mutating func sayThatItWouldDouble(_ reason: String) -> Int32 {
        console.say(
            """
            tributary: \(reason)
            tributary: \(command.file) stays as it is, as records without a key would be imported twice; take the lines \
            that are not imported yet into another file, and retry that
            """)
        return ExitCode.failure
    }

    /// Sees to it that there is a draft until the lines that are imported are gone from the file.
    private static func mark(_ draft: String) {
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether a file is nobody's but that of a retry that was stopped: it holds rejects alone.
    private static func isDraft(_ path: String) throws -> Bool {
        guard FileIdentity(path: path) != nil else { return true }
        var reader = RejectsReader(path: path)
        while let entry = try reader.next() {
            guard case .line(let line) = entry, line.code != nil, line.origin != nil else { return false }
        }
        return true
    }

    // MARK: The end

    /// Says how it went; `untried` is how many lines there are, if none of them can be tried.
    private mutating func report(_ rewriting: RejectsRewriting, untried: Int?) throws -> Int32 {
        if command.output.isJSON {
            try output.write { $0 += SummaryReport.json(total) }
        } else if !command.output.isQuiet {
            let kept = rewriting.kept == 0 ? "none is left" : "\(Progress.grouped(rewriting.kept)) kept"
            let lines =
                untried.map { "nothing can be tried again" + ($0 == 0 ? "" : ", \(Progress.grouped($0)) kept") }
                ?? "\(Progress.grouped(rewriting.imported)) imported, \(kept)"
            try output.write { $0 += Array("\(command.file): \(lines)\n\(SummaryReport.books(total))\n".utf8) }
        }
        try output.flush()
        if !total.isBalanced {
            console.say("tributary: the books do not balance; this is an error of the program")
            return ExitCode.failure
        }
        return rewriting.kept > 0 || untried ?? 0 > 0 ? ExitCode.rejected : ExitCode.success
    }

    private mutating func reportDryRun() throws -> Int32 {
        try output.write { bytes in
            if command.output.isJSON {
                bytes += SummaryReport.json(total)
            } else if !command.output.isQuiet {
                bytes += Array("a dry run: \(SummaryReport.books(total))\n".utf8)
            }
        }
        try output.flush()
        return SummaryReport.exitCode(total)
    }
}

extension ImportSummary {
    /// Takes the books of another import into these.
    fileprivate mutating func add(_ other: ImportSummary) {
        read += other.read
        counts += other.counts
        bytes += other.bytes
        seconds += other.seconds
        peakMemory = max(peakMemory, other.peakMemory)
        resumedAt = resumedAt ?? other.resumedAt
        run = other.run
    }
}
