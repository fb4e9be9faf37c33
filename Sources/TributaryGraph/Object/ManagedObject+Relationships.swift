/// Both sides of a relationship, kept in step.
extension ManagedObject {
    /// The object that a relationship to one leads to.
    final func one(_ slot: Int) -> ManagedObject? {
        row.kind(slot) == .boxed ? row.boxed(slot) as? ManagedObject : nil
    }

    /// The objects that a relationship to many leads to.
    final func many(_ slot: Int) -> [ManagedObject] { manyObjects(slot)?.objects ?? [] }

    final func manyObjects(_ slot: Int) -> ManyObjects? {
        row.kind(slot) == .boxed ? row.boxed(slot) as? ManyObjects : nil
    }

    /// Makes `other` the object that the relationship leads to.
    final func setOne(_ slot: Int, _ other: ManagedObject?) {
        let relationship = relationship(slot)
        let old = one(slot)
        guard old !== other else { return }
        if let other { check(other, fits: relationship) }
        put(other, slot)
        guard let inverse = relationship.inverse else { return }
        old?.forget(self, at: inverse.slot)
        other?.learn(self, through: inverse)
    }

    /// Makes `others` the objects that the relationship leads to.
    final func setMany(_ slot: Int, _ others: [ManagedObject]) {
        let wanted = ManyObjects(others)
        for object in many(slot) where wanted.place(of: object) == nil { removeFromMany(slot, object) }
        for object in wanted.objects { addToMany(slot, object) }
        guard relationship(slot).isOrdered, let here = manyObjects(slot) else { return }
        for (target, object) in wanted.objects.enumerated() {
            if let source = here.place(of: object), source != target { here.move(from: source, to: target) }
        }
    }

    /// Adds `other` to those that the relationship leads to; false if it is one already.
    @discardableResult
    final func addToMany(_ slot: Int, _ other: ManagedObject) -> Bool {
        let relationship = relationship(slot)
        check(other, fits: relationship)
        guard manyToChange(slot).append(other) else { return false }
        if let inverse = relationship.inverse { other.learn(self, through: inverse) }
        return true
    }

    /// Takes `other` from those that the relationship leads to; false if it is none.
    @discardableResult
    final func removeFromMany(_ slot: Int, _ other: ManagedObject) -> Bool {
        let relationship = relationship(slot)
        guard let many = manyObjects(slot), many.remove(other, keepingOrder: relationship.isOrdered) else {
            return false
        }
        if let inverse = relationship.inverse { other.forget(self, at: inverse.slot) }
        return true
    }

    // MARK: The other side

    /// `other` leads here now: so this leads to it, and no longer to whom it led before.
    private func learn(_ other: ManagedObject, through relationship: RelationshipProperty) {
        let slot = relationship.slot
        if relationship.isToMany {
            manyToChange(slot).append(other)
            return
        }
        let old = one(slot)
        guard old !== other else { return }
        put(other, slot)
        if let inverse = relationship.inverse { old?.forget(self, at: inverse.slot) }
    }

    /// `other` no longer leads here.
    private func forget(_ other: ManagedObject, at slot: Int) {
        let relationship = relationship(slot)
        if relationship.isToMany {
            manyObjects(slot)?.remove(other, keepingOrder: relationship.isOrdered)
        } else if one(slot) === other {
            put(nil, slot)
        }
    }

    private func put(_ other: ManagedObject?, _ slot: Int) {
        if let other { row.set(other, slot) } else { row.clear(slot) }
    }

    private func manyToChange(_ slot: Int) -> ManyObjects {
        if let many = manyObjects(slot) { return many }
        let many = ManyObjects()
        row.set(many, slot)
        return many
    }

    private func relationship(_ slot: Int) -> RelationshipProperty {
        guard let relationship = entity.properties[slot].relationship else {
            preconditionFailure("\(entity.name).\(entity.properties[slot].name) is no relationship")
        }
        return relationship
    }

    private func check(_ other: ManagedObject, fits relationship: RelationshipProperty) {
        precondition(
            other.entity.isKind(of: relationship.destination),
            "\(entity.name).\(relationship.name) leads to \(relationship.destination.name), not to \(other.entity.name)"
        )
    }
}
