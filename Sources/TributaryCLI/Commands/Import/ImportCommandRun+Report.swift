import TributaryImport

/// The messages at the end of a run.
extension ImportCommandRun {
    mutating func report(
        _ outcome: ImportOutcome, remaining: Int, truncated: Int, known: [String], sample: [RowChange]
    ) throws -> Int32 {
        let summary = outcome.summary
        let isFinished = if case .alreadyFinished = outcome { true } else { false }
        let isStopped = if case .stopped = outcome { true } else { false }
        try command.output.print(
            to: output,
            json: SummaryReport.json(
                summary, remaining: remaining, leavesRecords: leavesRecords(summary),
                sample: command.options.isDryRun ? sample : nil),
            text: (isFinished ? SummaryReport.knownText(summary) : SummaryReport.text(summary))
                + ChangesText.lines(sample))
        if !summary.isBalanced {
            console.say(
                "internal error: the counts do not add up: \(SummaryReport.countsLine(summary)); please report it"
            )
            return ExitCode.failure
        }
        printSkippedFiles(known)
        printRecordsElsewhere(summary)
        if !command.output.isQuiet {
            var lines = InferenceText.lines(
                summary.inferred, isForeign: isForeign,
                offersRelations: command.relations == nil && command.address == nil, reported: stayingJSON)
            lines += MappingText.lines(summary.mapping)
            lines += SummaryReport.dangling(summary) + [SyncText.warning(summary.sync)].compactMap(\.self)
            if !isStopped, let line = SummaryReport.unmatched(summary) { lines.append(line) }
            for line in lines { console.say(line) }
        }
        printRejectsHint(summary, remaining - truncated)
        printTruncatedHint(truncated)
        if command.options.isDryRun, !command.output.isQuiet {
            let tried = command.search == nil && command.indexes.isEmpty && command.uniqueIndexes.isEmpty
            console.say(
                "dry run: no row was changed\(tried ? "" : ", and no index tried"); to do it, run: "
                    + command.line(leavingOut: ["--dry-run"]))
        }
        guard isStopped else {
            let code = SummaryReport.exitCode(
                summary, remaining: remaining, isDryRun: command.options.isDryRun && !isFinished,
                leavesRecords: leavesRecords(summary))
            // What is derived from other rows may change without a record that does.
            return code == ExitCode.success && !sample.isEmpty ? ExitCode.changes : code
        }
        let end =
            command.options.isDryRun || command.options.truncates || command.isStaged
            ? "; nothing was changed" : "; everything read is committed"
        console.say("stopped after record \(FigureText.grouped(summary.read))\(end)")
        printResumeHint(summary)
        return signals.exitCode ?? ExitCode.failure
    }

    /// Prints which files were left out, since a table without a key has their records already.
    private mutating func printSkippedFiles(_ names: [String]) {
        guard !names.isEmpty, names.count < sources.count, !command.output.isQuiet else { return }
        let files = FigureText.counted(names.count, "file")
        console.say(
            "\(files) \(names.count == 1 ? "was" : "were") imported before, and left out: \(names.map(Excerpt.escape).shortList)"
        )
    }

    /// Whether the place of the records was inferred, and the sources hold other records.
    private func leavesRecords(_ summary: ImportSummary) -> Bool {
        command.path == nil && !command.importsAll && summary.outside?.holdsRecords ?? false
    }

    /// Names a column that would keep a table in step with the next dump, if there is one.
    mutating func offerKey(
        for entity: String, _ store: SQLiteStore, after summary: ImportSummary, isNamed: Bool
    ) throws {
        guard !command.output.isQuiet, summary.inserted > 0, let offer = try KeyOffer.find(in: entity, of: store)
        else { return }
        let records = "all \(FigureText.grouped(offer.rows)) records"
        let column = (isNamed ? entity + "." : "") + offer.column
        let key = ShellWord.quoted(offer.column)
        let line = command.line(
            leavingOut: ["--append", "--limit", "--truncate"], adding: ["--key", offer.column])
        console.say(
            "\(column) is unique in \(records)"
                + (isNamed ? ": --key \(key) keeps this table in step" : "; to keep this table in step, run: \(line)"))
    }

    /// Tells members of `--where` that no record has, after a run that has read all of them.
    mutating func reportMissingMembers() {
        guard !command.output.isQuiet else { return }
        for (name, others) in command.filter?.missingMembers ?? [] {
            let hint = Suggestion.hint(for: name, among: others).dropFirst(2).description
            let near = hint.isEmpty ? "" : ". " + Excerpt.escape(hint)
            console.say("no record has a member '\(Excerpt.escape(name))', which --where names\(near)")
        }
    }

