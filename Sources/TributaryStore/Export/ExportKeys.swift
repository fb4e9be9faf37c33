import TributaryModel

extension Entity {
    /// The attributes by which an export identifies its objects; empty if none do.
    ///
    /// Other objects refer to a single attribute only, so a constraint of one attribute comes first.
    package var exportKey: [AttributeProperty] {
        let keys = uniquenessConstraints.compactMap { constraint -> [AttributeProperty]? in
            let attributes = constraint.properties.compactMap(\.attribute)
            let areStored = attributes.allSatisfy {
                !$0.isTransient && $0.declaration.derivation == nil && $0.type.kind != .transformable
            }
            return attributes.count == constraint.properties.count && areStored ? attributes : nil
        }
        return keys.first { $0.count == 1 } ?? keys.first ?? []
    }

    /// The entity and those below it that have objects.
    package var concreteEntities: [Entity] { ([self] + descendants).filter { !$0.isAbstract } }

    /// Whether an import finds objects of the entity, and of those below it, by one value.
    var canBeReferredTo: Bool { exportKey.count == 1 && (!isAbstract || concreteEntities.count == 1) }
}
