import Dispatch

/// The results of a request, in sections, which follow the changes of a context and report what changes.
///
///     let request = FetchRequest<Author>(where: "isActive == TRUE", sort: [SortKey("city"), SortKey("name")])
///     let controller = try FetchedResultsController(request, in: manager.mainContext, sectionKeyPath: "city")
///     try controller.performFetch()
///     let observation = controller.observe { change in … }
///     let author = controller.object(at: ResultsIndexPath(section: 0, item: 3))
///
/// Unsaved changes of the context count, and saves of other contexts once they were merged, also where they make an
/// object match that is not in memory. A change of another object that the filter or the order reads through a
/// relationship counts only when the object itself changes.
///
/// The controller keeps keys and the values of the sort keys, and loads objects when they are asked for: some 200 bytes
/// for each row. Many rows saved elsewhere are merged in slices of 256, each as a change of its own, between which the
/// queue of the context runs other work. More than ``reloadThreshold`` of them are fetched again on another thread, and
/// reported as one reload; until then the controller keeps both lists in memory, and shows the earlier one.
///
/// A controller belongs to the queue of its context, like its objects.
public final class FetchedResultsController<Object: ManagedObject> {
    /// The context.
    public let context: ManagedObjectContext
    /// The request; a new one takes effect with the next `performFetch`.
    public var request: FetchRequest<Object>
    /// The object that is notified of changes, before the closures of `observe`.
    public weak var delegate: (any FetchedResultsControllerDelegate<Object>)?
    /// Makes the title of a section from its name for `sectionIndexTitles`; nil leaves a section out.
    public var indexTitle: (String) -> String? = ResultsSection.indexTitle(of:) {
        didSet { knownTitles = nil }
    }
    /// The number of rows of a save of another context beyond which all results are fetched again.
    public var reloadThreshold = 10_000
    /// Called if results cannot be followed, because the store or a value cannot be read; fetch again then.
    public var onError: ((any Error) -> Void)?
    /// The number of changes so far.
    public internal(set) var revision = 0

    private let sectionKeyPath: String?
    private let sectionName: (@Sendable (FilterValue) -> String)?
    var query: ResultsQuery
    /// The results; nil before the first `performFetch` and after a reset of the context, while nothing is followed.
    var list: ResultsList?
    /// The results that were there when the context was reset.
    private var lastList: ResultsList?
    /// The objects of the results that have no row yet, by the keys under which the list has them.
    var newObjects: [Int64: ManagedObject] = [:]
    /// Objects that were loaded last, in blocks, so that neighbours are loaded with one query.
    private var recentBlocks: [[ManagedObject]] = []
    /// The titles of the sections, made when they are asked for.
    var knownTitles: [String]?

    var following = ResultsFollowing()
    private var observations: [ContextObservation] = []
    let closures = Observers<(ResultsChange) -> Void>()
    var inboxes: [WeakInbox] = []

    /// The changes for a loop, which may have ended.
    struct WeakInbox { weak var inbox: Inbox<ResultsChange>? }

    /// A controller, which has no results before `performFetch`.
    ///
    /// - Parameters:
    ///   - request: A request with at least one sort key, without a limit.
    ///   - context: The context that is followed.
    ///   - sectionKeyPath: The key path that names the sections, which must be that of the first sort key; nil for one
    ///     section.
    ///   - sectionName: Names a section by the value of the key path, such as by its first letter; the name must not
    ///     return to an earlier one along the order. With `[c]` in the sort key the value is folded.
    /// - Throws: `FetchError`, `FilterError` or `ContextError` if the request cannot be followed.
    public init(
        _ request: FetchRequest<Object>, in context: ManagedObjectContext, sectionKeyPath: String? = nil,
        sectionName: (@Sendable (FilterValue) -> String)? = nil
    ) throws {
        context.check()
        query = try ResultsQuery(request, context, sections: sectionKeyPath, name: sectionName)
        self.request = request
        self.context = context
        self.sectionKeyPath = sectionKeyPath
        self.sectionName = sectionName
    }

    deinit { for entry in inboxes { entry.inbox?.end() } }

    /// Fetches the results, and follows them from now on; the change is not reported.
    ///
    /// - Throws: The errors of `init` and of `ManagedObjectContext.fetch`; then there are no results.
    public func performFetch() throws {
        try restart()
        list = try fetchedList()
        follow()
    }

    /// Fetches the results on another thread, and follows them from now on; they are empty until the reload.
    ///
    /// - Throws: The errors of `init`; those of the fetch are passed to ``onError``.
    public func performFetchInBackground() throws {
        try restart()
        list = ResultsList(query)
        follow()
        reload()
    }

    private func restart() throws {
        context.check()
        stop()
        (lastList, newObjects, recentBlocks) = (nil, [:], [])
        query = try ResultsQuery(request, context, sections: sectionKeyPath, name: sectionName)
        context.processPendingChanges()
    }