    /// Names columns that are like those of options of which no record has had a value.
    mutating func suggestColumns(_ summary: ImportSummary, _ store: SQLiteStore) throws {
        guard !command.output.isQuiet, let unmatched = summary.unmatched else { return }
        let model = try store.read { try StoredModel.read(on: $0) }
        let rules = command.inference.shaping?.rules?.filter { !$1.conversions.isEmpty } ?? [:]
        let stated = Set(rules.keys).union(command.inference.types.keys)
        for (entity, names) in unmatched.sorted(by: { $0.key < $1.key }) {
            let columns = model?.entities.first { $0.name == entity }?.attributes.map(\.name) ?? []
            for name in stated.sorted() where names.contains(Excerpt.escape(name)) {
                guard let near = Suggestion.nearest(to: name, among: columns.filter { $0 != name }) else { continue }
                console.say("no record has '\(Excerpt.escape(name))'; did you mean '\(Excerpt.escape(near))'?")
            }
        }
    }

    private mutating func printRecordsElsewhere(_ summary: ImportSummary) {
        guard let outside = summary.outside, !command.output.isQuiet else { return }
        console.say(
            SummaryReport.leftOut(outside) { [command] places in
                let names: Set = ["--at", "--entity"]
                let canAll = command.address == nil && command.key != nil && places.count > 1
                return command.line(leavingOut: names, adding: canAll ? ["--all"] : ["--at", places[0]])
            })
    }

    private mutating func printRejectsHint(_ summary: ImportSummary, _ remaining: Int) {
        guard remaining > 0, !command.output.isQuiet else { return }
        let count = FigureText.counted(remaining, "record")
        guard command.options.onError == .quarantine else {
            // Without a key another run would add the records again.
            let keeps = command.options.isDryRun || command.key == nil && command.model == nil
            let line = command.line(
                leavingOut: ["--on-error", "--max-errors"], adding: ["--on-error", "quarantine", "--again"])
            return console.say(
                "\(count) rejected and not kept"
                    + (keeps ? "; --on-error quarantine keeps them" : "; to keep them, run: \(line)"))
        }
        if let path = command.options.rejects {
            guard !command.options.isDryRun else { return }
            let model = command.address == nil ? [] : command.model.map { ["--model", $0] } ?? []
            let retry = CommandText.line("retry", [command.database, path], model)
            let them = remaining == 1 ? "it" : "them"
            return console.say("\(count) rejected and kept; fix \(them), then run: \(retry)")
        }
        let rejects = CommandText.line("rejects", [command.database], ["--run", "\(summary.run)"])
        console.say("\(count) rejected and kept in the database; to see them, run: \(rejects)")
    }

    /// Prints what to do about rejects that cannot be retried, since only their first bytes are kept.
    private mutating func printTruncatedHint(_ count: Int) {
        guard count > 0, !command.output.isQuiet else { return }
        let limit = "\(command.options.reading.limits.rejectedBytes >> 10) KiB"
        let each = count == 1 ? "" : " of each"
        console.say(
            "\(FigureText.counted(count, "record")) rejected, of which only the first \(limit)\(each) are kept; "
                + "fix the source, and import it again")
    }

    /// Prints the command that resumes the run: the same one, if it can succeed as it is.
    mutating func printResumeHint(_ summary: ImportSummary, after error: (any Error)? = nil) {
        // A run of PostgreSQL may not have begun, because a first reading has found the error.
        guard summary.run > 0 || command.address != nil, !command.options.isDryRun, !command.options.truncates,
            !command.isStaged
        else { return }
        let isRecord =
            (error as? ImportError)?.remedy == .quarantine
            || (error as? JSONError)?.code.description.hasPrefix("syntax.") ?? false
        if isRecord, command.options.onError == .stop, error.flatMap(otherFormat) == nil {
            return console.say(
                "to continue and keep such records as rejects, run: \(command.line(leavingOut: ["--on-error"], adding: ["--on-error", "quarantine"]))"
            )
        }
        guard summary.run > 0, error.map(ErrorText.mayPass) ?? true else { return }
        let isFed = sources.contains { !$0.canBeReadTwice && !($0 is any VersionedSource) }
        console.say("to resume, \(isFed ? "feed the same input again and " : "")run: \(command.resumeLine)")
    }
}
