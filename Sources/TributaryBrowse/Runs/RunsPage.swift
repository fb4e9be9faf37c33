import TributaryImport
import TributarySQLite

/// All runs of the journal, the newest first.
enum RunsPage {
    /// The runs of a page.
    private static let length = 50

    /// The newest runs, at most so many.
    static func newest(_ count: Int, _ database: BrowsedDatabase) throws -> [PageValues] {
        try database.database.reading { try shown($0.runs(limit: count), RunWork(on: database.path), on: $0) }
    }

    private static func shown(
        _ entries: [JournalEntry], _ work: RunWork, on connection: Connection
    ) throws -> [PageValues] {
        try entries.map { RunValues($0, work, kept: try connection.rejectCount(run: $0.run)).values }
    }

    /// The page: the newest runs, or those next to the number in `before` or `after`.
    static func page(_ request: PageRequest, _ database: BrowsedDatabase) throws -> Page {
        let (below, above) = (request.value("before").flatMap { Int($0) }, request.value("after").flatMap { Int($0) })
        let work = RunWork(on: database.path)
        let (entries, runs, hasNewer, hasOlder) = try database.database.reading { connection in
            let entries = try connection.runs(below: below, above: above, limit: length)
            let runs = try shown(entries, work, on: connection)
            let hasNewer = try entries.first.map { try !connection.runs(above: $0.run, limit: 1).isEmpty } ?? false
            let hasOlder = try entries.last.map { try !connection.runs(below: $0.run, limit: 1).isEmpty } ?? false
            return (entries, runs, hasNewer, hasOlder)
        }
        var values: PageValues = [
            "runs": .list(runs), "hasRunRows": .flag(!runs.isEmpty), "isFirst": .flag(below == nil && above == nil),
        ]
        if hasNewer, let first = entries.first {
            values["newest"] = "/runs"
            values["newer"] = .text(PageRequest.address(["runs"], [("after", "\(first.run)")]))
        }
        if hasOlder, let last = entries.last {
            values["older"] = .text(PageRequest.address(["runs"], [("before", "\(last.run)")]))
        }
        return Page("Runs", "runs", values)
    }
}
