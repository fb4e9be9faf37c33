import TributaryStore
import TributarySQLite

/// The rows that the tables of an import have before it.
extension ImportPlan {
    /// The entities into whose tables each record inserts a row.
    var keylessEntities: Set<String> { Set(routes.filter(\.isKeyless).map(\.entity.name)) }

    /// Whether `deleteRows(on:)` can empty all tables.
    var canDeleteRows: Bool { routes.allSatisfy(\.standsAlone) }

    /// Whether the table of an entity has no rows.
    func isEmpty(_ entity: String, on connection: Connection) throws -> Bool {
        guard let route = routes.first(where: { $0.entity.name == entity }) else { return true }
        return try TableRows.isEmpty(route.rowsTable, on: connection)
    }

    /// Throws if a table has fewer rows than it must have.
    func checkRows(atLeast least: Int, on connection: Connection) throws {
        for route in routes {
            let count = try TableRows.count(route.rowsTable, upTo: least, on: connection)
            guard count < least else { continue }
            throw ImportError(
                .route, "\(route.entity.name) would have \(count) rows, fewer than \(least)",
                hint: "the database was not changed")
        }
    }

    /// Throws if the rows of a table cannot be deleted alone, since other objects may refer to these.
    func checkTruncation() throws {
        for route in routes {
            guard route.standsAlone else {
                throw ImportError(
                    .route,
                    "\(route.entity.name) has relationships or subentities, so its rows cannot be replaced alone",
                    hint: "delete its objects first, or import by a key")
            }
        }
    }

    /// Deletes the rows of all tables.
    func deleteRows(on connection: Connection) throws {
        for route in routes {
            if route.foreign == nil { try LoadRow.checkNone(of: route.rowsTable, on: connection) }
            try TableRows.deleteAll(route.rowsTable, on: connection)
        }
    }
}

extension ImportPlan.ResolvedRoute {
    /// Whether each record inserts a row.
    var isKeyless: Bool {
        if case .related(let mapping) = making { return mapping.key.isEmpty }
        return foreign?.key.isEmpty ?? table?.key.isEmpty ?? false
    }

    /// Whether no object of another entity refers to its rows, or belongs to them.
    fileprivate var standsAlone: Bool {
        foreign != nil || entity.root.descendants.isEmpty && entity.root.relationships.isEmpty
    }

    /// The name of the table with its rows.
    fileprivate var rowsTable: String { foreign?.table.name ?? table?.name ?? objects?.table.name ?? entity.root.name }
}
