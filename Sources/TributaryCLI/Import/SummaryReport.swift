package import Tributary
import TributaryJSON

/// The books of an import, for people and for programs.
package enum SummaryReport {
    /// The counts by their names, in the order in which they stand.
    private static func counts(_ summary: ImportSummary) -> [(name: String, count: Int)] {
        [
            ("inserted", summary.inserted), ("updated", summary.updated), ("unchanged", summary.unchanged),
            ("duplicate", summary.duplicate), ("skipped", summary.skipped), ("rejected", summary.rejected),
        ]
    }

    /// `1,000 read = 990 inserted + 10 rejected`.
    package static func books(_ summary: ImportSummary) -> String {
        // Only an import that has not finished has records that wait.
        let terms = (counts(summary) + [("waiting", summary.waiting)]).filter { $0.count > 0 }
            .map { "\(Progress.grouped($0.count)) \($0.name)" }
        let sign = summary.isBalanced ? "=" : "≠"
        return "\(Progress.grouped(summary.read)) read"
            + (terms.isEmpty ? "" : " \(sign) \(terms.joined(separator: " + "))")
    }

    /// The summary as a person reads it, in lines.
    package static func text(_ summary: ImportSummary) -> String {
        let tenths = Int((summary.seconds * 10).rounded())
        let time = summary.seconds < 60 ? "\(tenths / 10).\(tenths % 10) s" : Progress.time(summary.seconds)
        var text =
            "\(books(summary))\nrun \(summary.run): \(ImportProgress.megabytes(Double(summary.bytes))) in \(time)"
        if summary.seconds > 0 { text += ", \(Progress.grouped(Int(summary.rowsPerSecond))) records a second" }
        text += ", \(summary.peakMemory >> 20) MiB of memory"
        if let record = summary.resumedAt { text += ", gone on behind record \(Progress.grouped(record))" }
        return text + "\n"
    }

    /// The summary as one JSON object on a line.
    package static func json(_ summary: ImportSummary) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("read", summary.read)
        for (name, count) in counts(summary) { writer.add(name, count) }
        if summary.waiting > 0 { writer.add("waiting", summary.waiting) }
        writer.add("bytes", summary.bytes)
        writer.add("seconds", summary.seconds)
        writer.add("rowsPerSecond", summary.rowsPerSecond)
        writer.add("peakMemory", summary.peakMemory)
        if let record = summary.resumedAt { writer.add("resumedAt", record) } else { writer.addNull("resumedAt") }
        writer.add("run", summary.run)
        return writer.finish()
    }

    /// The code that an import ends with that was not stopped: failed, rejected or clean.
    package static func exitCode(_ summary: ImportSummary) -> Int32 {
        !summary.isBalanced ? ExitCode.failure : summary.rejected > 0 ? ExitCode.rejected : ExitCode.success
    }
}
