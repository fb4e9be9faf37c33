import Foundation
import TributaryImport
import TributaryStore

/// One run: its counts, its rejects, and the commands that resume, retry or undo it.
enum RunPage {
    /// The page, or the part of a running import that is loaded again each second.
    static func page(_ request: PageRequest, _ database: BrowsedDatabase) throws -> Page {
        let work = RunWork(on: database.path)
        let text = request.path[1]
        let entry = try database.database.reading { try Int(text).map($0.run) ?? nil }
        guard let entry else {
            throw PageError(
                404, "There is no run \(text)", "The journal of this database has no run of that number.",
                advice: "Go to the list of all runs.")
        }
        let isRunning = work.isRunning(entry)
        let isLoading =
            try isRunning
            && database.database.reading { try LoadRow.all(on: $0).contains { $0.run == entry.run && $0.isPending } }
        let live = LiveRun(entry, request, isRunning: isRunning, isLoading: isLoading)
        if request.value("part") == "live" {
            var page = Page("Run \(entry.run)", "run-live", live.values)
            page.isFragment = true
            return page
        }
        let kept = try database.database.reading { try $0.rejectCount(run: entry.run) }
        var values = RunValues(entry, work, kept: kept).values
        values.merge(live.values) { $1 }
        values["sourceNames"] = .list(entry.sourceNames.prefix(100).map { ["name": .text($0)] })
        values["furtherSources"] = .text(
            entry.sourceNames.count > 100 ? FigureText.grouped(entry.sourceNames.count - 100) : "")
        values["related"] = .list(related(entry))
        values.merge(try RejectValues.values(of: entry, kept: kept, request, database)) { $1 }
        values.merge(try commands(entry, kept: kept, isRunning: isRunning, database)) { $1 }
        return Page("Run \(entry.run)", "run", values)
    }

    /// The outcomes of objects inside of records, for each entity.
    private static func related(_ entry: JournalEntry) -> [PageValues] {
        (entry.summary.related ?? [:]).sorted { $0.key < $1.key }.map { entity, counts in
            let terms = RecordOutcome.allCases.filter { counts[$0] > 0 }
                .map { "\(FigureText.grouped(counts[$0])) \($0)" }
            return ["entity": .text(entity), "counts": .text(terms.joined(separator: " + "))]
        }
    }

    /// The commands that retry, resume or undo the run, as a shell reads them.
    private static func commands(
        _ entry: JournalEntry, kept: Int, isRunning: Bool, _ database: BrowsedDatabase
    ) throws -> PageValues {
        let path = ShellWord.quoted(database.path.hasPrefix("-") ? "./" + database.path : database.path)
        var values: PageValues = [:]
        if kept > 0 {
            values["retry"] = .text("tributary retry \(path) --run \(entry.run)")
            values["edit"] = .text("tributary rejects \(path) --run \(entry.run) --output rejects.ndjson")
            values["retryEdited"] = .text("tributary retry \(path) rejects.ndjson")
        }
        guard !isRunning else { return values }
        if entry.state.isUnfinished {
            values["resume"] = .text(
                entry.summary.read > 0
                    ? "The same import command resumes it after record \(FigureText.grouped(entry.summary.read))."
                    : "The same import command starts it again; nothing was committed.")
        }
        guard let model = database.database.model else { return values }
        do {
            try entry.checkCanBeUndone(among: database.database.reading { try $0.runs() }, model)
            values["undo"] = .text("tributary undo \(path) --run \(entry.run)")
            values["tryUndo"] = .text("tributary undo \(path) --run \(entry.run) --dry-run")
        } catch let error as ImportError {
            values["noUndo"] = .text("\(error)")
        }
        return values
    }
}
