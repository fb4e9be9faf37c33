package import Tributary
import TributaryStore
import TributaryJSON

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
        let terms = counts.filter { $0.count > 0 }.map { "\(Progress.grouped($0.count)) \($0.name)" }
        return "\(Progress.grouped(read)) read" + (terms.isEmpty ? "" : " \(sign) \(terms.joined(separator: " + "))")
    }

    /// The summary as lines of text.
    package static func text(_ summary: ImportSummary) -> String {
        var text = "\(countsLine(summary))\n\(relatedLine(summary))\(SyncText.line(summary.sync))run \(summary.run): "
        // Below a second the pace says nothing.
        if summary.seconds < 1 {
            text += "less than a second"
        } else {
            let tenths = Int((summary.seconds * 10).rounded())
            let time = summary.seconds < 60 ? "\(tenths / 10).\(tenths % 10) s" : Progress.time(summary.seconds)
            text += "\(ImportProgress.megabytes(Double(summary.bytes))) in \(time)"
            text += ", \(Progress.grouped(Int(summary.rowsPerSecond))) records a second"
        }
        text += ", \(summary.peakMemory >> 20) MiB of memory"
        if let record = summary.resumedAt { text += ", resumed after record \(Progress.grouped(record))" }
        return text + "\n"
    }

    /// The outcomes of objects inside of records, as a line; empty if there are none.
    private static func relatedLine(_ summary: ImportSummary) -> String {
        let entities = (summary.related ?? [:]).sorted { $0.key < $1.key }.map { entity, outcomes in
            let terms = counts(outcomes).filter { $0.count > 0 }.map { "\(Progress.grouped($0.count)) \($0.name)" }
            return "\(Excerpt.escape(entity)) \(terms.joined(separator: " + "))"
        }
        return entities.isEmpty ? "" : "inside them: \(entities.joined(separator: ", "))\n"
    }

    /// The summary as one JSON object on a line; `remaining` is the number of rejects that were not retried.
    package static func json(
        _ summary: ImportSummary, remaining: Int? = nil, leavesRecords: Bool = false, sample: [RowChange]? = nil
    ) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("read", summary.read)
        for (name, count) in counts(summary.counts) { writer.add(name, count) }
        if summary.waiting > 0 { writer.add("waiting", summary.waiting) }
        writer.add("bytes", summary.bytes)
        writer.add("seconds", summary.seconds)
        writer.add("rowsPerSecond", summary.rowsPerSecond)
        writer.add("peakMemory", summary.peakMemory)
        if let record = summary.resumedAt { writer.add("resumedAt", record) } else { writer.addNull("resumedAt") }
        writer.add("run", summary.run)
        writer.add("leftOut", json: leftOutJSON(summary.outside))
        writer.add("inferred", json: InferenceText.json(summary.inferred))
        writer.add("unmatched", json: unmatchedJSON(summary))
        writer.add("mapping", json: MappingText.json(summary.mapping))
        writer.add("related", json: relatedJSON(summary.related))
        var dangling = JSONLineWriter()
        for (name, count) in (summary.dangling ?? [:]).sorted(by: { $0.key < $1.key }) { dangling.add(name, count) }
        writer.add("dangling", json: Array(dangling.finish().dropLast()))
        if let sync = summary.sync { writer.add("sync", json: SyncText.json(sync)) }
        if let sample { writer.add("sample", json: ChangesText.json(sample, run: summary.run)) }
        let attention =
            ((remaining ?? summary.rejected) > 0 ? ["\"rejected\""] : []) + (leavesRecords ? ["\"leftOut\""] : [])
            + (summary.sync?.unidentified ?? 0 > 0 ? ["\"sync\""] : [])
        writer.add("attention", json: Array("[\(attention.joined(separator: ","))]".utf8))
        return writer.finish()
    }

    private static func relatedJSON(_ related: [String: RecordCounts]?) -> [UInt8] {
        var object = JSONLineWriter()
        for (entity, outcomes) in (related ?? [:]).sorted(by: { $0.key < $1.key }) {
            var line = JSONLineWriter()
            for (name, count) in counts(outcomes) { line.add(name, count) }
            object.add(entity, json: Array(line.finish().dropLast()))
        }
        return Array(object.finish().dropLast())
    }

    /// What waits or is missing, as one line; nil if nothing does.
    package static func dangling(_ summary: ImportSummary, _ policy: ImportOptions.Dangling) -> String? {
        guard let dangling = summary.dangling else { return nil }
        let names = dangling.sorted { $0.key < $1.key }.map {
            "\(Excerpt.escape($0.key)) (\(Progress.grouped($0.value)))"
        }
        let what =
            policy == .null ? "references to missing objects, left empty" : "references waiting for missing objects"
        return "\(what): \(names.shortList)"
    }

    // MARK: Paths without a value

    /// The mapped attributes without a value in any record, as one line; nil if there are none.
    package static func unmatched(_ summary: ImportSummary) -> String? {
        guard let unmatched = summary.unmatched, summary.read > summary.rejected else { return nil }
        let names = unmatched.sorted { $0.key < $1.key }.flatMap { entity, paths in
            paths.map { unmatched.count > 1 ? "\(Excerpt.escape(entity)).\($0)" : $0 }
        }
        let records =
            summary.read == 1 ? "the one record has no" : "none of \(Progress.grouped(summary.read)) records has a"
        return "\(records) value for \(names.shortList); check the names and paths of the mapping"
    }

    /// The mapped attributes without a value as a JSON object by entity.
    static func unmatchedJSON(_ summary: ImportSummary) -> [UInt8] {
        var object = JSONLineWriter()
        for (entity, paths) in (summary.unmatched ?? [:]).sorted(by: { $0.key < $1.key }) {
            let list = paths.map { String(decoding: JSONLineWriter.quoted($0), as: UTF8.self) }
            object.add(entity, json: Array("[\(list.joined(separator: ","))]".utf8))
        }
        return Array(object.finish().dropLast())
    }

    // MARK: Outside of the records

    /// What the sources contain besides their records, and how to import it.
    package static func leftOut(_ outside: OutsideReport, canAll: Bool = false) -> String {
        let withoutRecords = outside.values.filter { !$0.holdsRecords }
        let values =
            outside.values.filter(\.holdsRecords) + withoutRecords.filter { $0.innerObjects > 0 }
            + withoutRecords.filter { $0.innerObjects == 0 }
        let shown = values.prefix(5).map(\.description)
        let hidden = values.count - shown.count + outside.others
        var text = "left out: \(shown.joined(separator: ", "))"
        if hidden > 0 {
            text += " and \(Progress.grouped(hidden)) more\(outside.othersHoldRecords ? ", with records" : "")"
        }
        let places = values.prefix(5).filter(\.holdsRecords).map { "--at \(ShellWord.quoted($0.recordPath))" }
        if !places.isEmpty {
            text +=
                "; import \(places.count == 1 ? "it" : "them") with \(places.joined(separator: " or "))\(canAll ? " or --all" : "")"
        }
        return text
    }

    /// The values besides the records as a JSON array of objects.
    static func leftOutJSON(_ outside: OutsideReport?) -> [UInt8] {
        var bytes = Array("[".utf8)
        for (index, values) in (outside?.values ?? []).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            var writer = JSONLineWriter()
            writer.add("path", values.path)
            writer.add("kind", values.kind.rawValue)
            writer.add("count", values.count)
            if values.kind != .scalar {
                writer.add("contents", values.contents)
                writer.add("objects", values.objects)
                writer.add("innerObjects", values.innerObjects)
            }
            bytes += writer.finish().dropLast()
        }
        return bytes + Array("]".utf8)
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
        func add(_ count: Int, _ what: String) { if count > 0 { lines.append("\(Progress.grouped(count)) \(what)") } }
        add(summary.unusable, "not retried: truncated, or not JSON")
        add(summary.gone, "not in this database: imported since, forgotten, or rejected by another one")
        add(summary.foreign, "from another database")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The summary of a retry as one JSON object on a line.
    package static func json(_ summary: RetrySummary) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("read", summary.read)
        for (name, count) in counts(summary.counts) { writer.add(name, count) }
        for (name, count) in [("unusable", summary.unusable), ("gone", summary.gone), ("foreign", summary.foreign)] {
            writer.add(name, count)
        }
        writer.add("seconds", summary.seconds)
        let attention = [
            ("rejected", summary.counts.rejected), ("unusable", summary.unusable), ("foreign", summary.foreign),
        ]
        .filter { $0.1 > 0 }.map { "\"\($0.0)\"" }
        writer.add("attention", json: Array("[\(attention.joined(separator: ","))]".utf8))
        return writer.finish()
    }

    /// The exit code of a retry that was not stopped.
    package static func exitCode(_ summary: RetrySummary, isDryRun: Bool) -> Int32 {
        summary.left + summary.foreign > 0 ? ExitCode.attention : exitCode(summary.counts, isDryRun)
    }
}
