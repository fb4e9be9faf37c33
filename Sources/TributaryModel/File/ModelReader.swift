/// Converts the XML of a model to its description.
///
/// Unknown elements and attributes are ignored.
package struct ModelReader {
    private var faults: [String] = []
    private var composites: [String: MarkupElement] = [:]
    private var flattened: [AttributeDescription] = []
    private var flattenedParts = 0

    private init() {}

    /// The description of the model in an XML file; an error has all faults.
    package static func read(_ bytes: [UInt8], file: String) throws -> ModelDescription {
        let root = try MarkupReader.read(bytes, file: file)
        guard root.name == "model" else {
            throw ModelError(
                ["the root element is <\(root.name)>, expected <model>"], file: file, line: root.line, column: 1)
        }
        var reader = ModelReader()
        let model = reader.model(root)
        guard reader.faults.isEmpty else { throw ModelError(reader.faults, file: file) }
        return model
    }

    private mutating func model(_ root: MarkupElement) -> ModelDescription {
        for composite in root.children("compositeAttribute") {
            guard let name = name(of: composite, "composite attribute") else { continue }
            if composites.updateValue(composite, forKey: name) != nil {
                report(composite, "composite attribute \"\(name)\" is declared twice; rename or remove one")
            }
        }
        var model = ModelDescription()
        for element in root.children("entity") {
            guard let name = name(of: element, "entity") else { continue }
            model.entities.append(entity(element, name))
        }
        for element in root.children("fetchRequest") {
            guard let name = name(of: element, "fetch request") else { continue }
            model.fetchTemplates.append(template(element, name))
        }
        for element in root.children("configuration") {
            guard let name = name(of: element, "configuration") else { continue }
            let members = element.children("memberEntity").compactMap { $0["name"] }
            model.configurations.append(.init(name, members))
        }
        model.versionIdentifiers = (root["userDefinedModelVersionIdentifier"] ?? "").split(separator: ",").map {
            String($0.trimmingBlanks)
        }.filter { !$0.isEmpty }
        model.userInfo = root.userInfo
        return model
    }

    private mutating func entity(_ element: MarkupElement, _ name: String) -> EntityDescription {
        var entity = EntityDescription(name)
        entity.className = element["representedClassName"]
        entity.parent = element["parentEntity"]
        entity.isAbstract = element.flag("isAbstract")
        entity.renamingIdentifier = element["elementID"] ?? element["renamingIdentifier"]
        entity.versionHashModifier = element["versionHashModifier"]
        entity.userInfo = element.userInfo
        for child in element.children("attribute") { entity.attributes += attributes(child, of: name) }
        for child in element.children("relationship") {
            guard let property = self.name(of: child, "relationship of entity \"\(name)\"") else { continue }
            entity.relationships.append(relationship(child, property, of: name))
        }
        for child in element.children("fetchedProperty") {
            guard let property = self.name(of: child, "fetched property of entity \"\(name)\"") else { continue }
            let request = child.children("fetchRequest").first
            var fetched = FetchedProperty(property, of: request?["entity"] ?? "", where: request?["predicateString"])
            fetched.userInfo = child.userInfo
            entity.fetchedProperties.append(fetched)
        }
        for constraint in element.children("uniquenessConstraints").flatMap({ $0.children("uniquenessConstraint") }) {
            entity.uniquenessConstraints.append(constraint.children("constraint").compactMap { $0["value"] })
        }
        entity.indexes = indexes(element)
        return entity
    }

    /// The attribute of an element; for a composite attribute, all its parts with names such as `home_city`.
    private mutating func attributes(_ element: MarkupElement, of entity: String) -> [AttributeDescription] {
        guard let name = name(of: element, "attribute of entity \"\(entity)\"") else { return [] }
        guard element["attributeType"] == "Composite" else {
            return [attribute(element, name, of: entity)]
        }
        flattened = []
        flattenedParts = 0
        flatten(element, name, entity, within: [], isOptional: element.flag("optional"))
        return flattened
    }

    private mutating func flatten(
        _ element: MarkupElement, _ prefix: String, _ entity: String, within outer: [String], isOptional: Bool
    ) {
        let owner = "entity \"\(entity)\": attribute \"\(prefix)\""
        // The attribute that names the composite is not documented, so any attribute with such a name is accepted.
        let named = element.attributes.filter { $0.key != "name" }.values.filter { composites[$0] != nil }.sorted()
        let choice = named.first ?? (composites.count == 1 ? composites.keys.first : nil)
        guard let choice, let composite = composites[choice] else {
            report(
                element,
                "\(owner) is composite without the name of a composite attribute; name one of the model")
            return
        }
        guard !outer.contains(choice) else {
            report(element, "\(owner) contains itself through \"\(choice)\"; remove it there")
            return
        }
        for part in composite.children("attribute") {
            guard let name = name(of: part, "attribute of composite attribute \"\(choice)\"") else { continue }
            flattenedParts += 1
            guard flattenedParts <= ModelCheck.columnLimit else {
                // Reported once, however many composites are nested.
                if flattenedParts == ModelCheck.columnLimit + 1 {
                    report(
                        element, "\(owner) has more than \(ModelCheck.columnLimit) parts; make it an entity"
                    )
                }
                return
            }
            let whole = "\(prefix)_\(name)"
            if part["attributeType"] == "Composite" {
                let isOptional = isOptional || part.flag("optional")
                flatten(part, whole, entity, within: outer + [choice], isOptional: isOptional)
            } else {
                var attribute = attribute(part, whole, of: entity)
                // The parts of an optional composite are optional.
                attribute.isOptional = attribute.isOptional || isOptional
                flattened.append(attribute)
            }
        }
    }

    mutating func name(of element: MarkupElement, _ what: String) -> String? {
        if let name = element["name"] { return name }
        report(element, "\(what) has no name; give it one")
        return nil
    }

    mutating func report(_ element: MarkupElement, _ fault: String) { faults.append("line \(element.line): \(fault)") }
}
