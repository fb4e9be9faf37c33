import TributaryImport
import TributaryStore

/// What is in the columns of an entity or table, with bars that lead to the rows that they count.
enum ProfilePage {
    /// The rows that are read unless all are wanted, and the time for it.
    private static let first = (rows: 100_000, time: Duration.milliseconds(150))
    /// The time in which as many rows as possible are read.
    private static let mostTime = Duration.seconds(2)

    /// The page, or with `part=summary` the short form beside a list; with `rows=all` as many rows as the time permits.
    static func page(_ request: PageRequest, _ database: BrowsedDatabase) throws -> Page {
        let name = request.path[1]
        guard database.database.sources.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            throw PageError(
                404, "There is no \(name)", "The database has no entity, table or view of this name.",
                advice: "Choose one of the names in the navigation.")
        }
        let source = try database.database.source(name)
        let filter = try request.value("where").map { try Filter(format: $0) }
        let wantsAll = request.value("rows") == "all"
        let profile = try RowProfile(
            of: source, where: filter, in: database.database, limit: wantsAll ? .max : first.rows,
            within: wantsAll ? mostTime : first.time)
        let isSummary = request.value("part") == "summary"
        let columns = ProfileColumns(name, filter, profile)
        var values: PageValues = [
            "name": .text(name), "columns": .list(isSummary ? columns.summaries : columns.values),
            "where": .text(request.value("where") ?? ""),
            "listAddress": .text(address(of: ["e", name], request)),
            "rowCount": .text(FigureText.grouped(profile.rowCount)),
            "isWhole": .flag(profile.isWhole), "isEmpty": .flag(profile.rowCount == 0),
            "isOutOfTime": .flag(wantsAll && !profile.isWhole),
            "tooLarge": .text(profile.tooLarge > 0 ? FigureText.counted(profile.tooLarge, "row") : ""),
            "furtherColumns": .text(
                profile.furtherColumns > 0 ? FigureText.counted(profile.furtherColumns, "column") : ""),
            "profileAddress": .text(address(of: ["e", name, "profile"], request)),
        ]
        if !profile.isWhole, !wantsAll {
            values["allAddress"] = .text(request.address(changing: ["rows": "all", "part": nil]))
        }
        var page = Page("Profile of \(name)", isSummary ? "profile-summary" : "profile", values)
        (page.entity, page.isFragment) = (name, isSummary)
        return page
    }

    /// What the template `profile-summary` shows in the list of a request, until the script has loaded the summary.
    static func summary(_ request: PageRequest, _ database: BrowsedDatabase) throws -> PageValues? {
        guard request.path.count == 2 else { return nil }
        let path = request.path + ["profile"]
        let live = [("part", "summary")] + (request.value("where").map { [("where", $0)] } ?? [])
        return [
            "profileAddress": .text(address(of: path, request)),
            "summaryAddress": .text(PageRequest.address(path, live)),
        ]
    }

    /// A path with the filter of a request.
    private static func address(of path: [String], _ request: PageRequest) -> String {
        PageRequest.address(path, request.value("where").map { [("where", $0)] } ?? [])
    }
}
