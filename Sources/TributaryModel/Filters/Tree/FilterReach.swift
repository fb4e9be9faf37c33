/// The root entities of all objects that a filter reads through relationships.
package struct FilterReach {
    package private(set) var entities: Set<Entity> = []
    private let start: Entity

    package init(_ filter: Filter, from entity: Entity) {
        start = entity
        visit(filter)
    }

    package init(_ expression: FilterExpression, from entity: Entity) {
        start = entity
        visit(expression)
    }

    private mutating func visit(_ filter: Filter) {
        switch filter.form {
        case .always, .never, .malformed: break
        case .comparison(let comparison):
            visit(comparison.left)
            visit(comparison.right)
        case .and(let filters), .or(let filters): for filter in filters { visit(filter) }
        case .not(let filter): visit(filter)
        }
    }

    private mutating func visit(_ expression: FilterExpression) {
        switch expression {
        case .constant, .subject, .variable: break
        case .keyPath(let keys): follow(keys)
        case .path(let base, let keys):
            visit(base)
            follow(keys)
        case .aggregate(let parts), .function(_, let parts): for part in parts { visit(part) }
        case .negation(let one), .cast(let one, _), .element(let one, _): visit(one)
        case .operation(_, let left, let right):
            visit(left)
            visit(right)
        case .subquery(let collection, _, let filter):
            visit(collection)
            visit(filter)
        case .ternary(let filter, let yes, let no):
            visit(filter)
            visit(yes)
            visit(no)
        }
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
