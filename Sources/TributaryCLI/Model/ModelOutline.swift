import Foundation
import TributaryModel

/// A JSON object that describes a model, or a part of one, for other programs.
///
/// Members without a value are left out. Numbers and flags of `default`, `minimum` and `maximum` are JSON values, dates
/// are ISO 8601, bytes Base64, and other values text.
struct ModelOutline: Encodable, ExpressibleByDictionaryLiteral {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let members: [(name: String, value: (any Encodable)?)]

    init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        self.members = members.map { (name: $0.0, value: $0.1) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for case (let name, let value?) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }

    /// The JSON with sorted keys and a line feed at the end.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// The outline of a model.
    init(_ model: Model) {
        let declaration = model.declaration
        self = [
            "entities": model.entities.map { ModelOutline($0) },
            "fetchTemplates": declaration.fetchTemplates.map {
                ModelOutline(fetching: $0.entity, $0.name, $0.predicate, limit: $0.limit)
            },
            "configurations": declaration.configurations.map {
                ["name": $0.name, "entities": $0.entities] as ModelOutline
            },
            "versionIdentifiers": declaration.versionIdentifiers, "userInfo": declaration.userInfo.unlessEmpty,
        ]
    }

    private init(_ entity: Entity) {
        let declaration = entity.declaration
        self = [
            "name": entity.name, "className": declaration.className, "parent": declaration.parent,
            "isAbstract": declaration.isAbstract, "attributes": declaration.attributes.map { ModelOutline($0) },
            "relationships": entity.relationships.filter { $0.entity == entity }.map { ModelOutline($0.declaration) },
            "fetchedProperties": declaration.fetchedProperties.map {
                ModelOutline(fetching: $0.entity, $0.name, $0.predicate)
            },
            "uniquenessConstraints": declaration.uniquenessConstraints,
            "indexes": declaration.indexes.map { ModelOutline($0) }, "formerName": declaration.renamingIdentifier,
            "versionHash": entity.versionHash.description, "userInfo": declaration.userInfo.unlessEmpty,
        ]
    }

    private init(_ attribute: AttributeDescription) {
        self = [
            "name": attribute.name, "type": attribute.typeName,
            // Only of a type that was inferred from imported values.
            "isInferred": attribute.isInferred ? true : nil, "isOptional": attribute.isOptional,
            "isTransient": attribute.isTransient, "isIndexed": attribute.isIndexed,
            "default": attribute.defaultValue, "minimum": attribute.minimum,
            "maximum": attribute.maximum, "pattern": attribute.regularExpression,
            "derivation": attribute.derivation, "transformer": attribute.transformerName,
            "valueClass": attribute.valueClassName, "formerName": attribute.renamingIdentifier,
            "userInfo": attribute.ownUserInfo.unlessEmpty,
        ]
    }

    private init(_ relationship: RelationshipDescription) {
        self = [
            "name": relationship.name, "destination": relationship.destination, "inverse": relationship.inverse,
            "isToMany": relationship.isToMany, "isOrdered": relationship.isOrdered,
            "isOptional": relationship.isOptional, "isTransient": relationship.isTransient,
            "minimumCount": relationship.minimumCount,
            "maximumCount": relationship.maximumCount == 0 ? nil : relationship.maximumCount,
            "deleteRule": "\(relationship.deleteRule)", "formerName": relationship.renamingIdentifier,
            "userInfo": relationship.userInfo.unlessEmpty,
        ]
    }

    private init(_ index: IndexDescription) {
        let elements = index.elements.map {
            ["property": $0.property, "isAscending": $0.isAscending] as ModelOutline
        }
        self = ["name": index.name, "elements": elements]
    }

    private init(fetching entity: String, _ name: String, _ predicate: String?, limit: Int = 0) {
        self = ["name": name, "entity": entity, "predicate": predicate, "limit": limit == 0 ? nil : limit]
    }
}

extension ModelValue: Encodable {
    /// The value as text; a date in the form of ISO 8601.
    var text: String {
        guard case .date(let date) = self else { return AttributeText.text(self) }
        let hasFraction = date.timeIntervalSinceReferenceDate.rounded() != date.timeIntervalSinceReferenceDate
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }

    /// Writes a number or a flag as such, and another value as text.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .integer(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .boolean(let flag): try container.encode(flag)
        default: try container.encode(text)
        }
    }
}

extension [String: String] {
    fileprivate var unlessEmpty: [String: String]? { isEmpty ? nil : self }
}
