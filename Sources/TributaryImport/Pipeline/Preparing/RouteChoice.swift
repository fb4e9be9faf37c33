package import TributaryJSON

/// Which route takes a record: by its path, then by the value of a member.
package struct RouteChoice: Sendable {
    /// The paths that are read; empty if the path of the only routes is detected.
    package let paths: [RecordPath]
    /// For each path its routes, in their order.
    private let candidates: [[(route: Int, condition: ImportRoute.Condition?)]]
    /// The only route of each path, if no route has a condition.
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
        plain = routes.allSatisfy { $0.condition == nil } ? Array(routes.indices) : nil
    }

    /// The route of a record; nil if none takes it.
    @inline(__always)
    package func route(of record: Record) -> Int? {
        if let plain { return min(record.route, plain.count - 1) }
        return candidates[min(record.route, candidates.count - 1)].first { $0.condition?.isMet(by: record) ?? true }?
            .route
    }
}
