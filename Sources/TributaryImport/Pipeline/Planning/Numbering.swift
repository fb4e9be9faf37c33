import TributaryStore
import TributarySQLite

/// Reserves the primary keys of rows: one for each record, used or not, in feed order.
///
/// So primary keys do not depend on the borders of chunks and groups.
struct Numbering {
    private let stores: any StoreSet
    /// The root entities that the routes fill.
    let roots: [Entity]
    /// The names of tables of other programs, which number their rows.
    private let foreign: Set<String>

    init(_ stores: any StoreSet, _ entities: [Entity], foreign: Set<String>) {
        self.stores = stores
        self.foreign = foreign
        roots = entities.reduce(into: []) { roots, entity in
            if !roots.contains(entity.root) { roots.append(entity.root) }
        }
    }

    /// The indexes of the root entities of `entities`.
    func rootIndexes(of entities: [Entity]) -> [Int] {
        entities.map { entity in roots.firstIndex(of: entity.root) ?? 0 }
    }

    /// Reserves `count` primary keys of a root entity; returns the first one.
    func reserve(_ count: Int, _ root: Int, _ connection: Connection) throws -> Int64 {
        guard count > 0, !foreign.contains(roots[root].name) else { return 0 }
        return try stores.reserve(count, roots[root], connection) - Int64(count) + 1
    }
}
