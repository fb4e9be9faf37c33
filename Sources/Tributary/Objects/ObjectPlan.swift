import TributaryStore
import TributaryImport

/// How values become objects of an entity and of those that its relationships lead to.
struct ObjectPlan: Sendable {
    /// The objects of an entity that are found by one key.
    struct Unit: Sendable {
        let mapping: EntityMapping
        let hooks: ImportHooks
        /// For each relation of the mapping the unit of its objects.
        let targets: [Int]
    }

    let units: [Unit]

    /// The plan for an entity, which is the first unit, with the closures of classes by the names of their entities.
    init(_ nested: NestedMapping, _ hooks: [String: ImportHooks]) {
        units = nested.units.map { unit in
            Unit(
                mapping: unit.mapping, hooks: hooks[unit.mapping.entity.name] ?? ImportHooks(), targets: unit.targets)
        }
    }

    /// Whether an import needs the context: for relationships, or for a closure.
    var takesContext: Bool { units.count > 1 || units[0].hooks.takesContext || !units[0].mapping.relations.isEmpty }
}
