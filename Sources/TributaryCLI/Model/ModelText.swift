import TributaryModel

/// A model as text for people: a paragraph for each entity.
enum ModelText {
    /// The text, with a line feed at the end.
    static func text(_ model: Model) -> String {
        var paragraphs = model.entities.map(paragraph)
        let declaration = model.declaration
        var rest = declaration.fetchTemplates.map {
            "fetch template \(visible($0.name)): \(visible($0.entity))\(filter($0.predicate))"
        }
        rest += declaration.configurations.map {
            "configuration \(visible($0.name)): \($0.entities.isEmpty ? "no entities" : names($0.entities))"
        }
        if !declaration.versionIdentifiers.isEmpty { rest.append("version \(names(declaration.versionIdentifiers))") }
        if declaration.isInferred { rest.append("inferred from imported data") }
        if !rest.isEmpty { paragraphs.append(rest.joined(separator: "\n")) }
        return paragraphs.isEmpty ? "the model has no entities\n" : paragraphs.joined(separator: "\n\n") + "\n"
    }

    private static func paragraph(_ entity: Entity) -> String {
        let declaration = entity.declaration
        var head = visible(entity.name)
        if let parent = entity.parent { head += ": \(visible(parent.name))" }
        if entity.isAbstract { head += ", abstract" }
        if let name = declaration.renamingIdentifier { head += ", formerly \(visible(name))" }
        var rows = declaration.attributes.map { (visible($0.name), attribute($0)) }
        rows += entity.relationships.filter { $0.entity == entity }.map { (visible($0.name), relationship($0)) }
        rows += declaration.fetchedProperties.map {
            (visible($0.name), "fetches \(visible($0.entity))\(filter($0.predicate))")
        }
        let width = min(32, rows.map(\.0.count).max() ?? 0)
        var lines = [head]
        lines += rows.map { name, text in
            "    \(name)\(String(repeating: " ", count: max(0, width - name.count)))  \(text)"
        }
        lines += declaration.uniquenessConstraints.map { "    unique: \(names($0))" }
        lines += declaration.indexes.map { index in
            let parts = index.elements.map { visible($0.property) + ($0.isAscending ? "" : " descending") }
            return "    index \(visible(index.name)): \(parts.joined(separator: ", "))"
        }
        return lines.joined(separator: "\n")
    }

    private static func attribute(_ attribute: AttributeDescription) -> String {
        var parts = [attribute.inferredType.map { "\($0), inferred" } ?? attribute.type.description]
        if !attribute.isOptional { parts.append("required") }
        if attribute.isTransient { parts.append("transient") }
        if attribute.isIndexed { parts.append("indexed") }
        if let value = attribute.defaultValue { parts.append("default \(text(value))") }
        let what = attribute.type == .string ? " length" : ""
        if let value = attribute.minimum { parts.append("minimum\(what) \(text(value))") }
        if let value = attribute.maximum { parts.append("maximum\(what) \(text(value))") }
        if let pattern = attribute.regularExpression { parts.append("matches \(visible(pattern))") }
        if let expression = attribute.derivation { parts.append("derived from \(visible(expression))") }
        if let name = attribute.transformerName { parts.append("transformer \(visible(name))") }
        if let name = attribute.valueClassName { parts.append("class \(visible(name))") }
        if let name = attribute.renamingIdentifier { parts.append("formerly \(visible(name))") }
        return parts.joined(separator: ", ")
    }

    private static func relationship(_ relationship: RelationshipProperty) -> String {
        let declaration = relationship.declaration
        let arrow = relationship.isToMany ? "to many" : "to one"
        var parts = ["\(arrow) \(visible(relationship.destination.name))"]
        if relationship.isOrdered { parts.append("ordered") }
        if !relationship.isOptional { parts.append("required") }
        if relationship.isTransient { parts.append("transient") }
        if declaration.minimumCount > 0 { parts.append("at least \(declaration.minimumCount)") }
        if declaration.maximumCount > 0 { parts.append("at most \(declaration.maximumCount)") }
        parts.append(relationship.inverse.map { "inverse \(visible($0.name))" } ?? "no inverse")
        parts.append("on delete \(declaration.deleteRule.rawValue.lowercased())")
        if let name = declaration.renamingIdentifier { parts.append("formerly \(visible(name))") }
        return parts.joined(separator: ", ")
    }

    private static func filter(_ predicate: String?) -> String { predicate.map { " where \(visible($0))" } ?? "" }

    private static func text(_ value: ModelValue) -> String {
        if case .string(let text) = value { return "\"\(visible(text))\"" }
        return visible(value.text)
    }

    private static func names(_ names: [String]) -> String { names.map(visible).joined(separator: ", ") }

    private static func visible(_ text: String) -> String { SwiftLiteral.visible(text) }
}
