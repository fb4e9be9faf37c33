import TributaryModel

extension ClassGenerator {
    /// The sentence about an entity in the documentation of its class.
    func sentence(about entity: Entity) -> String {
        let kinds = entity.subentities.map { "`\(names.type($0))`" }
        let name = SwiftLiteral.comment(entity.name)
        var text =
            entity.isAbstract && !kinds.isEmpty
            ? "The \(kinds.count == 1 ? "superclass" : "common superclass") of \(joined(kinds))"
            : "An object of the entity `\(name)`"
        let constraints = entity.uniquenessConstraints.map { constraint in
            joined(constraint.properties.map { "`\(names.property($0.name, of: entity))`" })
        }
        if !constraints.isEmpty { text += ", unique by \(constraints.joined(separator: ", and by "))" }
        if let former = entity.declaration.renamingIdentifier, former != entity.name {
            text += ", formerly `\(SwiftLiteral.comment(former))`"
        }
        return text
    }

    private func joined(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    /// The sentence about a relationship in its documentation.
    func sentence(about relationship: RelationshipProperty) -> String {
        var text = count(relationship, "`\(names.type(relationship.destination))`")
        if relationship.isOrdered { text += ", in order" }
        if let inverse = relationship.inverse {
            let name = names.property(inverse.name, of: inverse.entity)
            text +=
                inverse == relationship
                ? ", its own inverse" : ", the inverse of `\(names.type(inverse.entity)).\(name)`"
        }
        if relationship.isTransient { text += ", in memory only" }
        switch relationship.deleteRule {
        case .nullify: break
        case .cascade: text += "; deleted with this object"
        case .deny: text += "; prevents the deletion of this object"
        case .noAction: text += "; unchanged when this object is deleted"
        }
        if let name = relationship.declaration.renamingIdentifier, name != relationship.name {
            text += "; formerly `\(SwiftLiteral.comment(name))`"
        }
        return text
    }

    private func count(_ relationship: RelationshipProperty, _ type: String) -> String {
        guard relationship.isToMany else { return relationship.isOptional ? "Optional \(type)" : type }
        let least = max(relationship.declaration.minimumCount, relationship.isOptional ? 0 : 1)
        let most = relationship.declaration.maximumCount
        let number =
            switch (least, most) {
            case (0, 0): "Any number of"
            case (_, 0): "At least \(least)"
            case (0, _): "At most \(most)"
            default: least == most ? "\(least)" : "\(least) to \(most)"
            }
        return "\(number) \(type) \(max(least, most) == 1 ? "object" : "objects")"
    }
}
