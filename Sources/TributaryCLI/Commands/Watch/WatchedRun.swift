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
        progress = ImportProgress(totalBytes: WatchedRun.totalBytes(of: entry))
    }

    /// Takes a later entry, and returns the line of the run.
    mutating func line(_ entry: JournalEntry, now: Date = Date()) -> String {
        self.entry = entry
        let isReading = entry.phase == .load
        // The speed is that between two commits; an entry without a commit says nothing new.
        let time = isReading ? entry.updated : now
        let moment = ImportProgress.Moment(
            read: entry.summary.read, rejected: entry.summary.rejected, phase: isReading ? .reading : .publishing,
            storedBytes: WatchedRun.storedBytes(of: entry), seconds: time.timeIntervalSince(entry.started))
        return "run \(entry.run)  \(names)  \(progress.line(moment))"
    }

    /// How the run has ended, in a line.
    var ending: String {
        let state = StatusReport.state(entry, .process(nil))
        return "run \(entry.run)  \(names)  \(Excerpt.escape(state)): \(SummaryReport.countsLine(entry.summary))"
    }

    /// The file that is read, with its place among several, and the entities.
    private var names: String {
        let index = min(entry.checkpoint?.source ?? 0, max(0, entry.sourceNames.count - 1))
        let sources = entry.sourceNames.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        var text = sources.indices.contains(index) ? Excerpt.escape(sources[index]) : ""
        if sources.count > 1 { text += " (\(index + 1) of \(sources.count))" }
        return text + " into \(entry.routes.map(\.entity).map { Excerpt.escape($0) }.shortList)"
    }

    /// The size of all sources; nil if the position in one of them is not that of its stored bytes.
    private static func totalBytes(of entry: JournalEntry) -> Int? {
        let sizes = entry.sources.compactMap(\.size)
        guard sizes.count == entry.sources.count, !isCompressed(entry) else { return nil }
        return sizes.reduce(0, +)
    }

    /// The bytes read from the sources as they are stored, or decompressed if they are compressed.
    private static func storedBytes(of entry: JournalEntry) -> Int {
        entry.earlierBytes + (entry.checkpoint?.byte ?? 0)
    }

    /// Whether a source is compressed, as its name or its position says.
    private static func isCompressed(_ entry: JournalEntry) -> Bool {
        let endings = [".gz", ".zst", ".bz2", ".xz", ".zip", ".tgz"]
        return entry.sources.contains { source in endings.contains { source.name.lowercased().hasSuffix($0) } }
            || storedBytes(of: entry) > entry.sources.reduce(0) { $0 + ($1.size ?? 0) }
    }
}
