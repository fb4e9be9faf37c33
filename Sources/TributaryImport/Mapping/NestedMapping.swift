import TributaryStore

/// The mapping of an entity, and those of the entities that its relationships lead to.
package struct NestedMapping: Sendable {
    /// The objects of an entity that are found by one key.
    package struct Unit: Sendable {
        package let mapping: EntityMapping
        /// For each relation of the mapping the unit of its objects.
        package fileprivate(set) var targets: [Int] = []
    }

    package private(set) var units: [Unit] = []

    /// The mappings from that of an entity on, which is the first unit.
    ///
    /// - Throws: `ImportError` if a mapping is wrong.
    package init(_ mapping: EntityMapping, _ resolver: MappingResolver) throws {
        units = [Unit(mapping: mapping)]
        var next = 0
        while next < units.count {
            for relation in units[next].mapping.relations {
                let found = try resolver.resolve(relation)
                let known = units.firstIndex { unit in
                    unit.mapping.entity == found.entity && unit.mapping.key.map(\.name) == found.key.map(\.name)
                }
                if known == nil { units.append(Unit(mapping: found)) }
                units[next].targets.append(known ?? units.count - 1)
            }
            next += 1
        }
    }
}

extension MappingResolver {
    /// Whether classes have closures for the objects of a route, or for those inside of its records.
    func hasHooks(_ route: ImportRoute, _ model: Model) -> Bool {
        guard hasHooks, case .rows = route.kind, let entity = model[route.entityName],
            // What is wrong with a mapping is told when the route is resolved.
            let mapping = try? resolve(entity, route.mapping, key: route.key, isKeyless: route.isKeyless),
            let nested = try? NestedMapping(mapping, self)
        else { return false }
        return nested.units.contains { isHooked($0.mapping.entity) }
    }
}
