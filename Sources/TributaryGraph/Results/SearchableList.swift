/// A list of objects that can be searched: the logic of a searchable table, without its view.
///
///     let list = SearchableList<Author>(in: manager.mainContext, sectionKeyPath: "city") { text in
///         let filter = text.map { Filter("name CONTAINS[c] \($0)") }
///         return FetchRequest(where: filter, sort: [SortKey("city"), SortKey("name")])
///     }
///     try list.search(nil)
///     try list.search("ursula")
///
/// Each search replaces ``results``, which follow the context like those of any ``FetchedResultsController``; observers
/// of the list stay, and get a reload. While searching there are no sections and no index titles, unless
/// ``showsSectionsWhenSearching`` is true; the first sort key of a request without sections is free.
public final class SearchableList<Object: ManagedObject> {
    /// The context.
    public let context: ManagedObjectContext
    /// Makes the request for a search text; nil asks for all objects.
    public var request: (_ text: String?) -> FetchRequest<Object>
    /// Whether there are sections and index titles during a search.
    public var showsSectionsWhenSearching = false
    /// The key path that names the sections; nil for one section.
    public var sectionKeyPath: String?
    /// Names a section by the value of the key path.
    public var sectionName: (@Sendable (FilterValue) -> String)?
    /// Makes the index title of a section from its name; nil leaves a section out.
    public var indexTitle: (String) -> String? = ResultsSection.indexTitle(of:)
    /// The text that was searched for; nil if all objects are shown.
    public private(set) var searchText: String?
    /// The results of the last search; nil before the first one.
    public private(set) var results: FetchedResultsController<Object>?

    private var observation: ContextObservation?
    private let closures = Observers<(ResultsChange) -> Void>()

    /// A list, which has no results before `search`.
    ///
    /// - Parameters:
    ///   - context: The context that is followed.
    ///   - sectionKeyPath: The key path that names the sections, which must be that of the first sort key; nil for one
    ///     section.
    ///   - request: Makes the request for a search text; nil asks for all objects.
    public init(
        in context: ManagedObjectContext, sectionKeyPath: String? = nil,
        request: @escaping (_ text: String?) -> FetchRequest<Object>
    ) {
        context.check()
        (self.context, self.sectionKeyPath, self.request) = (context, sectionKeyPath, request)
    }

    /// Whether the results are those of a search text.
    public var isSearching: Bool { searchText != nil }

    /// Whether the results have the sections of the key path.
    public var showsSections: Bool { sectionKeyPath != nil && (!isSearching || showsSectionsWhenSearching) }

    /// Shows the objects for a search text; nil and an empty text show all.
    ///
    /// - Throws: The errors of `FetchedResultsController`; then the earlier results stay.
    public func search(_ text: String?) throws {
        let (earlier, wanted) = (searchText, text.flatMap { $0.isEmpty ? nil : $0 })
        searchText = wanted
        do {
            let controller = try FetchedResultsController(
                request(wanted), in: context, sectionKeyPath: showsSections ? sectionKeyPath : nil,
                sectionName: sectionName)
            controller.indexTitle = indexTitle
            try controller.performFetch()
            observation = controller.observe { [weak self] in self?.notifyObservers(of: $0) }
            results = controller
        } catch {
            searchText = earlier
            throw error
        }
        notifyObservers(of: .reload(results?.revision ?? 0))
    }

    /// The titles for an index of sections; empty while there are no sections.
    public var sectionIndexTitles: [String] { showsSections ? results?.sectionIndexTitles ?? [] : [] }

    /// Calls `body` with each change of the results, and with a reload after each search, until the observation is
    /// released.
    public func observe(_ body: @escaping (ResultsChange) -> Void) -> ContextObservation {
        closures.add(body, in: context)
    }

    private func notifyObservers(of change: ResultsChange) {
        for body in closures.all { body(change) }
    }
}
