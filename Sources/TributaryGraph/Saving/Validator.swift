/// What the model demands of the objects of one entity, ready to be checked fast.
final class Validator: Sendable {
    /// The slots in which something must stand: of attributes, and of relationships to one.
    private let mandatory: [Int]
    /// Those of relationships.
    private let mandatoryOnes: [Int]
    /// The slots of moments; one that is NaN would be stored as nothing.
    private let moments: [Int]
    private let bounded: [AttributeBounds]
    private let countedMany: [RelationshipProperty]
    private let deniers: [RelationshipProperty]

    init(_ entity: Entity) {
        mandatoryOnes = entity.relationships.filter { !$0.isToMany && !$0.isOptional }.map(\.slot)
        mandatory =
            entity.attributes.filter { !$0.isOptional && $0.declaration.derivation == nil }.map(\.slot)
            + mandatoryOnes
        moments = entity.attributes.filter { !$0.isTransient && $0.type == .date }.map(\.slot)
        bounded = entity.attributes.compactMap(AttributeBounds.init)
        countedMany = entity.relationships.filter { relationship in
            guard relationship.isToMany else { return false }
            let said = relationship.declaration
            return !relationship.isOptional || said.minimumCount > 0 || said.maximumCount > 0
        }
        deniers = entity.relationships.filter { $0.deleteRule == .deny }
    }

    /// Adds what is wrong with an object that is to be inserted or updated.
    func check(_ object: ManagedObject, _ faults: inout [ValidationError]) {
        let row = object.row
        for slot in mandatory where row.kind(slot) == .null {
            let property = object.entity.properties[slot]
            let reason =
                property.attribute == nil
                ? "leads nowhere, and must lead to an object" : "has no value, and must have one"
            faults.append(ValidationError(.missing, object, property.name, reason))
        }
        for slot in mandatoryOnes where row.kind(slot) == .boxed {
            let other = unsafeDowncast(row.boxed(slot), to: ManagedObject.self)
            guard other.state.contains(.detached), !other.mayHaveRow else { continue }
            let name = object.entity.properties[slot].name
            let reason = "leads to an object that was forgotten before it was saved"
            faults.append(ValidationError(.dangling, object, name, reason))
        }
        for slot in moments where row.kind(slot) == .double && row.double(slot).isNaN {
            let name = object.entity.properties[slot].name
            faults.append(ValidationError(.notANumber, object, name, "is NaN, which is no moment"))
        }
        for bounds in bounded {
            let attribute = bounds.attribute
            for fault in bounds.faults(attribute.filterValue(in: row)) {
                faults.append(ValidationError(fault.code, object, attribute.name, fault.reason))
            }
        }
        for relationship in countedMany { check(relationship, object, &faults) }
        do {
            if object.state.contains(.inserted) {
                try object.validateForInsert()
            } else {
                try object.validateForUpdate()
            }
        } catch {
            faults.append(ValidationError(.custom, object, nil, "is not valid: \(error)", underlying: error))
        }
    }

    /// Adds why an object cannot be deleted.
    func checkDeletion(_ object: ManagedObject, _ faults: inout [ValidationError]) {
        for relationship in deniers {
            let others =
                relationship.isToMany
                ? object.many(relationship.slot) : object.one(relationship.slot).map { [$0] } ?? []
            if others.contains(where: { !$0.state.contains(.deleted) && !$0.state.contains(.detached) }) {
                faults.append(
                    ValidationError(.denied, object, relationship.name, "still leads to objects; delete them first"))
            }
        }
        do {
            try object.validateForDelete()
        } catch {
            faults.append(ValidationError(.custom, object, nil, "cannot be deleted: \(error)", underlying: error))
        }
    }

    private func check(_ relationship: RelationshipProperty, _ object: ManagedObject, _ faults: inout [ValidationError])
    {
        let count = object.many(relationship.slot).count
        let said = relationship.declaration
        let least = max(said.minimumCount, relationship.isOptional ? 0 : 1)
        // Where there may be none, none is not too few.
        if count < least, !(relationship.isOptional && count == 0) {
            faults.append(
                ValidationError(
                    .tooFew, object, relationship.name, "leads to \(count) objects, expected at least \(least)"))
        }
        if said.maximumCount > 0, count > said.maximumCount {
            faults.append(
                ValidationError(
                    .tooMany, object, relationship.name,
                    "leads to \(count) objects, expected at most \(said.maximumCount)"))
        }
    }
}
