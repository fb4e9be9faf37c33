/// The primary keys of rows that a transaction has written, to be announced.
struct WrittenKeys {
    /// The numbers of keys of each route.
    typealias Mark = [Int: (inserted: Int, updated: Int)]

    /// For each route the keys of its new and of its changed rows.
    private(set) var routes: [Int: (inserted: [Int64], updated: [Int64])] = [:]

    /// Adds keys of a route.
    mutating func add(inserted: [Int64], updated: [Int64], route: Int) {
        routes[route, default: ([], [])].inserted += inserted
        routes[route, default: ([], [])].updated += updated
    }

    /// The current counts, to cut to later; a copy would copy millions of keys.
    var mark: Mark { routes.mapValues { ($0.inserted.count, $0.updated.count) } }

    /// Removes the keys added after `mark`.
    mutating func cut(to mark: Mark) {
        for route in Array(routes.keys) {
            let (inserted, updated) = mark[route] ?? (0, 0)
            routes[route]?.inserted.removeSubrange(inserted...)
            routes[route]?.updated.removeSubrange(updated...)
        }
    }
}
