import Foundation

/// What a controller shows: the entity, the filter, the order and the names of its sections.
struct ResultsQuery: Sendable {
    let entity: Entity
    let includesSubentities: Bool
    /// The filter, with values in place of its variables.
    let filter: Filter?
    let sort: [SortKey]
    let hasSections: Bool
    private let sectionName: (@Sendable (FilterValue) -> String)?

    /// The number of rows that are read at once.
    static let slice = 256

    /// Checks a request.
    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, _ context: ManagedObjectContext, sections: String?,
        name: (@Sendable (FilterValue) -> String)?
    ) throws {
        entity = try context.entity(named: request.entityName)
        includesSubentities = request.includesSubentities
        filter = try request.filter?.substituting(request.variables)
        sort = request.sort
        hasSections = sections != nil
        sectionName = name
        for entity in includesSubentities ? [entity] + entity.descendants : [entity] {
            let type = context.objectClass(of: entity)
            guard type is Object.Type else { throw ContextError.wrongClass(entity, type, not: Object.self) }
        }
        guard let first = sort.first else {
            throw FetchError(.unsupported, "results that are followed need an order; add a sort key to the request")
        }
        if let sections, sections.split(separator: ".").map(String.init) != first.keyPath {
            let path = first.keyPath.joined(separator: ".")
            throw FetchError(
                .unsupported,
                "the sections are named by \(sections), but the first sort key is \(path), so that a section would be "
                    + "in several places; sort by \(sections) first")
        }
        guard request.limit == nil, request.offset == 0, request.includesPendingChanges else {
            throw FetchError(
                .unsupported,
                "results that are followed have no limit and no offset, and include pending changes; fetch other "
                    + "requests with fetch(_:) or an ObjectController")
        }
    }

    /// Whether an object may belong to the results by its entity.
    func includes(_ other: Entity) -> Bool {
        includesSubentities ? other.isKind(of: entity) : other == entity
    }

    /// Whether rows that were saved as rows of `other` may belong to the results.
    func mayInclude(savedAs other: Entity) -> Bool { other.isKind(of: entity) || entity.isKind(of: other) }

    /// The name of the section of a row by the value of its first sort key.
    func name(of value: FilterValue) -> String {
        if let sectionName { return sectionName(value) }
        switch value {
        case .null: return ""
        case .string(let text): return text
        case .decimal(let number): return "\(number)"
        case .date(let date): return date.ISO8601Format()
        case .uuid(let uuid): return uuid.uuidString
        case .url(let url): return url.absoluteString
        case .object(let reference): return "\(reference.base)"
        default: return value.description
        }
    }

    /// The row of an object; nil if the object does not belong to the results.
    func row(of object: ManagedObject) throws -> ResultsEdit.Row? {
        guard includes(object.entity), object.state.isDisjoint(with: [.deleted, .detached]),
            try filter?.matches(object) ?? true
        else { return nil }
        let row = try unfilteredRow(of: object)
        // Reading the object may have shown that its row was deleted.
        return object.state.isDisjoint(with: [.deleted, .detached]) ? row : nil
    }

    /// The row of an object that passes the filter.
    func unfilteredRow(of object: ManagedObject) throws -> ResultsEdit.Row {
        let values = try sort.map { try $0.value(of: object) }
        return ResultsEdit.Row(key: object.key, entity: object.entity.index, values: values)
    }

    /// The rows of the results in the store.
    ///
    /// Only `slice` objects are in memory at a time, so `context` should be one without objects of its own.
    func storedRows(in context: ManagedObjectContext) throws -> ResultsList {
        var request = FetchRequest<ManagedObject>(entity: entity.name, where: filter, sort: sort)
        request.includesSubentities = includesSubentities
        let ids = try context.ids(request)
        var list = ResultsList(self)
        list.reserve(ids.count)
        for slice in ids.slices(of: ResultsQuery.slice) {
            try context.throwingReadFailures {
                let objects = try context.loadRows(entity, slice.map(\.key))
                let byKey = Dictionary(objects.map { ($0.key, $0) }) { first, _ in first }
                // A row that was deleted since is missing.
                for id in slice { if let object = byKey[id.key] { list.append(try unfilteredRow(of: object)) } }
            }
        }
        list.arrange()
        return list
    }
}
