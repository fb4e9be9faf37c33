import TributaryStore
import TributaryJSON

/// How values become objects of an entity and of those that its relationships lead to.
struct ObjectPlan: Sendable {
    /// The objects of an entity that are found by one key.
    struct Unit: Sendable {
        let mapping: EntityMapping
        let hooks: ImportHooks
        /// For each relation of the mapping the unit of its objects.
        var targets: [Int] = []

        var entity: Entity { mapping.entity }
    }

    private(set) var units: [Unit] = []

    /// The plan for an entity, which is the first unit.
    ///
    /// - Throws: `ImportError` if a mapping is wrong.
    init(_ mapping: EntityMapping, _ resolver: MappingResolver) throws {
        units = [Unit(mapping: mapping, hooks: resolver.hooks(of: mapping.entity))]
        var next = 0
        while next < units.count {
            for relation in units[next].mapping.relations {
                let found = try resolver.resolve(relation)
                let known = units.firstIndex { unit in
                    unit.entity == found.entity && unit.mapping.key.map(\.name) == found.key.map(\.name)
                }
                if known == nil { units.append(Unit(mapping: found, hooks: resolver.hooks(of: found.entity))) }
                units[next].targets.append(known ?? units.count - 1)
            }
            next += 1
        }
    }

    /// Whether any of the objects has closures.
    var hasHooks: Bool { units.contains { !$0.hooks.isEmpty } }
    /// Whether an import needs the context: for relationships, or for a closure.
    var takesContext: Bool { units.count > 1 || units[0].hooks.takesContext || !units[0].mapping.relations.isEmpty }
}

extension MappingResolver {
    /// Whether classes have closures for the objects of a route, or for those inside of its records.
    func hasHooks(_ route: ImportRoute, _ model: Model) -> Bool {
        guard hasHooks, case .rows = route.kind, let entity = model[route.entityName],
            // Errors of a mapping are reported when the route is resolved.
            let mapping = try? resolve(entity, route.mapping, key: route.key, isKeyless: route.isKeyless),
            let plan = try? ObjectPlan(mapping, self)
        else { return false }
        return plan.hasHooks
    }
}
