/// The rules of the model for the objects of one entity, prepared for fast checks.
final class Validator: Sendable {
    /// The slots of required attributes and required to-one relationships.
    private let mandatory: [Int]
    /// The slots of required to-one relationships.
    private let mandatoryOnes: [Int]
    /// The slots of dates, which must not be NaN because SQLite stores NaN as NULL.
    private let dates: [Int]
    private let bounded: [AttributeBounds]
    private let countedMany: [RelationshipProperty]
    private let deniers: [RelationshipProperty]

    init(_ entity: Entity) {
        mandatoryOnes = entity.relationships.filter { !$0.isToMany && !$0.isOptional }.map(\.slot)
        mandatory =
            entity.attributes.filter { !$0.isOptional && $0.declaration.derivation == nil }.map(\.slot)
            + mandatoryOnes
        dates = entity.attributes.filter { !$0.isTransient && $0.type == .date }.map(\.slot)
        bounded = entity.attributes.compactMap(AttributeBounds.init)
        countedMany = entity.relationships.filter(\.isCounted)
        deniers = entity.relationships.filter { $0.deleteRule == .deny }
    }

    /// Adds the rules that a changed object violates, unless another context or process deleted its row.
    func check(_ object: ManagedObject, _ faults: inout [ValidationError]) {
        if object.state.contains(.rowDeleted) { return }
        if object.state.contains(.deleted) {
            checkDeletion(object, &faults)
        } else if !object.accessFlags.contains(.fault) {
            checkValues(object, &faults)
        }
    }

    private func checkValues(_ object: ManagedObject, _ faults: inout [ValidationError]) {
        let row = object.row
        for slot in mandatory where row.kind(slot) == .null {
            let property = object.entity.properties[slot]
            let reason =
                property.attribute == nil ? "is required and has no object" : "is required and has no value"
            faults.append(ValidationError(.missing, object, property.name, reason))
        }
        for slot in mandatoryOnes where row.kind(slot) == .boxed {
            let other = unsafeDowncast(row.boxed(slot), to: ManagedObject.self)
            guard other.state.contains(.detached), !other.mayHaveRow else { continue }
            let name = object.entity.properties[slot].name
            let reason = "refers to an object that was discarded before it was saved"
            faults.append(ValidationError(.dangling, object, name, reason))
        }
        for slot in dates where row.kind(slot) == .double && row.double(slot).isNaN {
            let name = object.entity.properties[slot].name
            faults.append(ValidationError(.notANumber, object, name, "is not a valid date (NaN)"))
        }
        for bounds in bounded {
            let attribute = bounds.attribute
            for fault in bounds.faults(attribute.filterValue(in: row)) {
                faults.append(ValidationError(.init(fault.bound), object, attribute.name, fault.reason))
            }
        }
        for relationship in countedMany {
            guard let fault = relationship.fault(of: object.many(relationship.slot).count) else { continue }
            let code: ValidationError.Code = fault.isTooMany ? .tooMany : .tooFew
            faults.append(ValidationError(code, object, relationship.name, fault.reason))
        }
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

    private func checkDeletion(_ object: ManagedObject, _ faults: inout [ValidationError]) {
        for relationship in deniers {
            if object.destinations(relationship).contains(where: { $0.state.isDisjoint(with: [.deleted, .detached]) }) {
                faults.append(
                    ValidationError(.denied, object, relationship.name, "still refers to objects; delete them first"))
            }
        }
        do {
            try object.validateForDelete()
        } catch {
            faults.append(ValidationError(.custom, object, nil, "cannot be deleted: \(error)", underlying: error))
        }
    }
}
