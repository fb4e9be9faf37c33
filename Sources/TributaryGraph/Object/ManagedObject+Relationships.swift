/// Both sides of a relationship, kept in step.
extension ManagedObject {
    /// The object that a relationship to one leads to.
    final func one(_ slot: Int) -> ManagedObject? {
        if accessFlags.contains(.fault) { fire() }
        switch row.kind(slot) {
        // Only objects stand in the slots of relationships.
        case .boxed:
            let other = unsafeDowncast(row.boxed(slot), to: ManagedObject.self)
            // What nobody keeps in step may lead to an object that is gone.
            return other.state.isDisjoint(with: [.detached, .gone]) ? other : nil
        case .integer: return registry?.context?.resolve(self, slot)
        default: return nil
        }
    }

    /// The objects that a relationship to many leads to.
    final func many(_ slot: Int) -> [ManagedObject] { loadedMany(slot)?.objects ?? [] }

    /// What stands in the slot of a relationship to many, loaded or not; nil if nobody has asked for it yet.
    final func manyObjects(_ slot: Int) -> ManyObjects? {
        row.kind(slot) == .boxed ? unsafeDowncast(row.boxed(slot), to: ManyObjects.self) : nil
    }

    /// What stands in the slot of a relationship to many, with all its objects; nil if there are none.
    final func loadedMany(_ slot: Int) -> ManyObjects? {
        if let many = manyObjects(slot), many.isLoaded { return many }
        guard let context = registry?.context, isStored else { return manyObjects(slot) }
        context.loadMany(self, slot)
        return manyObjects(slot)
    }

    /// Whether the store may have something for it.
    final var isStored: Bool { !state.contains(.detached) && (registry?.context?.isStored(self) ?? false) }

    /// Makes `other` the object that the relationship leads to.
    final func setOne(_ slot: Int, _ other: ManagedObject?) {
        let relationship = relationship(slot)
        let old = one(slot)
        guard old !== other, !accessFlags.contains(.fault) else { return }
        if let other { check(other, fits: relationship) }
        put(other, slot)
        guard let inverse = relationship.inverse else { return }
        old?.forget(self, at: inverse.slot)
        other?.learn(self, through: inverse)
    }

    /// Makes `others` the objects that the relationship leads to.
    final func setMany(_ slot: Int, _ others: [ManagedObject]) {
        let wanted = ObjectSet(others)
        for object in many(slot) where !wanted.contains(object) { removeFromMany(slot, object) }
        for object in wanted.objects { addToMany(slot, object) }
        guard relationship(slot).isOrdered, let here = loadedMany(slot) else { return }
        for (target, object) in wanted.objects.enumerated() {
            guard let source = here.all.place(of: object), source != target else { continue }
            noteLinks()
            here.move(from: source, to: target)
            registry?.context?.editLog?.noteMove(in: here, from: source, to: target)
        }
    }

    /// Adds `other` to those that the relationship leads to; false if it is one already.
    @discardableResult
    final func addToMany(_ slot: Int, _ other: ManagedObject) -> Bool {
        let relationship = relationship(slot)
        check(other, fits: relationship)
        if let inverse = relationship.inverse, !inverse.isToMany {
            // The other side knows whether it is there: the rest need not be loaded.
            if other.one(inverse.slot) === self || other.accessFlags.contains(.fault) { return false }
        } else if loadedMany(slot)?.contains(other) ?? false {
            return false
        }
        append(other, at: slot)
        if let inverse = relationship.inverse { other.learn(self, through: inverse) }
        return true
    }

    /// Takes `other` from those that the relationship leads to; false if it is none.
    @discardableResult
    final func removeFromMany(_ slot: Int, _ other: ManagedObject) -> Bool {
        let relationship = relationship(slot)
        if let inverse = relationship.inverse, !inverse.isToMany {
            guard other.entity.isKind(of: relationship.destination), other.one(inverse.slot) === self else {
                return false
            }
        } else {
            guard loadedMany(slot)?.contains(other) ?? false else { return false }
        }
        remove(other, at: slot)
        if let inverse = relationship.inverse { other.forget(self, at: inverse.slot) }
        return true
    }

    // MARK: The other side

    /// `other` leads here now: so this leads to it, and no longer to whom it led before.
    final func learn(_ other: ManagedObject, through relationship: RelationshipProperty) {
        let slot = relationship.slot
        if relationship.isToMany {
            append(other, at: slot)
            return
        }
        let old = one(slot)
        guard old !== other else { return }
        put(other, slot)
        if let inverse = relationship.inverse { old?.forget(self, at: inverse.slot) }
    }

    /// `other` no longer leads here.
    final func forget(_ other: ManagedObject, at slot: Int) {
        let relationship = relationship(slot)
        if relationship.isToMany {
            remove(other, at: slot)
        } else if one(slot) === other {
            put(nil, slot)
        }
    }

    private func put(_ other: ManagedObject?, _ slot: Int) {
        if !accessFlags.isEmpty { willChange() }
        if let other { row.set(other, slot) } else { row.clear(slot) }
    }

    /// Notes that what leads here, or from here to many, is about to change; the row stays as it is.
    private func noteLinks() { registry?.context?.noteLinks(self) }

    private func append(_ other: ManagedObject, at slot: Int) {
        noteLinks()
        let many = manyToChange(slot)
        if many.append(other) { registry?.context?.editLog?.noteAddition(of: other, to: many) }
    }

    private func remove(_ other: ManagedObject, at slot: Int) {
        noteLinks()
        let many = manyToChange(slot)
        guard let editLog = registry?.context?.editLog else {
            many.remove(other)
            return
        }
        let places = many.places(of: other)
        if many.remove(other) { editLog.noteRemoval(of: other, from: many, places) }
    }

    private func manyToChange(_ slot: Int) -> ManyObjects {
        if let many = manyObjects(slot) { return many }
        let many = ManyObjects(isLoaded: !isStored, of: relationship(slot))
        row.set(many, slot)
        return many
    }

    final func relationship(_ slot: Int) -> RelationshipProperty {
        guard let relationship = entity.properties[slot].relationship else {
            fatalError("\(entity.name).\(entity.properties[slot].name) is no relationship")
        }
        return relationship
    }

    private func check(_ other: ManagedObject, fits relationship: RelationshipProperty) {
        demand(
            other.entity.isKind(of: relationship.destination),
            "\(entity.name).\(relationship.name) leads to \(relationship.destination.name), not to \(other.entity.name)"
        )
        demand(
            other.registry?.context === registry?.context && !other.state.contains(.detached),
            "\(entity.name).\(relationship.name) cannot lead to an object of another context, or of none")
    }
}
