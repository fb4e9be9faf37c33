import TributarySQLite

/// What joins objects besides the columns of their rows: join tables, and the order of ordered relationships.
extension StoreWriter {
    /// Writes what has changed in the relationships to many of an object.
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

    /// A join table as one side sees it.
    private struct Join {
        let table: String
        let here: String
        let there: String
        let order: String?
        let isSymmetric: Bool

        init?(_ relationship: RelationshipProperty, in schema: Schema) {
            for join in schema.joins {
                let isFirst = join.relationship == relationship
                guard isFirst || join.relationship.inverse == relationship else { continue }
                table = join.name
                isSymmetric = relationship.inverse == relationship
                here = isFirst ? join.source : join.target
                there = isFirst ? join.target : join.source
                if isFirst {
                    order = join.hasTargetOrder ? "_targetOrder" : nil
                } else {
                    order = join.hasSourceOrder ? "_sourceOrder" : nil
                }
                return
            }
            return nil
        }
    }

    private func add(_ key: Int64, _ other: Int64, _ join: Join) throws {
        // A pair that leads both ways stands once, the lesser number first.
        let (here, there) = join.isSymmetric ? (min(key, other), max(key, other)) : (key, other)
        try connection.execute(
            "INSERT OR IGNORE INTO \(identifier: join.table) (\(identifier: join.here), \(identifier: join.there)) VALUES (\(here), \(there))"
        )
    }

    private func remove(_ key: Int64, _ other: Int64, _ join: Join) throws {
        let table: SQLFragment = "\(identifier: join.table)"
        let pair: SQLFragment = "\(identifier: join.here) = \(key) AND \(identifier: join.there) = \(other)"
        try connection.execute("DELETE FROM \(table) WHERE \(pair)")
        guard join.isSymmetric else { return }
        let turned: SQLFragment = "\(identifier: join.here) = \(other) AND \(identifier: join.there) = \(key)"
        try connection.execute("DELETE FROM \(table) WHERE \(turned)")
    }

    // MARK: Order

    private func writeOrder(of many: ManyObjects, _ object: ManagedObject, _ join: Join) throws {
        guard let order = join.order else { return }
        let table: SQLFragment = "\(identifier: join.table)"
        let mine: SQLFragment = "\(identifier: join.here) = \(object.key)"
        let highest: SQLFragment = "SELECT MAX(\(identifier: order)) FROM \(table) WHERE \(mine)"
        for (place, other) in try places(of: many, highest: highest) {
            try connection.execute(
                "UPDATE \(table) SET \(identifier: order) = \(place) WHERE \(mine) AND \(identifier: join.there) = \(other.key)"
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
        for (place, other) in try places(of: many, highest: highest) {
            try connection.execute("UPDATE \(table) SET \(order) = \(place) WHERE \"_pk\" = \(other.key)")
        }
    }

    /// Which objects get which place: those at the end that are new, or all if the order has changed.
    private func places(of many: ManyObjects, highest: SQLFragment) throws -> [(Int, ManagedObject)] {
        let objects = many.all.objects.filter { !$0.state.contains(.deleted) }
        let gone = Set(many.removed.objects.map(\.key))
        let kept = many.storedOrder.filter { !gone.contains($0) }
        guard objects.count >= kept.count, objects.prefix(kept.count).map(\.key) == kept else {
            return Array(objects.enumerated()).map { ($0.offset, $0.element) }
        }
        var next = 0
        if case .integer(let last) = try connection.value(of: highest) { next = Int(last) + 1 }
        return objects.dropFirst(kept.count).enumerated().map { (next + $0.offset, $0.element) }
    }
}
