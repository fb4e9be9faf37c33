import TributaryStore
import TributarySQLite

/// Computing the derived attributes of rows.
extension ImportRun {
    /// Computes the derived attributes of the rows that the transaction has written.
    func derive(on connection: Connection) throws {
        guard !plan.derivations.isEmpty else { return }
        var keys: [Entity: [Int64]] = [:]
        // A save has computed those of objects.
        for (writer, rows) in written.routes where writer >= plan.routes.count || plan.routes[writer].objects == nil {
            keys[plan.entity(ofWriter: writer).root, default: []] += rows.inserted + rows.updated
        }
        for part in resolved { keys[part.entity.root, default: []] += part.keys }
        for derivation in plan.derivations {
            guard let keys = keys[derivation.entity.root], !keys.isEmpty else { continue }
            do {
                _ = try derivation.compute(keys, on: connection)
            } catch {
                // One by one, to find the row.
                for key in keys {
                    let name = try derivation.name(of: key, on: connection)
                    _ = try ImportRun.explaining(name) { try derivation.compute([key], on: connection) }
                }
                throw error
            }
        }
    }

    /// Computes the attributes that are derived from other objects, which later groups may have changed.
    func deriveFromOthers(on connection: Connection) throws {
        let isChanged = try RowDerivation.repeatUntilUnchanged(plan.derivations) { derivation in
            try ImportRun.explaining(derivation.entity.name) { try derivation.computeFromOthers(on: connection) }
        }
        // Contexts reload, so they need no list of these rows.
        if isChanged { publishes = true }
    }

    /// Calls `body`, and says of a value that cannot be stored that it is derived.
    private static func explaining<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        func failure(_ reason: String) -> ImportError {
            ImportError(
                .derived, "a derived attribute of \(name) cannot have its value: \(reason)",
                hint: "correct the record, or import it with a closure, which rejects such records")
        }
        do {
            return try body()
        } catch let error as FetchError {
            throw failure(error.reason)
        } catch let error as SQLiteError where error.isRefusal {
            throw failure(error.message)
        }
    }
}

extension ImportPlan {
    /// What computes the derived attributes of rows of some entities and of their subentities.
    static func derivations(of entities: [Entity], in schema: Schema) throws -> [RowDerivation] {
        var known: Set<Entity> = []
        return try entities.flatMap { [$0] + $0.descendants }.filter { known.insert($0).inserted }.compactMap {
            entity in
            do {
                return try RowDerivation(of: entity, in: schema)
            } catch {
                throw ImportError(
                    .route, "a derived attribute of \(entity.name) cannot be computed for rows: \(error)",
                    hint: "import \(entity.name) with a closure")
            }
        }
    }
}
