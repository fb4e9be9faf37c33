import TributaryModel

import Foundation

/// A model as JSON for other programs.
///
/// Members without a value are left out. Numbers and flags of `default`, `minimum` and `maximum` are JSON values, dates
/// are ISO 8601, bytes Base64, and other values text.
struct ModelOutline: Encodable {
    private let entities: [EntityOutline]
    private let fetchTemplates: [TemplateOutline]
    private let configurations: [ConfigurationOutline]
    private let versionIdentifiers: [String]
    private let userInfo: [String: String]?

    /// The outline of a model.
    init(_ model: Model) {
        entities = model.entities.map(EntityOutline.init)
        fetchTemplates = model.declaration.fetchTemplates.map(TemplateOutline.init)
        configurations = model.declaration.configurations.map { .init(name: $0.name, entities: $0.entities) }
        versionIdentifiers = model.declaration.versionIdentifiers
        userInfo = model.declaration.userInfo.isEmpty ? nil : model.declaration.userInfo
    }

    /// The JSON with sorted keys and a line feed at the end.
    func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    private struct EntityOutline: Encodable {
        let name: String
        let className: String?
        let parent: String?
        let isAbstract: Bool
        let attributes: [AttributeOutline]
        let relationships: [RelationshipOutline]
        let fetchedProperties: [TemplateOutline]
        let uniquenessConstraints: [[String]]
        let indexes: [IndexOutline]
        let formerName: String?
        let versionHash: String
        let userInfo: [String: String]?

        init(_ entity: Entity) {
            let declaration = entity.declaration
            name = entity.name
            className = declaration.className
            parent = declaration.parent
            isAbstract = declaration.isAbstract
            attributes = declaration.attributes.map(AttributeOutline.init)
            relationships = entity.relationships.filter { $0.entity == entity }.map(RelationshipOutline.init)
            fetchedProperties = declaration.fetchedProperties.map(TemplateOutline.init)
            uniquenessConstraints = declaration.uniquenessConstraints
            indexes = declaration.indexes.map(IndexOutline.init)
            formerName = declaration.renamingIdentifier
            versionHash = entity.versionHash.description
            userInfo = declaration.userInfo.isEmpty ? nil : declaration.userInfo
        }
    }

    private struct AttributeOutline: Encodable {
        let name: String
        let type: String
        /// True if the type was inferred from imported values; left out otherwise.
        let isInferred: Bool?
        let isOptional: Bool
        let isTransient: Bool
        let isIndexed: Bool
        let `default`: Value?
        let minimum: Value?
        let maximum: Value?
        let pattern: String?
        let derivation: String?
        let transformer: String?
        let valueClass: String?
        let formerName: String?
        let userInfo: [String: String]?

        init(_ attribute: AttributeDescription) {
            name = attribute.name
            type = attribute.typeName
            isInferred = attribute.isInferred ? true : nil
            isOptional = attribute.isOptional
            isTransient = attribute.isTransient
            isIndexed = attribute.isIndexed
            `default` = attribute.defaultValue.map(Value.init)
            minimum = attribute.minimum.map(Value.init)
            maximum = attribute.maximum.map(Value.init)
            pattern = attribute.regularExpression
            derivation = attribute.derivation
            transformer = attribute.transformerName
            valueClass = attribute.valueClassName
            formerName = attribute.renamingIdentifier
            let userInfo = attribute.ownUserInfo
            self.userInfo = userInfo.isEmpty ? nil : userInfo
        }
    }

    private struct RelationshipOutline: Encodable {
        let name: String
        let destination: String
        let inverse: String?
        let isToMany: Bool
        let isOrdered: Bool
        let isOptional: Bool
        let isTransient: Bool
        let minimumCount: Int
        let maximumCount: Int?
        let deleteRule: String
        let formerName: String?
        let userInfo: [String: String]?

        init(_ relationship: RelationshipProperty) {
            let declaration = relationship.declaration
            name = declaration.name
            destination = declaration.destination
            inverse = declaration.inverse
            isToMany = declaration.isToMany
            isOrdered = declaration.isOrdered
            isOptional = declaration.isOptional
            isTransient = declaration.isTransient
            minimumCount = declaration.minimumCount
            maximumCount = declaration.maximumCount == 0 ? nil : declaration.maximumCount
            deleteRule = "\(declaration.deleteRule)"
            formerName = declaration.renamingIdentifier
            userInfo = declaration.userInfo.isEmpty ? nil : declaration.userInfo
        }
    }

    private struct TemplateOutline: Encodable {
        let name: String
        let entity: String
        let predicate: String?
        let limit: Int?

        init(_ template: FetchTemplate) {
            name = template.name
            entity = template.entity
            predicate = template.predicate
            limit = template.limit == 0 ? nil : template.limit
        }

        init(_ property: FetchedProperty) {
            name = property.name
            entity = property.entity
            predicate = property.predicate
            limit = nil
        }
    }

    private struct ConfigurationOutline: Encodable {
        let name: String
        let entities: [String]
    }

    private struct IndexOutline: Encodable {
        struct Element: Encodable {
            let property: String
            let isAscending: Bool
        }

        let name: String
        let elements: [Element]

        init(_ index: IndexDescription) {
            name = index.name
            elements = index.elements.map { Element(property: $0.property, isAscending: $0.isAscending) }
        }
    }

    /// A value of an attribute.
    struct Value: Encodable {
        private let value: ModelValue

        init(_ value: ModelValue) { self.value = value }

        /// The value as text; a date in the form of ISO 8601.
        var text: String {
            guard case .date(let date) = value else { return AttributeText.text(value) }
            let hasFraction = date.timeIntervalSinceReferenceDate.rounded() != date.timeIntervalSinceReferenceDate
            return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch value {
            case .integer(let number): try container.encode(number)
            case .double(let number): try container.encode(number)
            case .boolean(let flag): try container.encode(flag)
            default: try container.encode(text)
            }
        }
    }
}
