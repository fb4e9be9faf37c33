package import TributaryImport

/// The counts of an import or a retry as text and as JSON.
package enum SummaryReport {
    /// The counts with their names, in the order in which they are printed.
    static func counts(_ counts: RecordCounts) -> [(name: String, count: Int)] {
        RecordOutcome.allCases.map { ("\($0)", counts[$0]) }
    }

    /// The counts as text: `1,000 read = 990 inserted + 10 rejected`.
    package static func countsLine(_ summary: ImportSummary) -> String {
        // Only an unfinished import has waiting records.
        let sign = summary.isBalanced ? "=" : "≠"
        return line(summary.read, counts(summary.counts) + [("waiting", summary.waiting)], sign: sign)
    }

    private static func line(_ read: Int, _ counts: [(name: String, count: Int)], sign: String = "=") -> String {
        let terms = terms(counts)
        return "\(FigureText.grouped(read)) read" + (terms.isEmpty ? "" : " \(sign) \(terms)")
    }

    private static func terms(_ counts: [(name: String, count: Int)]) -> String {
        counts.filter { $0.count > 0 }.map { "\(FigureText.grouped($0.count)) \($0.name)" }.joined(separator: " + ")
    }

    /// The summary as lines of text.
    package static func text(_ summary: ImportSummary) -> String {
        var text = "\(countsLine(summary))\n\(relatedLine(summary))\(SyncText.line(summary.sync))run \(summary.run): "
        // Below a second the pace says nothing.
        if summary.seconds < 1 {
            text += "less than a second"
        } else {
            let tenths = Int((summary.seconds * 10).rounded())
            let time = summary.seconds < 60 ? "\(tenths / 10).\(tenths % 10) s" : FigureText.time(summary.seconds)
            text += "\(FigureText.size(Double(summary.bytes))) in \(time)"
            text += ", \(FigureText.grouped(Int(summary.rowsPerSecond))) records a second"
        }
        text += ", \(summary.peakMemory >> 20) MiB of memory"
        if let record = summary.resumedAt { text += ", resumed after record \(FigureText.grouped(record))" }
        return text + "\n"
    }

    /// The summary of a run that has imported the same sources before, as lines of text.
    static func knownText(_ summary: ImportSummary) -> String {
        "already imported by run \(summary.run) and unchanged since; use --again to import it again\n"
            + "\(countsLine(summary))\n\(SyncText.line(summary.sync))"
    }

    /// The outcomes of objects inside of records, as a line; empty if there are none.
    private static func relatedLine(_ summary: ImportSummary) -> String {
        let entities = (summary.related ?? [:]).sorted { $0.key < $1.key }.map { entity, outcomes in
            "\(Excerpt.escape(entity)) \(terms(counts(outcomes)))"
        }
        return entities.isEmpty ? "" : "inside them: \(entities.joined(separator: ", "))\n"
    }

    /// The summary as one JSON object on a line; `remaining` is the number of rejects that were not retried.
    package static func json(
        _ summary: ImportSummary, remaining: Int? = nil, leavesRecords: Bool = false, sample: [RowChange]? = nil
    ) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("read", summary.read)
        writer.add(summary.counts)
        if summary.waiting > 0 { writer.add("waiting", summary.waiting) }
        writer.add("bytes", summary.bytes)
        writer.add("seconds", summary.seconds)
        writer.add("rowsPerSecond", summary.rowsPerSecond)
        writer.add("peakMemory", summary.peakMemory)
        writer.add("resumedAt", summary.resumedAt)
        writer.add("run", summary.run)
        writer.addFindings(summary)
        MappingText.add(summary.mapping, to: &writer)
        writer.add("related", of: summary.related) { object, entity, outcomes in
            object.add(entity) { $0.add(outcomes) }
        }
        writer.add("dangling", summary.dangling)
        if let sync = summary.sync { SyncText.add(sync, to: &writer) }
        if let sample {
            writer.add("sample", json: JSONLineWriter.array(sample.map { $0.jsonLine(run: summary.run).dropLast() }))
        }
        let attention = [
            ("rejected", (remaining ?? summary.rejected) > 0), ("leftOut", leavesRecords),
            ("sync", summary.sync?.unidentified ?? 0 > 0),
        ]
        writer.add("attention", attention.filter(\.1).map(\.0))
        return writer.finish()
    }

    /// What waits and what was left empty, a line for each.
    package static func dangling(_ summary: ImportSummary) -> [String] {
        let groups = Dictionary(grouping: summary.dangling ?? [:]) { summary.emptied?.contains($0.key) ?? false }
        let texts = [
            (false, "references waiting for missing objects"), (true, "references to missing objects, left empty"),
        ]
        return texts.compactMap { isEmptied, text in
            groups[isEmptied].map { "\(text): \(counted(Dictionary(uniqueKeysWithValues: $0)).shortList)" }
        }
    }

    /// Counts in the order of their names, as in `Book.author (1,000)`.
    static func counted(_ counts: [String: Int]) -> [String] {
        counts.sorted { $0.key < $1.key }.map { "\(Excerpt.escape($0.key)) (\(FigureText.grouped($0.value)))" }
    }

    /// Tables with their counts in the order of their names, as in `books 1,000, authors 20`.
    static func tables(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\(Excerpt.escape($0.key)) \(FigureText.grouped($0.value))" }
            .joined(separator: ", ")
    }

    // MARK: Paths without a value

    /// The mapped attributes without a value in any record, as one line; nil if there are none.
    package static func unmatched(_ summary: ImportSummary) -> String? {
        guard let unmatched = summary.unmatched, summary.read > summary.rejected else { return nil }
        let names = unmatched.sorted { $0.key < $1.key }.flatMap { entity, paths in
            paths.map { unmatched.count > 1 ? "\(Excerpt.escape(entity)).\($0)" : $0 }
        }
        let records =
            summary.read == 1 ? "the one record has no" : "none of \(FigureText.grouped(summary.read)) records has a"
        return "\(records) value for \(names.shortList); check the names and paths of the mapping"
    }

    // MARK: Outside of the records

    /// What the sources contain besides their records; `line` is the command that imports the records at some places.
    package static func leftOut(_ outside: OutsideReport, line: (([String]) -> String)? = nil) -> String {
        let withoutRecords = outside.values.filter { !$0.holdsRecords }
        let values =
            outside.values.filter(\.holdsRecords) + withoutRecords.filter { $0.innerObjects > 0 }
            + withoutRecords.filter { $0.innerObjects == 0 }
        let shown = values.prefix(5).map(\.description)
        let hidden = values.count - shown.count + outside.others
        var text = "left out: \(shown.joined(separator: ", "))"
        if hidden > 0 {
            text += " and \(FigureText.grouped(hidden)) more\(outside.othersHoldRecords ? ", with records" : "")"
        }
        let places = values.prefix(5).filter(\.holdsRecords).map(\.recordPath)
        guard !places.isEmpty else { return text }
        if let line { return "\(text); to import \(places.count == 1 ? "it" : "them"), run: \(line(places))" }
        return "\(text); import \(places.count == 1 ? "it" : "them") with "
            + places.map { "--at \(ShellWord.quoted($0))" }.joined(separator: " or ")
    }

    /// The exit code of an import that was not stopped; `remaining` is the number of rejects that were not retried.
    ///
    /// `leavesRecords` tells whether there are records outside of the place that was inferred.
    package static func exitCode(
        _ summary: ImportSummary, remaining: Int? = nil, isDryRun: Bool = false, leavesRecords: Bool = false
    ) -> Int32 {
        guard summary.isBalanced else { return ExitCode.failure }
        let isRejected = (remaining ?? summary.counts.rejected) > 0
        if leavesRecords || isRejected || summary.sync?.unidentified ?? 0 > 0 { return ExitCode.attention }
        if isDryRun, let sync = summary.sync, sync.refusal != nil || sync.deletedCount + sync.restored > 0 {
            return ExitCode.changes
        }
        var counts = summary.counts
        counts.rejected = remaining ?? counts.rejected
        for related in (summary.related ?? [:]).values {
            counts.inserted += related.inserted
            counts.updated += related.updated
        }
        return exitCode(counts, isDryRun)
    }

    private static func exitCode(_ counts: RecordCounts, _ isDryRun: Bool) -> Int32 {
        if counts.rejected > 0 { return ExitCode.attention }
        return isDryRun && counts.inserted + counts.updated > 0 ? ExitCode.changes : ExitCode.success
    }

    // MARK: Retries

    /// The summary of a retry as lines of text.
    package static func text(_ summary: RetrySummary) -> String {
        var lines = [line(summary.read, counts(summary.counts))]
        func add(_ count: Int, _ what: String) { if count > 0 { lines.append("\(FigureText.grouped(count)) \(what)") } }
        add(summary.unusable, "not retried: truncated, or not JSON")
        add(summary.gone, "not in this database: imported since, forgotten, or rejected by another one")
        add(summary.foreign, "from another database")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The summary of a retry as one JSON object on a line.
    package static func json(_ summary: RetrySummary) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("read", summary.read)
        writer.add(summary.counts)
        writer.add("unusable", summary.unusable)
        writer.add("gone", summary.gone)
        writer.add("foreign", summary.foreign)
        writer.add("seconds", summary.seconds)
        let attention = [
            ("rejected", summary.counts.rejected), ("unusable", summary.unusable), ("foreign", summary.foreign),
        ]
        writer.add("attention", attention.filter { $0.1 > 0 }.map(\.0))
        return writer.finish()
    }

    /// The exit code of a retry that was not stopped.
    package static func exitCode(_ summary: RetrySummary, isDryRun: Bool) -> Int32 {
        summary.left + summary.foreign > 0 ? ExitCode.attention : exitCode(summary.counts, isDryRun)
    }
}

extension JSONLineWriter {
    /// Adds a member for each outcome of records.
    mutating func add(_ counts: RecordCounts) {
        for (name, count) in SummaryReport.counts(counts) { add(name, count) }
    }

    /// Adds what an import has found: values outside of its records, inferred columns, and attributes without a value.
    mutating func addFindings(_ summary: ImportSummary) {
        let outside = (summary.outside?.values ?? []).map { values in
            JSONLineWriter.object { writer in
                writer.add("path", values.path)
                writer.add("kind", values.kind.rawValue)
                writer.add("count", values.count)
                guard values.kind != .scalar else { return }
                writer.add("contents", values.contents)
                writer.add("objects", values.objects)
                writer.add("innerObjects", values.innerObjects)
            }
        }
        add("leftOut", json: JSONLineWriter.array(outside))
        InferenceText.add(summary.inferred, to: &self)
        add("unmatched", of: summary.unmatched) { $0.add($1, $2) }
    }
}
