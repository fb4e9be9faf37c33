import TributaryStore

/// Imports whose records have nested objects.
extension ImportPlan {
    /// The tables of nested objects; nil if no route has relations.
    static func related(
        _ routes: [ResolvedRoute], _ resolver: MappingResolver, _ stores: any StoreSet, _ options: ImportOptions
    ) throws -> RelatedPlan? {
        guard let first = routes.first(where: { $0.relations != nil }) else { return nil }
        let mappings = routes.compactMap { route in
            switch route.making {
            case .rows(let maker): maker.mapping
            case .related(let mapping): mapping
            // Beside these no route takes relations.
            case .inferred, .records: nil as EntityMapping?
            }
        }
        return try RelatedPlan(mappings, resolver, stores.store(of: first.entity).schema, options)
    }

    /// Throws if an object that a relation leads to cannot be made of its key alone.
    func checkStubs() throws {
        for unit in related?.units ?? [] {
            for relation in unit.relations where relation.dangling == .stub {
                let target = related?.units[relation.target].mapping
                let mandatory = target?.entity.properties.first { property in
                    switch property {
                    case .attribute(let attribute):
                        return !attribute.isOptional && attribute.declaration.defaultValue == nil
                            && attribute.declaration.derivation == nil
                            && !(target?.key.contains(attribute) ?? true)
                    case .relationship(let relationship): return !relationship.isOptional
                    }
                }
                guard let mandatory, let target, !target.key.isEmpty else { continue }
                throw ImportError(
                    .route,
                    "\(unit.entity.name).\(relation.mapped.name) leads to \(target.entity.name), of which \(mandatory.name) must have a value, so no stubs can be made",
                    hint: "let references wait, or set them to null")
            }
        }
    }

    /// The entity of a route, or of a unit of nested objects, which follow the routes.
    func entity(ofWriter index: Int) -> Entity {
        index < routes.count ? routes[index].entity : related?.units[index - routes.count].entity ?? routes[0].entity
    }
}

extension ImportPlan.ResolvedRoute {
    /// The mapping of a route with relations.
    fileprivate var relations: EntityMapping? { if case .related(let mapping) = making { mapping } else { nil } }
}