    private func follow() {
        revision += 1
        observations = [
            context.observeChanges { [weak self] in self?.contextDidChange($1) },
            context.observeDidSave { [weak self] in self?.contextDidSave($1) },
            context.observeMerges { [weak self] in self?.contextMerges($0) },
        ]
    }

    /// Stops following; the results stay as they are.
    func stop() {
        lastList = list ?? lastList
        list = nil
        observations = []
        following.reset()
        knownTitles = nil
    }

    func replace(_ changed: ResultsList) {
        list = changed
        knownTitles = nil
        revision += 1
    }

    /// The results that are shown, followed or not.
    var current: ResultsList? { list ?? lastList }

    /// Whether the results include every save that the context has merged; false while many rows are being merged.
    public var isUpToDate: Bool { !following.isReloading && following.rows.isEmpty }

    // MARK: Sections

    /// The sections in their order; one, even without results, if there is no key path for sections.
    public var sections: [ResultsSection] {
        guard let list = current else { return [] }
        return list.sections.enumerated().map { index, section in
            ResultsSection(
                name: section.name, indexTitle: indexTitle(section.name) ?? "",
                positions: list.positions(ofSection: index))
        }
    }

    /// The titles of the sections for an index, each once, in the order of the sections.
    public var sectionIndexTitles: [String] {
        if let knownTitles { return knownTitles }
        guard let list = current, query.hasSections else { return [] }
        var seen: Set<String> = []
        let titles = list.sections.compactMap { indexTitle($0.name) }.filter { seen.insert($0).inserted }
        knownTitles = titles
        return titles
    }

    /// The first section with an index title; nil if there is none.
    public func section(forIndexTitle title: String) -> Int? {
        current?.sections.firstIndex { indexTitle($0.name) == title }
    }

    // MARK: Objects

    /// The number of results.
    public var count: Int { current?.count ?? 0 }

    /// The results; objects that are not in memory are faults.
    ///
    /// It makes an array of all, so prefer `object(at:)` if there are many.
    public var fetchedObjects: [Object] { objects(at: 0..<count) }

    /// The results of a section.
    public func objects(inSection index: Int) -> [Object] {
        objects(at: current?.positions(ofSection: index) ?? 0..<0)
    }

    /// The IDs of the results, for which no object is made.
    public var ids: [ObjectID] {
        (0..<count).compactMap { current?.row(at: $0) }.map { id($0.entity, $0.key) }
    }

    /// The object at a place, with its values, for which those of its neighbours are loaded as well.
    ///
    /// It traps if there is no such place.
    public func object(at path: ResultsIndexPath) -> Object {
        guard let list = current, list.sections.indices.contains(path.section),
            case let positions = list.positions(ofSection: path.section), (0..<positions.count).contains(path.item)
        else { fatalError("there is no result at \(path); the controller has \(count) in \(sections.count) sections") }
        let position = positions.lowerBound + path.item
        if registered(at: position)?.accessFlags.contains(.fault) ?? true { load(around: position) }
        return object(at: position)
    }

    /// The place of an object; nil if it is not among the results.
    public func indexPath(for object: ManagedObject) -> ResultsIndexPath? {
        context.check()
        // An object may have got its row since the list was changed.
        let key = newObjects.first { $0.value === object }?.key ?? object.key
        guard object.owner === context, let position = current?.position(of: key),
            object.entity.root == query.entity.root
        else { return nil }
        return current?.path(of: position)
    }

    private func objects(at positions: Range<Int>) -> [Object] {
        context.check()
        return positions.map { object(at: $0) }
    }

    private func registered(at position: Int) -> ManagedObject? {
        context.check()
        guard let (key, entity) = current?.row(at: position) else { return nil }
        return newObjects[key] ?? context.registries[entity].map.find(key)
    }

    private func object(at position: Int) -> Object {
        if let object = registered(at: position) as? Object { return object }
        guard let (key, entity) = current?.row(at: position),
            let object = context.exactFault(context.registries[entity], key) as? Object
        else { fatalError("internal error: a result has another class than its entity") }
        return object
    }

    func id(_ entity: Int, _ key: Int64) -> ObjectID {
        ObjectID(context.stores, context.model.entities[entity], newObjects[key]?.key ?? key)
    }

    /// Loads the block of objects with a position, and retains it until other blocks were loaded.
    private func load(around position: Int) {
        let size = request.batchSize > 0 ? request.batchSize : 50
        let start = position / size * size
        let rows = (start..<min(start + size, count)).compactMap { current?.row(at: $0) }
        let missing = rows.filter {
            context.registries[$0.entity].map.find($0.key)?.accessFlags.contains(.fault) ?? true
        }
        // An error is thrown when the object is read.
        guard let objects = try? context.loadRows(query.entity, missing.map(\.key)) else { return }
        recentBlocks = recentBlocks.suffix(2) + [objects]
    }
}
