import TributaryGraph
import TributarySQLite

/// The rows that the tables of an import have before it.
extension ImportPlan {
    /// The entities into whose tables each record inserts a row.
    var keylessEntities: Set<String> {
        Set(routes.filter { $0.foreign?.key.isEmpty ?? $0.table?.key.isEmpty ?? false }.map(\.entity.name))
    }

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
            let family = [route.entity.root] + route.entity.root.descendants
            guard route.foreign != nil || family.count == 1 && family[0].relationships.isEmpty else {
                throw ImportError(
                    .route,
                    "\(route.entity.name) has relationships or subentities, so its rows cannot be replaced alone",
                    hint: "delete its objects first, or import by a key")
            }
        }
    }

    /// Deletes the rows of all tables.
    ///
    /// - Throws: `SQLiteError`, `StoreError`.
    func deleteRows(on connection: Connection) throws {
        for route in routes { try TableRows.deleteAll(route.rowsTable, on: connection) }
    }
}

extension ImportPlan.ResolvedRoute {
    /// The name of the table with its rows.
    fileprivate var rowsTable: String { foreign?.table.name ?? table?.name ?? objects?.table.name ?? entity.root.name }
}
