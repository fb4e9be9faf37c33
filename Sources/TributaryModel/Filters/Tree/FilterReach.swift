/// The root entities of all objects that a filter reads through relationships.
package struct FilterReach {
    package private(set) var entities: Set<Entity> = []
    private let start: Entity

    package init(_ filter: Filter, from entity: Entity) {
        start = entity
        _ = filter.mapping { visit($0) }
    }

    package init(_ expression: FilterExpression, from entity: Entity) {
        start = entity
        _ = expression.mapping { visit($0) }
    }

    /// Follows the paths of an expression; nil if its parts are to be visited too.
    private mutating func visit(_ expression: FilterExpression) -> FilterExpression? {
        switch expression {
        case .keyPath(let keys): follow(keys)
        case .path(let base, let keys):
            // The path begins at the end of the base.
            _ = base.mapping { visit($0) }
            follow(keys)
            return expression
        case .element(let base, _):
            _ = base.mapping { visit($0) }
            return expression
        default: break
        }
        return nil
    }

    /// Follows a path from all known entities, because a path in a subquery may begin at any of them.
    private mutating func follow(_ keys: [String]) {
        for origin in [start] + entities {
            var current: Entity? = origin
            for key in keys {
                guard let entity = current else { break }
                let relationship = ([entity] + entity.descendants).lazy.compactMap { $0.relationship(named: key) }.first
                if let destination = relationship?.destination { entities.insert(destination.root) }
                current = relationship?.destination
            }
        }
    }
}
