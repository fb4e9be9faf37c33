import TributarySQLite

/// Writing join tables and the order of ordered relationships.
extension StoreWriter {
    func writeLinks(_ object: ManagedObject) throws {
        guard let registry = object.registry else { return }
        for slot in registry.manySlots {
            guard let many = object.manyObjects(slot) else { continue }
            let relationship = object.relationship(slot)
            if relationship.isTransient { continue }
            let isNew = object.state.contains(.inserted)
            guard isNew ? !many.all.isEmpty : many.hasChanges else { continue }
            if let inverse = relationship.inverse, !inverse.isToMany {
                if relationship.isOrdered { try writeOrder(of: many, inChildrenOf: object, relationship) }
                continue
            }
            guard let storage = PairStorage(relationship, in: store.schema) else { continue }
            let isSource = storage.relationship == relationship
            for other in many.removed.objects where other.mayHaveRow && !many.added.contains(other) {
                try remove(object.key, other.key, storage, isSource)
            }
            for other in isNew ? many.all.objects : many.added.objects where other.mayHaveRow {
                // A pair of a symmetric relationship is one row, with the lesser key first.
                let isFirst = storage.isSymmetric ? object.key < other.key : isSource
                try write(object.key, other.key, storage.addition, isSource: isFirst)
            }
            if relationship.isOrdered { try writeOrder(of: many, object, storage, isSource) }
        }
    }

    private func remove(_ key: Int64, _ other: Int64, _ storage: PairStorage, _ isSource: Bool) throws {
        for isFirst in storage.isSymmetric ? [true, false] : [isSource] {
            try connection.withUnboundStatement(storage.removal) { statement in
                try statement.bind(isFirst ? key : other, at: 0)
                try statement.bind(isFirst ? other : key, at: 1)
                _ = try statement.step()
            }
        }
    }

    /// Executes a statement of a source, a position and a target.
    private func write(
        _ key: Int64, _ other: Int64, _ sql: String, isSource: Bool, position: Int? = nil
    ) throws {
        try connection.withUnboundStatement(sql) { statement in
            try statement.bind(isSource ? key : other, at: 0)
            if let position { try statement.bind(Int64(position), at: 1) }
            try statement.bind(isSource ? other : key, at: 2)
            _ = try statement.step()
        }
    }

    // MARK: Order

    private func writeOrder(
        of many: ManyObjects, _ object: ManagedObject, _ storage: PairStorage, _ isSource: Bool
    ) throws {
        guard let order = isSource ? storage.targetOrder : storage.sourceOrder,
            let positioning = storage.positioning(ofSources: !isSource)
        else { return }
        let own = isSource ? storage.source : storage.target
        let highest: SQLFragment =
            "SELECT MAX(\(identifier: order)) FROM \(identifier: storage.table) WHERE \(identifier: own) = \(object.key)"
        for (position, other) in try positions(of: many, highest: highest) {
            try write(object.key, other.key, positioning, isSource: isSource, position: position)
        }
    }

    private func writeOrder(
        of many: ManyObjects, inChildrenOf object: ManagedObject, _ relationship: RelationshipProperty
    ) throws {
        guard let inverse = relationship.inverse,
            let column = store.schema.table(of: relationship.destination)?.column(
                .relationship(inverse), of: relationship.destination)
        else { return }
        let table: SQLFragment = "\(identifier: relationship.destination.root.name)"
        let order: SQLFragment = "\(identifier: Schema.orderColumn(relationship))"
        let highest: SQLFragment =
            "SELECT MAX(\(order)) FROM \(table) WHERE \(identifier: column.name) = \(object.key)"
        for (position, other) in try positions(of: many, highest: highest) {
            try connection.execute("UPDATE \(table) SET \(order) = \(position) WHERE \"_pk\" = \(other.key)")
        }
    }

    /// The positions to write: of objects added at the end, or of all objects if the order has changed.
    private func positions(of many: ManyObjects, highest: SQLFragment) throws -> [(Int, ManagedObject)] {
        let objects = many.all.objects.filter { !$0.state.contains(.deleted) }
        let removedKeys = Set(many.removed.objects.map(\.key))
        let kept = many.storedOrder.filter { !removedKeys.contains($0) }
        guard objects.count >= kept.count, objects.prefix(kept.count).map(\.key) == kept else {
            return Array(objects.enumerated()).map { ($0.offset, $0.element) }
        }
        let next = try connection.integer(of: highest).map { Int($0) + 1 } ?? 0
        return objects.dropFirst(kept.count).enumerated().map { (next + $0.offset, $0.element) }
    }
}
