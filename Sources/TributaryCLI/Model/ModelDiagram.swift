import TributaryModel

/// A model as a class diagram of Mermaid.
///
/// Names are labels where Mermaid would not accept them as they are; in the lines of properties, characters with a
/// meaning to Mermaid are replaced.
enum ModelDiagram {
    /// The text, with a line feed at the end.
    static func mermaid(_ model: Model) -> String {
        // Mermaid refuses a diagram without statements.
        guard !model.entities.isEmpty else { return "classDiagram\n    note \"The model has no entities\"\n" }
        var lines = ["classDiagram"]
        for entity in model.entities {
            let start = "    class \(identifier(entity))[\"\(label(entity.name))\"]"
            guard entity.isAbstract || !entity.declaration.attributes.isEmpty else {
                lines.append(start)
                continue
            }
            lines.append(start + " {")
            if entity.isAbstract { lines.append("        <<abstract>>") }
            let keys = Set(entity.declaration.uniquenessConstraints.filter { $0.count == 1 }.flatMap { $0 })
            for attribute in entity.declaration.attributes {
                let type =
                    "\(attribute.inferredType ?? attribute.type)".replacing(" ", with: "")
                    + (attribute.isOptional ? "?" : "")
                let notes =
                    (keys.contains(attribute.name) ? " unique" : "") + (attribute.isTransient ? " transient" : "")
                lines.append("        \(word(attribute.name)) : \(type)\(notes)")
            }
            lines.append("    }")
        }
        for entity in model.entities {
            if let parent = entity.parent { lines.append("    \(identifier(parent)) <|-- \(identifier(entity))") }
            for relationship in entity.relationships where relationship.entity == entity {
                if let line = line(relationship, of: entity) { lines.append(line) }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The line of a relationship; nil if its inverse comes first and has the line.
    private static func line(_ relationship: RelationshipProperty, of entity: Entity) -> String? {
        let target = identifier(relationship.destination)
        guard let inverse = relationship.inverse, inverse != relationship else {
            return "    \(identifier(entity)) --> \"\(count(relationship))\" \(target) : \(word(relationship.name))"
        }
        guard (entity.index, relationship.slot) < (inverse.entity.index, inverse.slot) else { return nil }
        let names = "\(word(relationship.name)) / \(word(inverse.name))"
        return
            "    \(identifier(entity)) \"\(count(inverse))\" -- \"\(count(relationship))\" \(target) : \(names)"
    }

    private static func count(_ relationship: RelationshipProperty) -> String {
        let least = max(relationship.declaration.minimumCount, relationship.isOptional ? 0 : 1)
        guard relationship.isToMany else { return least == 0 ? "0..1" : "1" }
        let most = relationship.declaration.maximumCount
        return most == 0 ? (least == 0 ? "*" : "\(least)..*") : "\(least)..\(most)"
    }

    /// A name for Mermaid that no other entity has.
    private static func identifier(_ entity: Entity) -> String {
        let isPlain = entity.name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        // A word of Mermaid, such as "class" or "end", is none with a prefix.
        return isPlain && entity.name.first?.isUppercase == true ? entity.name : "entity\(entity.index)_"
    }

    private static func label(_ name: String) -> String {
        SwiftLiteral.visible(name).replacing("\"", with: "'").replacing("`", with: "'").replacing("\\", with: "/")
            .replacing("]", with: ")").replacing("[", with: "(")
    }

    private static func word(_ name: String) -> String {
        let word = name.map { $0.isLetter || $0.isNumber ? $0 : "_" }
        return word.isEmpty ? "_" : String(word)
    }
}
