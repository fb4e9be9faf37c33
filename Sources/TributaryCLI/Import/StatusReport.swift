import Foundation
package import Tributary
import TributaryJSON

/// A run of the journal as text and as JSON.
package enum StatusReport {
    /// Who works on a run.
    package enum Work {
        /// The process that writes the file of the database, if there is one.
        case process(Int?)
        /// The processes that work on the run, on any machine.
        case processes([String])
    }

    /// The state of a run in words.
    package static func state(_ entry: JournalEntry, _ work: Work) -> String {
        switch entry.state {
        case .finished: "finished"
        case .failed: "failed" + (entry.failure.map { ": \($0)" } ?? "")
        case .stopped: "stopped"
        case .abandoned: "abandoned"
        case .undone: "undone"
        case .running:
            switch work {
            case .process(let number?): "running in process \(number), or interrupted"
            case .processes(let names) where !names.isEmpty: "running: \(names.joined(separator: "; "))"
            case .process, .processes: "interrupted"
            }
        }
    }

    /// A run as two lines of text; `rejects` is the number of its rejects in the database.
    package static func text(_ entry: JournalEntry, rejects: Int, _ work: Work) -> String {
        let sources = entry.sourceNames.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let entities = entry.routes.map(\.entity).joined(separator: ", ")
        var text = "run \(entry.run)  \(date(entry.updated))  "
        text += "\(sources.map(Excerpt.escape).shortList) into \(Excerpt.escape(entities))"
        if entry.mode != .upsert { text += ", \(entry.mode.rawValue)" }
        text += "  \(Excerpt.escape(state(entry, work)))\n"
        text += "    \(SummaryReport.countsLine(entry.summary))"
        if rejects > 0 { text += ", \(Progress.grouped(rejects)) of them kept" }
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
    package static func json(_ entry: JournalEntry, rejects: Int, _ work: Work = .process(nil)) -> [UInt8] {
        var writer = JSONLineWriter()
        let summary = entry.summary
        writer.add("run", entry.run)
        writer.add("state", entry.state.rawValue)
        writer.add("phase", entry.phase.rawValue)
        writer.add("started", date(entry.started))
        writer.add("updated", date(entry.updated))
        writer.add("sources", json: array(entry.sourceNames))
        writer.add("entities", json: array(entry.routes.map(\.entity)))
        writer.add("mode", entry.mode.rawValue)
        writer.add("read", summary.read)
        for (name, count) in SummaryReport.counts(summary.counts) { writer.add(name, count) }
        writer.add("bytes", summary.bytes)
        writer.add("seconds", summary.seconds)
        writer.add("kept", rejects)
        writer.add("leftOut", json: SummaryReport.leftOutJSON(summary.outside))
        writer.add("inferred", json: InferenceText.json(summary.inferred))
        writer.add("unmatched", json: SummaryReport.unmatchedJSON(summary))
        if let sync = summary.sync { writer.add("sync", json: SyncText.json(sync)) }
        if case .processes(let names) = work { writer.add("workers", json: array(names)) }
        if let failure = entry.failure { writer.add("failure", failure) } else { writer.addNull("failure") }
        return writer.finish()
    }

    /// The references that wait, as a line of text.
    static func text(waiting: [String: Int]) -> [UInt8] {
        let list = waiting.sorted { $0.key < $1.key }.map {
            "\(Excerpt.escape($0.key)) (\(Progress.grouped($0.value)))"
        }
        return Array("references waiting for missing objects: \(list.joined(separator: ", "))\n".utf8)
    }

    /// The references that wait, as one JSON object on a line.
    static func json(waiting: [String: Int]) -> [UInt8] {
        var counts = JSONLineWriter()
        for (name, count) in waiting.sorted(by: { $0.key < $1.key }) { counts.add(name, count) }
        var writer = JSONLineWriter()
        writer.add("waiting", json: counts.finish().dropLast())
        return writer.finish()
    }

    private static func array(_ texts: [String]) -> [UInt8] {
        var bytes = Array("[".utf8)
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += JSONLineWriter.quoted(text)
        }
        return bytes + Array("]".utf8)
    }

    private static func date(_ date: Date) -> String { date.formatted(.iso8601) }
}
