/// The files of the pages, which are compiled in.
enum SiteTemplates {
    /// The templates by their names, without `.html`.
    static let all: [String: Template] = [
        "column": template(PackageResources.column_html),
        "error": template(PackageResources.error_html),
        "foot": template(PackageResources.foot_html),
        "head": template(PackageResources.head_html),
        "home": template(PackageResources.home_html),
        "list": template(PackageResources.list_html),
        "object": template(PackageResources.object_html),
        "pages": template(PackageResources.pages_html),
        "profile": template(PackageResources.profile_html),
        "profile-summary": template(PackageResources.profile_summary_html),
        "run": template(PackageResources.run_html),
        "run-live": template(PackageResources.run_live_html),
        "runs": template(PackageResources.runs_html),
        "search": template(PackageResources.search_html),
        "table": template(PackageResources.table_html),
    ]

    private static func template(_ bytes: [UInt8]) -> Template { Template(String(decoding: bytes, as: UTF8.self)) }

    /// The bytes of a page.
    static func bytes(_ page: Page, _ values: PageValues) -> [UInt8] {
        guard let inner = all[page.template] else { fatalError("there is no template \(page.template)") }
        if page.isFragment { return Array(inner.text(page.values, all).utf8) }
        let around = values.merging(["title": .text(page.title)]) { $1 }
        var text = ""
        for name in ["head", page.template, "foot"] {
            text += all[name]?.text(around.merging(page.values) { $1 }, all) ?? ""
        }
        return Array(text.utf8)
    }
}
