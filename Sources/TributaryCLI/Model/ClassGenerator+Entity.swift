import TributaryModel

extension ClassGenerator {
    /// The file of an entity.
    func text(of entity: Entity) -> String {
        let attributes = attributes(of: entity)
        var lines = start(needsFoundation: attributes.contains(where: \.needsFoundation))
        let parent = entity.parent.map(names.type) ?? "ManagedObject"
        let keyword = entity.subentities.isEmpty ? "final class" : "class"
        lines.add("/// \(sentence(about: entity)).")
        lines.add("\(access.modifier)\(keyword) \(names.type(entity)): \(parent) {")
        let unique = uniqueAttributes(of: entity)
        for attribute in attributes where !attribute.isComputed {
            lines.add(
                declaration: attribute.declaration(access, isUnique: unique.contains(attribute.name)),
                isUnusual: attribute.isUnusual)
        }
        lines.separate()
        for relationship in entity.relationships where relationship.entity == entity {
            let identifier = names.property(relationship.name, of: entity)
            lines.add(
                declaration: declaration(of: relationship, identifier), isUnusual: SwiftIdentifier.isUnusual(identifier)
            )
        }
        for attribute in attributes where attribute.isComputed {
            lines.separate()
            lines.add(declaration: attribute.computedDeclaration(access), isUnusual: attribute.isUnusual)
        }
        for override in overrides(of: entity) {
            lines.separate()
            lines.add(declaration: override)
        }
        while lines.lines.last == "" { lines.removeLast() }
        lines.add("}")
        return lines.text
    }

    private func attributes(of entity: Entity) -> [GeneratedAttribute] {
        entity.attributes.filter { $0.entity == entity }
            .map { GeneratedAttribute($0, names.property($0.name, of: entity)) }
    }

    /// The names of the attributes with the option `unique`, whose constraints are the first ones of the entity.
    private func uniqueAttributes(of entity: Entity) -> [String] {
        var unique: [String] = []
        var rest = attributes(of: entity).filter { !$0.isComputed }.map(\.name)[...]
        for constraint in entity.declaration.uniquenessConstraints {
            guard constraint.count == 1, let index = rest.firstIndex(of: constraint[0]) else { break }
            unique.append(constraint[0])
            rest = rest[(index + 1)...]
        }
        return unique
    }

    // MARK: Overrides

    private func overrides(of entity: Entity) -> [[String]] {
        var overrides: [[String]] = []
        if changesName(entity) {
            overrides.append([
                "    /// The name of the entity.",
                "    \(access.modifier)override class var entityName: String { \(SwiftLiteral.text(entity.name)) }",
            ])
        }
        // A subclass would inherit that it is abstract.
        if entity.isAbstract || entity.parent?.isAbstract == true {
            overrides.append([
                "    /// \(entity.isAbstract ? "Only subclasses have objects" : "The class has objects of its own").",
                "    \(access.modifier)override class var isAbstractEntity: Bool { \(entity.isAbstract) }",
            ])
        }
        let additions = additions(to: entity)
        // A subclass would inherit the additions.
        guard !additions.isEmpty || inheritsAdditions(entity) else { return overrides }
        let head = "    \(access.modifier)override class func describe(_ entity: inout EntityDescription) {"
        overrides.append(
            additions.isEmpty
                ? ["    /// Repeats no additions of the superclass.", head + "}"]
                : ["    /// Adds what properties do not declare.", head] + additions + ["    }"])
        return overrides
    }

    /// Whether the name of the entity must be stated, also because a superclass states its own.
    private func changesName(_ entity: Entity) -> Bool {
        names.type(entity) != entity.name || entity.parent.map(changesName) ?? false
    }

    private func inheritsAdditions(_ entity: Entity) -> Bool {
        guard let parent = entity.parent else { return false }
        return !additions(to: parent).isEmpty || inheritsAdditions(parent)
    }

    /// The statements that add to the description of an entity what its properties do not declare.
    private func additions(to entity: Entity) -> [String] {
        let indent = "        "
        let declaration = entity.declaration
        var lines: [String] = []
        for (index, attribute) in attributes(of: entity).enumerated() where attribute.isComputed {
            lines += attribute.insertion(at: index).map { indent + $0 }
        }
        let constraints = declaration.uniquenessConstraints.dropFirst(uniqueAttributes(of: entity).count).map(
            SwiftLiteral.list)
        if !constraints.isEmpty {
            lines += SwiftLines.list("entity.uniquenessConstraints += [", constraints, indent: indent)
        }
        if !declaration.indexes.isEmpty {
            let indexes = declaration.indexes.map { index in
                let elements = index.elements.map {
                    ".init(\(SwiftLiteral.text($0.property))\($0.isAscending ? "" : ", isAscending: false"))"
                }
                return "IndexDescription(\(SwiftLiteral.text(index.name)), [\(elements.joined(separator: ", "))])"
            }
            lines += SwiftLines.list("entity.indexes = [", indexes, indent: indent)
        }
        if !declaration.fetchedProperties.isEmpty {
            let fetched = declaration.fetchedProperties.map {
                request("FetchedProperty", $0.name, $0.entity, $0.predicate)
            }
            lines += SwiftLines.list("entity.fetchedProperties = [", fetched, indent: indent)
            for (index, property) in declaration.fetchedProperties.enumerated() where !property.userInfo.isEmpty {
                let entries = SwiftLiteral.dictionary(property.userInfo)
                lines.append("\(indent)entity.fetchedProperties[\(index)].userInfo = \(entries)")
            }
        }
        if let name = declaration.renamingIdentifier {
            lines.append("\(indent)entity.renamingIdentifier = \(SwiftLiteral.text(name))")
        }
        if let modifier = declaration.versionHashModifier {
            lines.append("\(indent)entity.versionHashModifier = \(SwiftLiteral.text(modifier))")
        }
        if !declaration.userInfo.isEmpty {
            lines.append("\(indent)entity.userInfo = \(SwiftLiteral.dictionary(declaration.userInfo))")
        }
        return lines
    }
}
