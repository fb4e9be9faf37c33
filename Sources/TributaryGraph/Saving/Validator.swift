import Foundation

/// What the model demands of the objects of one entity, ready to be checked fast.
final class Validator: Sendable {
    private struct Bounds: Sendable {
        let attribute: AttributeProperty
        let minimum: ModelValue?
        let maximum: ModelValue?
        let pattern: TextPatternBox?
    }

    /// A regular expression, compiled once.
    private final class TextPatternBox: Sendable {
        let text: String
        let pattern: NSRegularExpression?

        init(_ text: String) {
            self.text = text
            pattern = try? NSRegularExpression(pattern: "\\A(?:\(text))\\z")
        }

        func matches(_ value: String) -> Bool {
            guard let pattern else { return false }
            return pattern.firstMatch(in: value, range: NSRange(value.startIndex..., in: value)) != nil
        }
    }

    /// The slots in which something must stand: of attributes, and of relationships to one.
    private let mandatory: [Int]
    private let bounded: [Bounds]
    private let countedMany: [RelationshipProperty]
    private let deniers: [RelationshipProperty]

    init(_ entity: Entity) {
        mandatory =
            entity.attributes.filter { !$0.isOptional && $0.declaration.derivation == nil }.map(\.slot)
            + entity.relationships.filter { !$0.isToMany && !$0.isOptional }.map(\.slot)
        bounded = entity.attributes.compactMap { attribute in
            let said = attribute.declaration
            guard said.minimum != nil || said.maximum != nil || said.regularExpression != nil else { return nil }
            return Bounds(
                attribute: attribute, minimum: said.minimum, maximum: said.maximum,
                pattern: said.regularExpression.map(TextPatternBox.init))
        }
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
        for bounds in bounded { check(bounds, object, &faults) }
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

    private func check(_ bounds: Bounds, _ object: ManagedObject, _ faults: inout [ValidationError]) {
        let attribute = bounds.attribute
        let value = attribute.filterValue(in: object.row)
        func fault(_ code: ValidationError.Code, _ reason: String) {
            faults.append(ValidationError(code, object, attribute.name, reason))
        }
        switch value {
        case .null: return
        case .string(let text):
            let length = Int64(text.unicodeScalars.count)
            if case .integer(let least)? = bounds.minimum, length < least {
                fault(.tooShort, "has \(length) characters, expected at least \(least)")
            }
            if case .integer(let most)? = bounds.maximum, length > most {
                fault(.tooLong, "has \(length) characters, expected at most \(most)")
            }
            if let pattern = bounds.pattern, !pattern.matches(text) {
                fault(.pattern, "does not match \(pattern.text)")
            }
        default:
            if let least = bounds.minimum, value.order(to: least.filterValue) == .orderedAscending {
                fault(.tooSmall, "is below \(least.filterValue)")
            }
            if let most = bounds.maximum, value.order(to: most.filterValue) == .orderedDescending {
                fault(.tooLarge, "is above \(most.filterValue)")
            }
        }
    }
}

extension ModelValue {
    /// The value as filters know it.
    var filterValue: FilterValue {
        switch self {
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .decimal(let value): .decimal(value)
        case .string(let value): .string(value)
        case .boolean(let value): .boolean(value)
        case .date(let value): .date(value)
        case .data(let value): .data(value)
        case .uuid(let value): .uuid(value)
        case .url(let value): .url(value)
        }
    }
}
