/// The inner part of a page, which the site wraps with head, navigation and foot.
struct Page {
    /// The title in the window.
    var title: String
    /// The name of the file in `Pages` without `.html`.
    var template: String
    /// The values that it shows.
    var values: PageValues
    /// The status of HTTP.
    var status = 200
    /// The entity or table that it is about, which the search in the head searches.
    var entity: String?
    /// Whether the rows of the entity can be searched.
    var isSearchable = true
    /// Whether head, navigation and foot are left out, as in a part that the script loads again.
    var isFragment = false

    /// A page with values in a template.
    init(_ title: String, _ template: String, _ values: PageValues, status: Int = 200) {
        (self.title, self.template, self.values, self.status) = (title, template, values, status)
    }
}
