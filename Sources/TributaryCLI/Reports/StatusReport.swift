package import TributaryImport
import Foundation

/// A run of the journal as text and as JSON.
package enum StatusReport {
    /// A run as two lines of text; `rejects` is the number of its rejects in the database.
    package static func text(_ entry: JournalEntry, rejects: Int, _ work: RunWork) -> String {
        let sources = entry.shortSourceNames
        let entities = entry.routes.map(\.entity).joined(separator: ", ")
        var text = "run \(entry.run)  \(date(entry.updated))  "
        text += "\(sources.map(Excerpt.escape).shortList) into \(Excerpt.escape(entities))"
        if entry.mode != .upsert { text += ", \(entry.mode.rawValue)" }
        text += "  \(Excerpt.escape(work.state(of: entry)))\n"
        text += "    \(SummaryReport.countsLine(entry.summary))"
        if rejects > 0 { text += ", \(FigureText.grouped(rejects)) of them kept" }
        text += "\n"
        let deleted = SyncText.line(entry.summary.sync)
        if !deleted.isEmpty { text += "    \(deleted)" }
        if let outside = entry.summary.outside { text += "    \(SummaryReport.leftOut(outside))\n" }
        for line in InferenceText.lines(entry.summary.inferred, isForeign: entry.hasForeignTable) {
            text += "    \(line)\n"
        }
        if entry.state == .finished, let line = SummaryReport.unmatched(entry.summary) { text += "    \(line)\n" }
        return text
    }

    /// A run as one JSON object on a line.
    package static func json(_ entry: JournalEntry, rejects: Int, _ work: RunWork = .process(nil)) -> [UInt8] {
        var writer = JSONLineWriter()
        let summary = entry.summary
        writer.add("run", entry.run)
        writer.add("state", entry.state.rawValue)
        writer.add("phase", entry.phase.rawValue)
        writer.add("started", date(entry.started))
        writer.add("updated", date(entry.updated))
        writer.add("sources", entry.sourceNames)
        writer.add("entities", entry.routes.map(\.entity))
        writer.add("mode", entry.mode.rawValue)
        writer.add("read", summary.read)
        writer.add(summary.counts)
        writer.add("bytes", summary.bytes)
        writer.add("seconds", summary.seconds)
        writer.add("kept", rejects)
        writer.addFindings(summary)
        if let sync = summary.sync { SyncText.add(sync, to: &writer) }
        if case .processes(let names) = work { writer.add("workers", names) }
        writer.add("failure", entry.failure)
        return writer.finish()
    }

    /// The references that wait, as a line of text.
    static func text(waiting: [String: Int]) -> String {
        "references waiting for missing objects: \(SummaryReport.counted(waiting).joined(separator: ", "))\n"
    }

    /// The references that wait, as one JSON object on a line.
    static func json(waiting: [String: Int]) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("waiting", waiting)
        return writer.finish()
    }

    private static func date(_ date: Date) -> String { date.formatted(.iso8601) }
}
