/// The objects that a filter reads through relationships.
package struct FilterReach {
    /// The root entities of these objects.
    package private(set) var entities: Set<Entity> = []
    /// The paths of relationships from the subject to them, with their root entities; nil if a path begins elsewhere.
    package private(set) var paths: [[String]: Entity]? = [:]
    private let start: Entity
    /// The paths from the subject to the elements of SUBQUERYs, by variable.
    private var variables: [String: [String]] = [:]

    package init(_ filter: Filter, from entity: Entity) {
        start = entity
        _ = filter.mapping { visit($0) }
    }

    package init(_ expression: FilterExpression, from entity: Entity) {
        start = entity
        _ = expression.mapping { visit($0) }
    }

    /// Follows the paths of an expression; nil, so that its parts are visited too.
    private mutating func visit(_ expression: FilterExpression) -> FilterExpression? {
        switch expression {
        case .keyPath(let keys): follow(keys, from: start)
        case .path(let base, let keys):
            if let prefix = path(of: base) { follow(prefix + keys, from: start) } else { followAnywhere(keys) }
        case .subquery(let collection, let variable, _):
            // A name that two SUBQUERYs use may mean either of their elements.
            guard let path = path(of: collection), variables[variable] ?? path == path else {
                paths = nil
                break
            }
            variables[variable] = path
        default: break
        }
        return nil
    }

    /// The path from the subject to the objects of an expression; nil if they are found in another way.
    private func path(of expression: FilterExpression) -> [String]? {
        switch expression {
        case .subject: []
        case .keyPath(let keys): keys
        case .path(let base, let keys): path(of: base).map { $0 + keys }
        case .variable(let name): variables[name]
        case .subquery(let base, _, _), .element(let base, _): path(of: base)
        default: nil
        }
    }

    /// Follows a path from all known entities, any of which it may begin at.
    private mutating func followAnywhere(_ keys: [String]) {
        for origin in [start] + entities { follow(keys, from: origin) }
        paths = nil
    }

    private mutating func follow(_ keys: [String], from origin: Entity) {
        var current = origin
        var path: [String] = []
        // A collection operator leaves the path where it is.
        for key in keys where !key.hasPrefix("@") {
            let relationship = ([current] + current.descendants).lazy.compactMap { $0.relationship(named: key) }.first
            guard let destination = relationship?.destination else { return }
            path.append(key)
            entities.insert(destination.root)
            paths?[path] = destination.root
            current = destination
        }
    }
}
