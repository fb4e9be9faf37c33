import TributaryModel
import TributaryStore

/// The pages of one database.
package struct DatabaseSite: PageSite {
    private let path: String
    private let limit: Duration

    /// The pages of the database at a path, each made within `limit`.
    package init(path: String, limit: Duration = .seconds(5)) { (self.path, self.limit) = (path, limit) }

    /// The answer; errors are pages, too.
    package func answer(_ request: PageRequest) -> PageAnswer {
        if request.path.count == 1, let file = DatabaseSite.file(request.path[0]) { return file }
        var database: BrowsedDatabase?
        do {
            let opened = try BrowsedDatabase(path: path, limit: limit, until: request.isStopped)
            database = opened
            return try answer(request, opened)
        } catch {
            return html(
                ErrorPage.page(of: error, request, isOutOfTime: database?.isOutOfTime ?? false), request, database)
        }
    }

    private static func file(_ name: String) -> PageAnswer? {
        switch name {
        case "style.css": PageAnswer(200, .css, PackageResources.style_css)
        case "charts.css": PageAnswer(200, .css, PackageResources.charts_css)
        case "script.js": PageAnswer(200, .script, PackageResources.script_js)
        default: nil
        }
    }

    private func answer(_ request: PageRequest, _ database: BrowsedDatabase) throws -> PageAnswer {
        let parts = request.path
        let page: Page? =
            switch parts.count {
            case 0: try HomePage.page(request, database)
            case 1 where parts == ["runs"]: try RunsPage.page(request, database)
            case 2 where parts[0] == "runs": try RunPage.page(request, database)
            case 2 where parts[0] == "e": try ListPage.page(request, database)
            case 3 where parts[0] == "e":
                switch parts[2] {
                // A key is a number, or begins with a mark.
                case "profile": try ProfilePage.page(request, database)
                case "search": try SearchPage.page(request, database)
                default: try ObjectPage.page(request, database)
                }
            default: nil
            }
        if let page { return html(page, request, database) }
        if parts.count == 5, parts[0] == "e", parts[3] == "value" { return try ValuePage.answer(request, database) }
        throw PageError(
            404, "There is no such page", "The address leads to no page of this database.",
            advice: "Choose one from the overview.")
    }

    private func html(_ page: Page, _ request: PageRequest, _ database: BrowsedDatabase?) -> PageAnswer {
        PageAnswer(
            page.status, .html, SiteTemplates.bytes(page, SiteFrame.values(page, request, path, database?.database)))
    }
}
