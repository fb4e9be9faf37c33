import TributaryStore

extension ImportPlan {
    /// The table in which the keys of a route's records are looked up.
    func tableOfKeys(_ route: Int) -> BulkTable? {
        if let related { return related.units[related.unitOfRoute[route]].maker.table }
        return routes[route].table ?? routes[route].objects?.table
    }

    /// For each route how the key of a record is read; nil if it cannot be.
    static func recordKeys(_ routes: [ResolvedRoute], _ related: RelatedPlan?) -> [RecordKey?] {
        routes.enumerated().map { number, route in
            if let objects = route.objects { return objects.key }
            let mapping: EntityMapping
            if let related {
                mapping = related.units[related.unitOfRoute[number]].mapping
            } else if case .rows(let maker) = route.making {
                mapping = maker.mapping
            } else {
                return nil
            }
            return try? mapping.recordKey()
        }
    }

    /// Throws if the condition for deletions cannot be one for the rows of a route.
    ///
    /// A table with inferred columns has none before its first rows, and a sync that brings them deletes nothing.
    func check(_ scope: Filter) throws {
        let compiler = FetchCompiler(schema: store.schema, model: stores.model)
        for route in routes {
            let root = route.entity.root.name
            if try route.growing != nil && store.importing({ try TableRows.isEmpty(root, on: $0) }) { continue }
            do {
                _ = try compiler.rows(RowRequest(entity: root, where: scope), .keys)
            } catch {
                throw ImportError(
                    .route, "the scope of the sync does not fit \(root): \(error)",
                    hint: "name attributes that its rows have")
            }
        }
    }

    /// Checks that a sync can identify the rows of its records, and those of objects inside of them if `hasNested`.
    static func check(
        _ sync: SyncOptions, _ options: ImportOptions, _ routes: [ResolvedRoute], hasNested: Bool
    ) throws {
        func refuse(_ reason: String, _ hint: String) -> ImportError { ImportError(.route, reason, hint: hint) }
        guard options.mode == .upsert || options.mode == .replace else {
            throw refuse("a sync cannot use the mode \(options.mode.rawValue)", "use upsert or replace")
        }
        guard options.limit == nil, !options.truncates else {
            throw refuse("a sync must read all records into the rows it has", "remove the limit, and do not truncate")
        }
        if let feed = sync.feed, feed.isEmpty || feed.utf8.contains(0) {
            throw refuse("the name of a feed must not be empty", "name it, or leave it out")
        }
        for route in routes {
            let mayHaveNested = hasNested || route.objects != nil && !route.entity.relationships.isEmpty
            guard route.route.filter == nil || !mayHaveNested else {
                throw ImportError(
                    .route,
                    "a sync of records with nested objects cannot filter them: the rows of these would be deleted",
                    remedy: .limitDeletions)
            }
            guard !route.isKeyless else {
                throw refuse("a sync needs a key, and \(route.entity.name) has none", "name the key")
            }
            let keys =
                route.route.key?.parts.map(\.attribute)
                ?? route.entity.declaration.uniquenessConstraints.flatMap(\.self)
            if let name = sync.softDelete, keys.contains(name) || name.hasPrefix("_") {
                throw refuse("\(name) cannot have the dates of deletions", "name an attribute that no record sets")
            }
            if let name = sync.softDelete, !route.entity.canHoldDate(name, isInferred: route.growing != nil) {
                throw refuse(
                    "\(route.entity.name) has no attribute \(name) for the date of its deletion",
                    "name an optional attribute of type date or text")
            }
        }
    }
}

extension Entity {
    /// Whether an attribute takes a date, or a date as text, or nothing.
    fileprivate func canHoldDate(_ name: String, isInferred: Bool) -> Bool {
        guard let attribute = attribute(named: name) else { return isInferred && !name.isEmpty }
        guard attribute.isOptional, !attribute.isTransient else { return false }
        return [.date, .string, .undefined].contains(attribute.type)
    }
}
