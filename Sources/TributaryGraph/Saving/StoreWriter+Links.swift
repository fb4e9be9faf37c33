import TributarySQLite

/// Writing join tables and the order of ordered relationships.
extension StoreWriter {
    /// Writes the changes of the to-many relationships of an object.
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
            guard let join = Join(relationship, in: store.schema) else { continue }
            for other in many.removed.objects where other.mayHaveRow && !many.added.contains(other) {
                try remove(object.key, other.key, join)
            }
            for other in isNew ? many.all.objects : many.added.objects where other.mayHaveRow {
                try add(object.key, other.key, join)
            }
            if relationship.isOrdered { try writeOrder(of: many, object, join) }
        }
    }

    /// A join table, seen from one side of its relationship.
    private struct Join {
        let table: String
        let source: String
        let target: String
        let order: String?
        let isSymmetric: Bool

        init?(_ relationship: RelationshipProperty, in schema: Schema) {
            guard let join = schema.join(of: relationship) else { return nil }
            let isFirst = join.relationship == relationship
            table = join.name
            isSymmetric = relationship.inverse == relationship
            source = isFirst ? join.source : join.target
            target = isFirst ? join.target : join.source
            if isFirst {
                order = join.hasTargetOrder ? "_targetOrder" : nil
            } else {
                order = join.hasSourceOrder ? "_sourceOrder" : nil
            }
        }
    }

    private func add(_ key: Int64, _ other: Int64, _ join: Join) throws {
        // A pair of a symmetric relationship is one row, with the lesser key first.
        let (source, target) = join.isSymmetric ? (min(key, other), max(key, other)) : (key, other)
        try connection.execute(
            "INSERT OR IGNORE INTO \(identifier: join.table) (\(identifier: join.source), \(identifier: join.target)) VALUES (\(source), \(target))"
        )
    }

    private func remove(_ key: Int64, _ other: Int64, _ join: Join) throws {
        let table: SQLFragment = "\(identifier: join.table)"
        let pair: SQLFragment = "\(identifier: join.source) = \(key) AND \(identifier: join.target) = \(other)"
        try connection.execute("DELETE FROM \(table) WHERE \(pair)")
        guard join.isSymmetric else { return }
        let reversed: SQLFragment = "\(identifier: join.source) = \(other) AND \(identifier: join.target) = \(key)"
        try connection.execute("DELETE FROM \(table) WHERE \(reversed)")
    }

    // MARK: Order

    private func writeOrder(of many: ManyObjects, _ object: ManagedObject, _ join: Join) throws {
        guard let order = join.order else { return }
        let table: SQLFragment = "\(identifier: join.table)"
        let isOwn: SQLFragment = "\(identifier: join.source) = \(object.key)"
        let highest: SQLFragment = "SELECT MAX(\(identifier: order)) FROM \(table) WHERE \(isOwn)"
        for (position, other) in try positions(of: many, highest: highest) {
            try connection.execute(
                "UPDATE \(table) SET \(identifier: order) = \(position) WHERE \(isOwn) AND \(identifier: join.target) = \(other.key)"
            )
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
        var next = 0
        if case .integer(let last) = try connection.value(of: highest) { next = Int(last) + 1 }
        return objects.dropFirst(kept.count).enumerated().map { (next + $0.offset, $0.element) }
    }
}
