extension ModelWriter {
    mutating func entity(_ entity: EntityDescription) {
        let attributes: [(String, String?)] = [
            ("name", entity.name), ("representedClassName", entity.className), ("parentEntity", entity.parent),
            ("isAbstract", Self.flag(entity.isAbstract)), ("elementID", entity.renamingIdentifier),
            ("versionHashModifier", entity.versionHashModifier),
        ]
        element("entity", attributes) { writer in
            for attribute in entity.attributes { writer.attribute(attribute) }
            for relationship in entity.relationships { writer.relationship(relationship) }
            for property in entity.fetchedProperties { writer.fetchedProperty(property) }
            for index in entity.indexes { writer.index(index) }
            if !entity.uniquenessConstraints.isEmpty {
                writer.element("uniquenessConstraints", []) { writer in
                    for constraint in entity.uniquenessConstraints { writer.constraint(constraint) }
                }
            }
            writer.userInfo(entity.userInfo)
        }
    }

    private static func flag(_ value: Bool) -> String? { value ? "YES" : nil }

    private mutating func attribute(_ attribute: AttributeDescription) {
        let isDate = attribute.type == .date
        let isJSON = attribute.type == .json
        let type = isJSON ? AttributeType.transformable : attribute.type
        let attributes: [(String, String?)] = [
            ("name", attribute.name), ("optional", Self.flag(attribute.isOptional)),
            ("transient", Self.flag(attribute.isTransient)), ("attributeType", type.description),
            (
                isDate ? "defaultDateTimeInterval" : "defaultValueString",
                attribute.defaultValue.map(AttributeText.text)
            ),
            (isDate ? "minDateTimeInterval" : "minValueString", attribute.minimum.map(AttributeText.text)),
            (isDate ? "maxDateTimeInterval" : "maxValueString", attribute.maximum.map(AttributeText.text)),
            ("regularExpressionString", attribute.regularExpression),
            ("derived", Self.flag(attribute.derivation != nil)), ("derivationExpression", attribute.derivation),
            ("valueTransformerName", isJSON ? "JSON" : attribute.transformerName),
            ("customClassName", attribute.valueClassName), ("indexed", Self.flag(attribute.isIndexed)),
            ("elementID", attribute.renamingIdentifier), ("versionHashModifier", attribute.versionHashModifier),
        ]
        element("attribute", attributes) { $0.userInfo(attribute.userInfo) }
    }

    private mutating func relationship(_ relationship: RelationshipDescription) {
        let many = relationship.isToMany
        let count = { (number: Int) in number == 0 ? nil : String(number) }
        let attributes: [(String, String?)] = [
            ("name", relationship.name), ("optional", Self.flag(relationship.isOptional)),
            ("transient", Self.flag(relationship.isTransient)), ("toMany", Self.flag(many)),
            ("minCount", many ? count(relationship.minimumCount) : nil),
            ("maxCount", many ? count(relationship.maximumCount) : "1"),
            ("ordered", Self.flag(relationship.isOrdered)), ("deletionRule", relationship.deleteRule.rawValue),
            ("destinationEntity", relationship.destination), ("inverseName", relationship.inverse),
            (
                "inverseEntity",
                relationship.inverseEntity ?? (relationship.inverse == nil ? nil : relationship.destination)
            ),
            ("elementID", relationship.renamingIdentifier), ("versionHashModifier", relationship.versionHashModifier),
        ]
        element("relationship", attributes) { $0.userInfo(relationship.userInfo) }
    }

    private mutating func fetchedProperty(_ property: FetchedProperty) {
        element("fetchedProperty", [("name", property.name), ("optional", "YES")]) { writer in
            let request: [(String, String?)] = [
                ("name", "fetchedPropertyFetchRequest"), ("entity", property.entity),
                ("predicateString", property.predicate),
            ]
            writer.element("fetchRequest", request)
            writer.userInfo(property.userInfo)
        }
    }

    private mutating func index(_ index: IndexDescription) {
        element("fetchIndex", [("name", index.name)]) { writer in
            for part in index.elements {
                let order = part.isAscending ? "ascending" : "descending"
                writer.element(
                    "fetchIndexElement", [("property", part.property), ("type", "Binary"), ("order", order)])
            }
        }
    }

    private mutating func constraint(_ names: [String]) {
        element("uniquenessConstraint", []) { writer in
            for name in names { writer.element("constraint", [("value", name)]) }
        }
    }
}
