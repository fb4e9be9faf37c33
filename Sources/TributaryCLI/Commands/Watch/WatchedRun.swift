import Foundation
import TributaryImport

/// A run of an import in another process, as its entries in the journal tell of it.
struct WatchedRun {
    /// The latest entry.
    private(set) var entry: JournalEntry
    private var progress: ImportProgress

    /// A run whose entry was read for the first time.
    init(_ entry: JournalEntry) {
        self.entry = entry
        progress = ImportProgress(totalBytes: entry.totalBytes)
    }

    /// Takes a later entry, and returns the line of the run.
    mutating func line(_ entry: JournalEntry, now: Date = Date()) -> String {
        self.entry = entry
        return "run \(entry.run)  \(names)  \(progress.line(entry.moment(now)))"
    }

    /// How the run has ended, in a line.
    var ending: String {
        let state = RunWork.process(nil).state(of: entry)
        return "run \(entry.run)  \(names)  \(Excerpt.escape(state)): \(SummaryReport.countsLine(entry.summary))"
    }

    /// The file that is read, with its place among several, and the entities.
    private var names: String {
        let (source, number) = entry.currentSource
        var text = Excerpt.escape(source)
        if entry.sourceNames.count > 1 { text += " (\(number) of \(entry.sourceNames.count))" }
        return text + " into \(entry.routes.map(\.entity).map { Excerpt.escape($0) }.shortList)"
    }
}
