import TributaryStore

/// What head, navigation and foot show on every page.
enum SiteFrame {
    /// The values around a page; without a database there is no navigation.
    static func values(
        _ page: Page, _ request: PageRequest, _ path: String, _ database: QueryableDatabase?
    ) -> PageValues {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let sources = database?.sources ?? []
        func link(_ source: String) -> PageValues {
            [
                "name": .text(source), "address": .text(PageRequest.address(["e", source])),
                "isCurrent": .flag(source == page.entity),
            ]
        }
        return [
            "database": .text(name), "path": .text(path),
            "navigation": .list(sources.map(link)), "hasNavigation": .flag(!sources.isEmpty),
            "hasRuns": .flag(database?.model != nil),
            "isHome": .flag(request.path.allSatisfy(\.isEmpty)), "isRuns": .flag(request.path.first == "runs"),
            "q": .text(request.value("q") ?? ""),
            "searched": .text(page.isSearchable ? page.entity ?? "" : ""),
            "searchAddress": .text(page.entity.map { PageRequest.address(["e", $0, "search"]) } ?? ""),
        ]
    }
}
