/// The rows that a transaction has written, to be announced.
struct WrittenKeys {
    /// How much there is of each route.
    typealias Mark = [Int: (inserted: Int, updated: Int)]

    /// For each route the numbers of its new and of its changed rows.
    private(set) var routes: [Int: (inserted: [Int64], updated: [Int64])] = [:]

    /// Records what has been written through a route.
    mutating func add(inserted: [Int64], updated: [Int64], route: Int) {
        routes[route, default: ([], [])].inserted += inserted
        routes[route, default: ([], [])].updated += updated
    }

    /// How far it goes; a copy of it all would be a copy of millions.
    var mark: Mark { routes.mapValues { ($0.inserted.count, $0.updated.count) } }

    /// Forgets what was added after `mark`.
    mutating func cut(to mark: Mark) {
        for route in Array(routes.keys) {
            let (inserted, updated) = mark[route] ?? (0, 0)
            routes[route]?.inserted.removeSubrange(inserted...)
            routes[route]?.updated.removeSubrange(updated...)
        }
    }
}
