package import Tributary
import TributaryGraph
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
        let tenths = Int((summary.seconds * 10).rounded())
        let time = summary.seconds < 60 ? "\(tenths / 10).\(tenths % 10) s" : Progress.time(summary.seconds)
        var text =
            "\(countsLine(summary))\nrun \(summary.run): \(ImportProgress.megabytes(Double(summary.bytes))) in \(time)"
        if summary.seconds > 0 { text += ", \(Progress.grouped(Int(summary.rowsPerSecond))) records a second" }
        text += ", \(summary.peakMemory >> 20) MiB of memory"
        if let record = summary.resumedAt { text += ", resumed after record \(Progress.grouped(record))" }
        return text + "\n"
    }

    /// The summary as one JSON object on a line; `remaining` is the number of rejects that were not retried.
    package static func json(_ summary: ImportSummary, remaining: Int? = nil) -> [UInt8] {
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
        writer.add("attention", json: Array(((remaining ?? summary.rejected) > 0 ? "[\"rejected\"]" : "[]").utf8))
        return writer.finish()
    }

    /// The exit code of an import that was not stopped; `remaining` is the number of rejects that were not retried.
    package static func exitCode(_ summary: ImportSummary, remaining: Int? = nil, isDryRun: Bool = false) -> Int32 {
        var counts = summary.counts
        counts.rejected = remaining ?? counts.rejected
        return summary.isBalanced ? exitCode(counts, isDryRun) : ExitCode.failure
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
