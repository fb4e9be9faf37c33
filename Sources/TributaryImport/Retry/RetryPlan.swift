import TributaryStore
import TributaryJSON
import TributaryModel

/// The route and the settings with which a group of rejects is imported.
package struct RetryPlan {
    /// The run that rejected the records; 0 if it was not an import.
    package let run: Int
    /// The records.
    package let lines: RetryLines
    package let route: ImportRoute
    package let options: ImportOptions

    /// Resolves a group by the runs of the journal, the routes with setters and the options.
    init(
        _ group: RetryGroup, _ lines: RetryLines, _ pending: PendingRejects, _ entries: [JournalEntry],
        _ model: Model?, _ routes: [ImportRoute], _ wanted: RetryOptions
    ) throws {
        (run, self.lines) = (group.run, lines)
        let entry = entries.first { entry in
            entry.run == group.run && (group.entity.map { name in entry.routes.contains { $0.entity == name } } ?? true)
        }
        var options = ImportOptions()
        options.pendingRejects = pending
        options.batchSize = wanted.batchSize
        options.jobs = wanted.jobs
        options.maxMemory = wanted.maxMemory
        options.isDryRun = wanted.isDryRun
        options.onError = .quarantine
        options.reading.format = .ndjson
        options.reading.bufferBytes = wanted.bufferBytes
        options.reading.limits = wanted.limits
        // Records that are rejected again must be kept with all their bytes.
        options.reading.limits.rejectedBytes = ReadLimits.largestRecord
        options.mappings = wanted.mappings
        options.mode = wanted.mode ?? entry?.identity.mode ?? .upsert
        if let names = entry?.identity.memberNames, names.count == 2 {
            (options.reading.keyName, options.reading.valueName) = (names[0], names[1])
        }
        if case .member(let name?) = group.layout { options.reading.keyName = name }
        if let name = wanted.keyName { options.reading.keyName = name }
        self.options = options
        let earlier = try RetryPlan.earlierRoute(group, entry, wanted)
        // If the run had several entities, the wanted one applies to rejects that name none.
        let isOneOfSeveral = Set(entry?.routes.map(\.entity) ?? []).count > 1
        let name = isOneOfSeveral ? group.entity ?? wanted.entity : wanted.entity ?? group.entity
        guard let name = name ?? earlier?.entity else {
            throw ImportError(
                .route, "the rejects do not name the entity of their records", hint: "name the entity and its key")
        }
        func filtered(_ route: ImportRoute) -> ImportRoute {
            earlier?.filter.map { route.filtered(by: Filter(stringLiteral: $0)) } ?? route
        }
        if let settings = earlier?.table {
            route = filtered(.table(name, at: group.path, key: try RetryPlan.key(nil, earlier, wanted), settings))
            return
        }
        if model == nil, let earlier, earlier.inference == nil {
            throw ImportError(
                .route, "run \(group.run) imported \(name) by a model", hint: "name the model for the retry too")
        }
        let entity = try model.map { model in
            guard let entity = model[name] else { throw ImportError.unknownEntity(name, in: model) }
            return entity
        }
        if var route = routes.first(where: { $0.entityName == name }) {
            route.path = group.path
            self.route = route
            return
        }
        let key = try RetryPlan.key(entity, earlier, wanted)
        guard key != nil || group.isStored else {
            throw ImportError(
                .route, "the lines are not rejects of this store, and without a key they could be imported twice",
                hint: "name the key")
        }
        if entity.map({ $0.relationships.isEmpty && model?.declaration.isInferred ?? false }) ?? true {
            route = filtered(.inferred(name, at: group.path, key: key, earlier?.inference ?? ColumnInference()))
        } else {
            route = filtered(key.map { .rows(name, at: group.path, key: $0) } ?? .newRows(name, at: group.path))
        }
    }

    /// The route of the run that rejected the records; nil if it is unknown.
    private static func earlierRoute(
        _ group: RetryGroup, _ entry: JournalEntry?, _ wanted: RetryOptions
    ) throws -> ImportIdentity.Route? {
        guard let entry, let first = entry.identity.routes.first else { return nil }
        let routes = entry.identity.routes
        if let own = routes.first(where: { $0.entity == group.entity }) { return own }
        if routes.allSatisfy({ $0.entity == first.entity }) { return first }
        guard let name = wanted.entity else {
            throw ImportError(
                .route, "run \(entry.run) imported several entities, and damaged records do not name theirs",
                hint: "name the entity")
        }
        return routes.first { $0.entity == name }
    }

    /// The key in the options, in the earlier route or in the model; nil if each record inserts a new row.
    private static func key(
        _ entity: Entity?, _ earlier: ImportIdentity.Route?, _ wanted: RetryOptions
    ) throws -> ImportKey? {
        let known = earlier?.key.flatMap(ImportKey.init(texts:))
        if wanted.key == nil, wanted.remoteKey == nil, earlier != nil { return known }
        guard
            let names = try wanted.key ?? known?.parts.map(\.attribute)
                ?? entity.flatMap({ try ImportKey.constraint(of: $0)?.parts.map(\.attribute) })
        else {
            guard wanted.remoteKey == nil else {
                throw ImportError(
                    .route, "the paths of the values of a key are named, and the key is not", hint: "name the key")
            }
            return nil
        }
        guard let places = wanted.remoteKey else { return ImportKey(names) }
        guard places.count == names.count else {
            throw ImportError(
                .route, "the key is \(names.joined(separator: ",")), but \(places.count) paths are named",
                hint: "name one path for each attribute")
        }
        return ImportKey(names, remote: places)
    }
}
