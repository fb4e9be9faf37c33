import TributaryModel

extension ClassGenerator {
    /// The lines of a relationship in its class.
    func declaration(of relationship: RelationshipProperty, _ identifier: String) -> [String] {
        let destination = names.type(relationship.destination)
        let type =
            relationship.isOrdered
            ? "OrderedToMany<\(destination)>" : relationship.isToMany ? "ToMany<\(destination)>" : "\(destination)?"
        var arguments: [String] = []
        if let inverse = inverseArgument(of: relationship) { arguments.append("inverse: \(inverse)") }
        if relationship.deleteRule != .nullify { arguments.append("onDelete: .\(relationship.deleteRule)") }
        return ["    /// \(sentence(about: relationship))."]
            + SwiftLines.property(
                "\(access.modifier)var \(SwiftIdentifier.escaped(identifier)): \(type)", wrapper: "@Relationship",
                arguments, options: options(of: relationship.declaration, identifier), positional: 1,
                // Only the list of options goes with a relationship that is its own inverse.
                needsList: relationship.inverse == relationship)
    }

    private func options(of relationship: RelationshipDescription, _ identifier: String) -> [String] {
        var options: [String] = []
        if identifier != relationship.name { options.append(".named(\(SwiftLiteral.text(relationship.name)))") }
        if !relationship.isOptional { options.append(".required") }
        if relationship.maximumCount != 0 {
            options.append(".count(\(relationship.minimumCount)...\(relationship.maximumCount))")
        } else if relationship.minimumCount != 0 {
            options.append(".count(\(relationship.minimumCount)...)")
        }
        if relationship.isTransient { options.append(".transient") }
        if let name = relationship.renamingIdentifier { options.append(".renamed(from: \(SwiftLiteral.text(name)))") }
        if let modifier = relationship.versionHashModifier {
            options.append(".versionHashModifier(\(SwiftLiteral.text(modifier)))")
        }
        if !relationship.userInfo.isEmpty {
            options.append(".userInfo(\(SwiftLiteral.dictionary(relationship.userInfo)))")
        }
        return options
    }

    /// The inverse as an argument; nil if the inverse states it, or there is none.
    private func inverseArgument(of relationship: RelationshipProperty) -> String? {
        guard let inverse = relationship.inverse else { return nil }
        if inverse == relationship { return ".itself" }
        guard statesInverse(relationship, inverse) else { return nil }
        let name = names.property(inverse.name, of: relationship.destination)
        return "\\\(names.type(relationship.destination)).\(SwiftIdentifier.escaped(name))"
    }

    /// Whether a relationship states the inverse for both: a to-many one does, else the first one of the model.
    private func statesInverse(_ relationship: RelationshipProperty, _ inverse: RelationshipProperty) -> Bool {
        if relationship.isToMany != inverse.isToMany { return relationship.isToMany }
        return (relationship.entity.index, relationship.slot) < (inverse.entity.index, inverse.slot)
    }
}
