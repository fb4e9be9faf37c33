import Tributary
import TributaryGraph
import TributaryJSON

/// The messages at the end of a run.
extension ImportCommandRun {
    mutating func report(_ outcome: ImportOutcome, remaining: Int, known: [String], sample: [RowChange]) throws
        -> Int32
    {
        let summary = outcome.summary
        let isFinished = if case .alreadyFinished = outcome { true } else { false }
        if command.output.isJSON {
            try output.write {
                $0 += SummaryReport.json(
                    summary, remaining: remaining, leavesRecords: leavesRecords(summary),
                    sample: command.options.isDryRun ? sample : nil)
            }
        } else if !command.output.isQuiet {
            var text = SummaryReport.text(summary)
            if isFinished {
                text =
                    "already imported by run \(summary.run) and unchanged since; use --again to import it again\n"
                    + SummaryReport.countsLine(summary) + "\n" + SyncText.line(summary.sync)
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
        printSkippedFiles(known)
        printRecordsElsewhere(summary)
        if !command.output.isQuiet {
            for line in InferenceText.lines(
                summary.inferred, isForeign: isForeign,
                offersRelations: command.relations == nil && command.address == nil, reported: stayingJSON
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
        printRejectsHint(summary, remaining)
        if command.options.isDryRun, !command.output.isQuiet { console.say("tributary: dry run: no row was changed") }
        guard case .stopped = outcome else {
            return SummaryReport.exitCode(
                summary, remaining: remaining, isDryRun: command.options.isDryRun && !isFinished,
                leavesRecords: leavesRecords(summary))
        }
        let end =
            command.options.isDryRun || command.options.truncates || command.isStaged
            ? "; nothing was changed" : "; everything read is committed"
        console.say("tributary: stopped after record \(Progress.grouped(summary.read))\(end)")
        printResumeHint(summary)
        return signals.exitCode ?? ExitCode.failure
    }

    /// Prints which files were left out, since a table without a key has their records already.
    private mutating func printSkippedFiles(_ names: [String]) {
        guard !names.isEmpty, names.count < sources.count, !command.output.isQuiet else { return }
        let files = names.count == 1 ? "1 file was" : "\(Progress.grouped(names.count)) files were"
        console.say("tributary: \(files) imported before, and left out: \(names.map(Excerpt.escape).shortList)")
    }

    /// Whether the place of the records was inferred, and the sources hold other records.
    private func leavesRecords(_ summary: ImportSummary) -> Bool {
        command.path == nil && !command.importsAll && summary.outside?.holdsRecords ?? false
    }

    /// Names a column that would keep a table in step with the next dump, if there is one.
    mutating func offerKey(
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

    private mutating func printRecordsElsewhere(_ summary: ImportSummary) {
        guard let outside = summary.outside, !command.output.isQuiet else { return }
        console.say(
            "tributary: \(SummaryReport.leftOut(outside, canAll: command.address == nil && command.key != nil && !command.importsAll))"
        )
    }

    private mutating func printRejectsHint(_ summary: ImportSummary, _ remaining: Int) {
        guard remaining > 0, !command.output.isQuiet else { return }
        let count = remaining == 1 ? "1 record" : "\(Progress.grouped(remaining)) records"
        func line(_ words: [String]) -> String { words.map(ShellWord.quoted).joined(separator: " ") }
        guard command.options.onError == .quarantine else {
            return console.say("tributary: \(count) rejected; use --on-error quarantine or --rejects FILE to keep them")
        }
        if let path = command.options.rejects {
            guard !command.options.isDryRun else { return }
            let model = command.address == nil ? [] : command.model.map { ["--model", $0] } ?? []
            let retry = line(["tributary", "retry", path, "--into", command.database] + model)
            let them = remaining == 1 ? "it" : "them"
            return console.say("tributary: \(count) rejected and kept; fix \(them), then run: \(retry)")
        }
        let rejects = line(["tributary", "rejects", command.database, "--run", "\(summary.run)"])
        console.say("tributary: \(count) rejected and kept in the database; to see them, run: \(rejects)")
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
                "tributary: to continue and keep such records as rejects, run: \(command.quarantineLine)")
        }
        guard summary.run > 0, error.map(ErrorText.mayPass) ?? true else { return }
        let isFed = sources.contains { $0.byteCount == nil }
        console.say(
            "tributary: to resume, \(isFed ? "feed the same input again and " : "")run: \(command.resumeLine)")
    }
}
