import TributaryStore

/// The mappings of some entities, and those of the entities that their relationships lead to.
package struct NestedMapping: Sendable {
    /// The objects of an entity that are found by one key.
    package struct Unit: Sendable {
        package let mapping: EntityMapping
        /// For objects without a key, the relation by which they are known; nil if they are always new.
        let parent: Parent?
        /// For each relation of the mapping the unit of its objects.
        package fileprivate(set) var targets: [Int] = []
    }

    /// The relation whose objects are known by their owner and position.
    package struct Parent: Sendable, Hashable {
        let entity: String
        let relation: String
    }

    package private(set) var units: [Unit] = []
    /// For each of the given mappings its unit.
    private(set) var tops: [Int] = []

    /// The mappings from those of some entities on; `keepsPlaces` says whether objects without a key are known by their
    /// owners.
    package init(_ mappings: [EntityMapping], _ resolver: MappingResolver, keepsPlaces: Bool = false) throws {
        tops = mappings.map { add($0, nil) }
        var next = 0
        while next < units.count {
            for relation in units[next].mapping.relations {
                let mapping = try resolver.resolve(relation)
                let isPlaced = keepsPlaces && mapping.key.isEmpty
                let target = add(
                    mapping,
                    isPlaced ? Parent(entity: relation.relationship.entity.name, relation: relation.name) : nil)
                units[next].targets.append(target)
            }
            next += 1
        }
    }

    private mutating func add(_ mapping: EntityMapping, _ parent: Parent?) -> Int {
        let known = units.firstIndex {
            $0.mapping.entity == mapping.entity && $0.mapping.key == mapping.key && $0.parent == parent
        }
        if known == nil { units.append(Unit(mapping: mapping, parent: parent)) }
        return known ?? units.count - 1
    }
}

extension MappingResolver {
    /// Whether classes have closures for the objects of a route, or for those inside of its records.
    func hasHooks(_ route: ImportRoute, _ model: Model) -> Bool {
        guard !classes.hooked.isEmpty, case .rows = route.kind, let entity = model[route.entityName],
            // What is wrong with a mapping is told when the route is resolved.
            let mapping = try? resolve(entity, route.mapping, key: route.key, isKeyless: route.isKeyless),
            let nested = try? NestedMapping([mapping], self)
        else { return false }
        return nested.units.contains { classes.hooked.contains($0.mapping.entity.name) }
    }
}
