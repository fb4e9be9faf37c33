package import TributaryJSON

/// Which route takes a record: by its path, then by the value of a member; its filter may leave it out.
package struct RouteChoice: Sendable {
    /// The paths that are read; empty if the path of the only routes is detected.
    package let paths: [RecordPath]
    /// For each path its routes, in their order.
    private let candidates: [[(route: Int, condition: ImportRoute.Condition?)]]
    /// For each path the routes by the values of one member, and the one of all other records; nil if it has fewer than
    /// three, or their conditions name several members.
    private let tables: [(member: RemoteKey, routes: [String: Int], other: Int?)?]
    /// For each route its filter.
    private let filters: [RecordFilter?]
    /// The only route of each path, if no route has a condition or a filter.
    private let plain: [Int]?

    /// The choice among routes.
    package init(_ routes: [ImportRoute]) {
        var paths: [RecordPath] = []
        var candidates: [[(Int, ImportRoute.Condition?)]] = []
        for (number, route) in routes.enumerated() {
            // Without conditions every path has one route.
            let hasConditions = routes.contains { $0.condition != nil }
            let known =
                hasConditions ? (route.path.map { paths.firstIndex(of: $0) } ?? (candidates.isEmpty ? nil : 0)) : nil
            if let known {
                candidates[known].append((number, route.condition))
            } else {
                if let path = route.path { paths.append(path) }
                candidates.append([(number, route.condition)])
            }
        }
        self.paths = paths
        self.candidates = candidates
        tables = candidates.map { candidates in
            let conditions = candidates.prefix { $0.1 != nil }
            guard conditions.count > 2, candidates.count - conditions.count < 2,
                let member = conditions.first?.1?.member, conditions.allSatisfy({ $0.1?.member == member })
            else { return nil }
            let routes = Dictionary(conditions.map { ($1?.value ?? "", $0) }) { first, _ in first }
            return (member, routes, candidates.dropFirst(conditions.count).first?.0)
        }
        filters = routes.map(\.filter)
        plain = routes.allSatisfy { $0.condition == nil && $0.filter == nil } ? Array(routes.indices) : nil
    }

    /// The route of a record; nil if none takes it.
    @inline(__always)
    package func route(of record: Record) -> Int? {
        if let plain { return min(record.route, plain.count - 1) }
        guard let route = candidate(of: record), filters[route]?.isMet(by: record) ?? true else { return nil }
        return route
    }

    /// Whether a route has a filter.
    var hasFilters: Bool { filters.contains { $0 != nil } }

    /// The route of a record whose filter is not asked; nil if none takes it.
    func candidate(of record: Record) -> Int? {
        let place = min(record.route, candidates.count - 1)
        if let (member, routes, other) = tables[place] {
            return member.plainText(in: record).flatMap { routes[$0] } ?? other
        }
        return candidates[place].first { $0.condition?.isMet(by: record) ?? true }?.route
    }
}
