/// Reading relationships, and changing both sides of them.
extension ManagedObject {
    final func one(_ slot: Int) -> ManagedObject? {
        if accessFlags.contains(.fault) { fire() }
        switch row.kind(slot) {
        // A boxed value in the slot of a to-one relationship is always an object.
        case .boxed:
            let other = unsafeDowncast(row.boxed(slot), to: ManagedObject.self)
            // A reference without a maintained inverse may dangle.
            return other.state.isDisjoint(with: [.detached, .rowDeleted]) ? other : nil
        case .integer: return registry?.context?.resolve(self, slot)
        default: return nil
        }
    }

    final func many(_ slot: Int) -> [ManagedObject] { loadedMany(slot)?.objects ?? [] }

    final func destinations(_ relationship: RelationshipProperty) -> [ManagedObject] {
        relationship.isToMany ? many(relationship.slot) : one(relationship.slot).map { [$0] } ?? []
    }

    /// The destinations and changes of a to-many relationship, loaded or not; nil if it was not accessed yet.
    final func manyObjects(_ slot: Int) -> ManyObjects? {
        row.kind(slot) == .boxed ? unsafeDowncast(row.boxed(slot), to: ManyObjects.self) : nil
    }

    /// The destinations of a to-many relationship, loaded if the store has any; nil if there are none.
    final func loadedMany(_ slot: Int) -> ManyObjects? {
        if let many = manyObjects(slot), many.isLoaded { return many }
        guard let context = registry?.context, isStored else { return manyObjects(slot) }
        context.loadMany(self, slot)
        return manyObjects(slot)
    }

    /// Whether the store may have a row of the object.
    final var isStored: Bool { !state.contains(.detached) && (registry?.context?.isStored(self) ?? false) }

    final func setOne(_ slot: Int, _ other: ManagedObject?) {
        let relationship = relationship(slot)
        let old = one(slot)
        guard old !== other, !accessFlags.contains(.fault) else { return }
        if let other { check(other, fits: relationship) }
        setReference(other, slot)
        guard let inverse = relationship.inverse else { return }
        old?.removeInverse(self, at: inverse.slot)
        other?.addInverse(self, through: inverse)
    }

    final func setMany(_ slot: Int, _ others: [ManagedObject]) {
        let wanted = ObjectSet(others)
        let isOrdered = relationship(slot).isOrdered
        let lost = many(slot).filter { !wanted.contains($0) }
        // The lost ones are removed from the end, so that no other one is moved each time.
        if isOrdered, !lost.isEmpty { arrange(slot, wanted.objects) }
        for object in lost.reversed() { removeFromMany(slot, object) }
        for object in wanted.objects { addToMany(slot, object) }
        if isOrdered { arrange(slot, wanted.objects) }
    }

    private func arrange(_ slot: Int, _ order: [ManagedObject]) {
        guard let list = loadedMany(slot), list.isLoaded else { return }
        let before = list.all.objects
        let isInOrder = order.count <= before.count && zip(order, before).allSatisfy { $0 === $1 }
        if isInOrder { return }
        willModifyReferences()
        list.arrange(order)
        registry?.context?.editLog?.steps.append(.arranged(list, before))
        registry?.context?.undoLog?.steps.append(.arranged(self, slot: slot, from: before, to: list.all.objects))
    }

    /// Adds `other` to a to-many relationship; false if it is a destination already.
    @discardableResult
    package final func addToMany(_ slot: Int, _ other: ManagedObject) -> Bool {
        let relationship = relationship(slot)
        check(other, fits: relationship)
        if let inverse = relationship.inverse, !inverse.isToMany {
            // A to-one inverse shows whether it is a destination, so the relationship need not be loaded.
            if other.one(inverse.slot) === self || other.accessFlags.contains(.fault) { return false }
        } else if loadedMany(slot)?.contains(other) ?? false {
            return false
        }
        append(other, at: slot)
        if let inverse = relationship.inverse { other.addInverse(self, through: inverse) }
        return true
    }

    /// Removes `other` from a to-many relationship; false if it is not a destination.
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
        if let inverse = relationship.inverse { other.removeInverse(self, at: inverse.slot) }
        return true
    }

    // MARK: Inverses

    /// Adds the inverse of a new reference from `other`; a to-one inverse replaces its former destination.
    final func addInverse(_ other: ManagedObject, through relationship: RelationshipProperty) {
        let slot = relationship.slot
        if relationship.isToMany {
            append(other, at: slot)
            return
        }
        let old = one(slot)
        guard old !== other else { return }
        setReference(other, slot)
        if let inverse = relationship.inverse { old?.removeInverse(self, at: inverse.slot) }
    }

    final func removeInverse(_ other: ManagedObject, at slot: Int) {
        let relationship = relationship(slot)
        if relationship.isToMany {
            remove(other, at: slot)
        } else if one(slot) === other {
            setReference(nil, slot)
        }
    }

    private func setReference(_ other: ManagedObject?, _ slot: Int) {
        if registry?.context?.undoLog != nil, let inverse = relationship(slot).inverse {
            one(slot)?.loadOrder(inverse)
            other?.loadOrder(inverse)
        }
        if !accessFlags.isEmpty { willChange() }
        if let other { row.set(other, slot) } else { row.clear(slot) }
    }

    /// Prepares for the change of a to-many relationship, which leaves the row unchanged.
    private func willModifyReferences() { registry?.context?.willModifyReferences(self) }

    private func append(_ other: ManagedObject, at slot: Int) {
        willModifyReferences()
        let context = registry?.context
        if context?.undoLog != nil { loadOrder(relationship(slot)) }
        let many = manyToChange(slot)
        guard many.append(other), let context else { return }
        context.editLog?.steps.append(.added(many, other))
        context.undoLog?.steps.append(.added(self, slot: slot, other))
    }

    private func remove(_ other: ManagedObject, at slot: Int) {
        willModifyReferences()
        guard let context = registry?.context, context.editLog != nil || context.undoLog != nil else {
            manyToChange(slot).remove(other)
            return
        }
        if context.undoLog != nil { loadOrder(relationship(slot)) }
        let many = manyToChange(slot)
        let positions = many.positions(of: other)
        guard many.remove(other) else { return }
        context.editLog?.steps.append(.removed(many, other, positions: positions))
        context.undoLog?.steps.append(.removed(self, slot: slot, other, position: positions.all))
    }

    /// Loads an ordered relationship before it changes, because undoing the change restores the positions.
    private func loadOrder(_ relationship: RelationshipProperty) {
        if relationship.isOrdered { _ = loadedMany(relationship.slot) }
    }

    /// The destinations of a to-many relationship, loaded or not, for a change of them.
    final func manyToChange(_ slot: Int) -> ManyObjects {
        if let many = manyObjects(slot) { return many }
        let many = ManyObjects(isLoaded: !isStored, of: relationship(slot))
        row.set(many, slot)
        return many
    }

    final func relationship(_ slot: Int) -> RelationshipProperty {
        guard let relationship = entity.properties[slot].relationship else {
            fatalError("\(entity.name).\(entity.properties[slot].name) is not a relationship")
        }
        return relationship
    }

    private func check(_ other: ManagedObject, fits relationship: RelationshipProperty) {
        demand(
            other.entity.isKind(of: relationship.destination),
            "\(entity.name).\(relationship.name) refers to \(relationship.destination.name), not \(other.entity.name)"
        )
        demand(
            other.registry?.context === registry?.context && !other.state.contains(.detached),
            "\(entity.name).\(relationship.name) cannot refer to an object of another context or without a context")
    }
}
