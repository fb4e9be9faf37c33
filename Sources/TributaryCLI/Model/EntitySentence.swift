import TributaryModel

/// The sentence about an entity in the documentation of its class.
enum EntitySentence {
    static func text(of entity: Entity, _ names: ClassNames) -> String {
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

    private static func joined(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}
