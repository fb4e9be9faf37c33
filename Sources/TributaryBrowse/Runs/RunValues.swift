import Foundation
import TributaryImport

/// A run as its row and its page show it.
struct RunValues {
    private let entry: JournalEntry
    private let work: RunWork
    private let kept: Int

    /// A run, of whose rejects `kept` are in the database.
    init(_ entry: JournalEntry, _ work: RunWork, kept: Int) {
        (self.entry, self.work, self.kept) = (entry, work, kept)
    }

    /// The state in one word, also for the colour of its badge.
    private var state: String {
        switch entry.state {
        case .running: work.isRunning(entry) ? "running" : "interrupted"
        case .finished: "done"
        default: entry.state.rawValue
        }
    }

    /// What the templates show.
    var values: PageValues {
        let summary = entry.summary
        let entities = entry.routes.map(\.entity)
        var sources = entry.shortSourceNames.prefix(3).joined(separator: ", ")
        if entry.sourceNames.count > 3 { sources += " and \(FigureText.grouped(entry.sourceNames.count - 3)) more" }
        let counts: [(name: String, count: Int)] =
            RecordOutcome.allCases.map { ("\($0)", summary.counts[$0]) } + [("waiting", summary.waiting)]
        var values: PageValues = [
            "number": .number(entry.run),
            "address": .text(PageRequest.address(["runs", "\(entry.run)"])),
            "from": .text(sources),
            "entities": .list(
                Array(Set(entities)).sorted().map {
                    ["name": .text($0), "address": .text(PageRequest.address(["e", $0]))]
                }),
            "state": .text(state),
            "mode": .text(entry.mode == .upsert ? "" : entry.mode.rawValue),
            "started": .text(entry.started.formatted(.iso8601)),
            "updated_at": .text(entry.updated.formatted(.iso8601)),
            "minute": .text(String(entry.updated.formatted(.iso8601).prefix(16)).replacing("T", with: " ")),
            "read": .text(FigureText.grouped(summary.read)),
            "deleted": .text(FigureText.grouped(summary.sync?.deletedCount ?? 0)),
            "hasSync": .flag(summary.sync != nil),
            "duration": .text(summary.seconds < 1 ? "<1 s" : FigureText.time(summary.seconds)),
            "speed": .text(summary.seconds < 1 ? "" : FigureText.grouped(Int(summary.rowsPerSecond))),
            "size": .text(FigureText.size(Double(summary.bytes))),
            "memory": .text(summary.peakMemory > 0 ? "\(summary.peakMemory >> 20) MiB" : ""),
            "kept": .text(kept > 0 ? FigureText.grouped(kept) : ""),
            "failure": .text(entry.failure ?? ""),
            // Each record read has one outcome, or waits for the end of a load.
            "books": .list(
                counts.filter { $0.count > 0 }.enumerated().map { index, item in
                    [
                        "sign": index > 0 ? "+" : summary.isBalanced ? "=" : "≠", "name": .text(item.name),
                        "count": .text(FigureText.grouped(item.count)),
                    ]
                }),
            "other": .text(FigureText.grouped(summary.duplicate + summary.skipped + summary.waiting)),
            "isBalanced": .flag(summary.isBalanced),
        ]
        for (name, count) in counts { values[name] = .text(FigureText.grouped(count)) }
        return values
    }
}
